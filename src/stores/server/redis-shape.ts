/** What the keys of a build look like, in a word: builds of another shape are made anew. */
import { createHash } from 'node:crypto';
import type { ProjectionSchema } from '../../ports/read-models.ts';

/** Raised with any change of what is written to a build, records or chunks. */
const layout = 5;

/** Versions of a projection stay below it. */
const layoutFactor = 1_000;

/**
 * What a build is called after: the version of its projection with the layout of its keys, and its fields. So an earlier
 * program takes a later layout for a later version, and leaves it alone.
 */
export function shapeOf({ version, collections }: ProjectionSchema): string {
  const fields = JSON.stringify(collections.map(({ name, fields }) => [name, Object.entries(fields)]));
  const signature = createHash('sha256').update(fields).digest('hex').slice(0, 16);
  return `${layout * layoutFactor + version} ${signature}`;
}

/** The version of a build as this program counts: 0 for an earlier layout, or other fields under the same version. */
export function versionOf(projection: ProjectionSchema, shape: string): number {
  if (shape === shapeOf(projection)) return projection.version;
  const version = Number(shape.split(' ')[0]) - layout * layoutFactor;
  return version === projection.version ? 0 : Math.max(0, version);
}
