/** Builds of another version or another layout are told apart by what they are called after. */
import { describe, expect, it } from 'vitest';
import { analysed } from '../../projections/analysed.ts';
import { projections } from '../../projections/index.ts';
import { layout, shapeOf, versionOf, versionsMax } from '../../src/stores/server/redis-shape.ts';

/** Such as there are: plain ones, and with the analysis of texts in them. */
const versions = [1, 2, 40, ...[1, 4, 7, 12, 99].map(analysed), versionsMax - 1];

describe('the shape of a build', () => {
  it.each(versions)(
    'of version %d is known again, one of another layout is never taken for a version',
    (version) => {
      const schema = { name: 'people', version };
      expect(versionOf(shapeOf(schema))).toBe(version);
      for (const earlier of [1, layout - 1]) expect(versionOf(shapeOf(schema, earlier))).toBe(0);
      expect(versionOf(shapeOf(schema, layout + 1))).toBeGreaterThanOrEqual(versionsMax);
    },
  );

  it('is refused for a version that would be another layout; those there are stay far below', () => {
    expect(() => shapeOf({ name: 'people', version: versionsMax })).toThrow('too high');
    for (const projection of projections) expect(versionOf(shapeOf(projection))).toBe(projection.version);
  });
});
