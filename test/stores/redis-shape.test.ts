/** Builds of another version, another layout or other fields are told apart by what they are called after. */
import { describe, expect, it } from 'vitest';
import { analysed } from '../../projections/analysed.ts';
import { projections } from '../../projections/index.ts';
import type { ProjectionSchema } from '../../src/ports/read-models.ts';
import { layout, shapeOf, versionOf, versionsMax } from '../../src/stores/server/redis-shape.ts';

const schema = (version: number): ProjectionSchema => ({
  name: 'people',
  version,
  collections: [{ name: 'people', fields: { town: 'tag' } }],
});
/** Such as there are: plain ones, and with the analysis of texts in them. */
const versions = [1, 2, 40, ...[1, 4, 7, 12, 99].map(analysed), versionsMax - 1];

describe('the shape of a build', () => {
  it.each(versions)('of version %d is known again, a later version is later', (version) => {
    expect(versionOf(schema(version), shapeOf(schema(version)))).toBe(version);
    for (const other of versions.filter((one) => one !== version))
      expect(versionOf(schema(version), shapeOf(schema(other)))).toBe(other);
  });

  it.each(versions)('of another layout is never taken for a version: %d', (version) => {
    for (const other of versions) {
      for (const earlier of [1, layout - 1])
        expect(versionOf(schema(version), shapeOf(schema(other), earlier))).toBe(0);
      expect(versionOf(schema(version), shapeOf(schema(other), layout + 1))).toBeGreaterThanOrEqual(
        versionsMax,
      );
    }
  });

  it('with other fields under the same version is made anew', () => {
    const fields = { town: 'tag', age: 'number' } as const;
    const other = { ...schema(3), collections: [{ name: 'people', fields }] };
    expect(versionOf(schema(3), shapeOf(other))).toBe(0);
  });

  it('is refused for a version that would be another layout; those there are stay far below', () => {
    expect(() => shapeOf(schema(versionsMax))).toThrow('too high');
    for (const projection of projections)
      expect(versionOf(projection, shapeOf(projection))).toBe(projection.version);
  });
});
