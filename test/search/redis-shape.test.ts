/** Build names distinguish versions and layouts. */
import { describe, expect, it } from 'vitest';
import { analysed } from '../../projections/analysed.ts';
import { projections } from '../../projections/index.ts';
import { layout, shapeOf, versionOf, versionsMax } from '../../src/search/redis/shape.ts';

/** Existing kinds: plain versions, and versions that include the text analysis. */
const versions = [1, 2, 40, ...[1, 4, 7, 12, 99].map(analysed), versionsMax - 1];

describe('build names', () => {
  it.each(versions)('identify version %d, and never mistake another layout for a version', (version) => {
    const schema = { name: 'people', version };
    expect(versionOf(shapeOf(schema))).toBe(version);
    for (const earlier of [1, layout - 1]) expect(versionOf(shapeOf(schema, earlier))).toBe(0);
    expect(versionOf(shapeOf(schema, layout + 1))).toBeGreaterThanOrEqual(versionsMax);
  });

  it('are not created for a version that could be mistaken for another layout; existing versions are far below', () => {
    expect(() => shapeOf({ name: 'people', version: versionsMax })).toThrow('too high');
    for (const projection of projections) expect(versionOf(shapeOf(projection))).toBe(projection.version);
  });
});
