/** What the keys of a build look like, in a word: builds of another shape are made anew. */
import { createHash } from 'node:crypto';
import { Failure } from '../../failures.ts';
import type { ProjectionSchema } from '../../ports/read-models.ts';

/** Raised with any change of what is written to a build, records or chunks. */
export const layout = 7;

/** Versions of a projection stay below it, those with the analysis of texts in them too (see projections/analysed.ts). */
export const versionsMax = 1_000_000;

/**
 * What a build is called after: the version of its projection with the layout of its keys, and its fields. So an earlier
 * program takes a later layout for a later version, and leaves it alone. Failure `internal` for a version that would be
 * taken for another layout.
 */
export function shapeOf({ name, version, collections }: ProjectionSchema, of = layout): string {
  if (version >= versionsMax) throw new Failure('internal', `The version ${version} of ${name} is too high.`);
  const fields = JSON.stringify(collections.map(({ name, fields }) => [name, Object.entries(fields)]));
  const signature = createHash('sha256').update(fields).digest('hex').slice(0, 16);
  return `${of * versionsMax + version} ${signature}`;
}

/** The version of a build as this program counts: 0 for an earlier layout, or other fields under the same version. */
export function versionOf(projection: ProjectionSchema, shape: string): number {
  if (shape === shapeOf(projection)) return projection.version;
  const version = Number(shape.split(' ')[0]) - layout * versionsMax;
  return version === projection.version ? 0 : Math.max(0, version);
}
