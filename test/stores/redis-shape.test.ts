/** The names of builds distinguish versions and layouts. */
import { describe, expect, it } from 'vitest';
import { analysed } from '../../projections/analysed.ts';
import { projections } from '../../projections/index.ts';
import { layout, shapeOf, versionOf, versionsMax } from '../../src/stores/server/redis-shape.ts';

/** Existing kinds: plain versions, and those that include the analysis of texts. */
const versions = [1, 2, 40, ...[1, 4, 7, 12, 99].map(analysed), versionsMax - 1];

describe('the shape of a build', () => {
  it.each(versions)(
    'is recognised for version %d, and another layout is never mistaken for a version',
    (version) => {
      const schema = { name: 'people', version };
      expect(versionOf(shapeOf(schema))).toBe(version);
      for (const earlier of [1, layout - 1]) expect(versionOf(shapeOf(schema, earlier))).toBe(0);
      expect(versionOf(shapeOf(schema, layout + 1))).toBeGreaterThanOrEqual(versionsMax);
    },
  );

  it('is refused for a version that would read as another layout; existing versions stay far below', () => {
    expect(() => shapeOf({ name: 'people', version: versionsMax })).toThrow('too high');
    for (const projection of projections) expect(versionOf(shapeOf(projection))).toBe(projection.version);
  });
});
