/** What the keys of a build of the chunk index look like, as a number: builds of another shape are made anew. */
import { Failure } from '../../failures.ts';
import type { ProjectionSchema } from '../../ports/read-models.ts';

/** Raised with any change of what is written to a build. */
export const layout = 8;

/** Versions of a projection stay below it, those with the analysis of texts in them too (see projections/analysed.ts). */
export const versionsMax = 1_000_000;

/**
 * The version of the projection with the layout of its keys, so that an earlier program takes a later layout for a later
 * version and leaves it alone. Failure `internal` for a version that would be taken for another layout.
 */
export function shapeOf({ name, version }: Pick<ProjectionSchema, 'name' | 'version'>, of = layout): string {
  if (version >= versionsMax) throw new Failure('internal', `The version ${version} of ${name} is too high.`);
  return String(of * versionsMax + version);
}

/** The version of a build as this program counts: 0 for one of an earlier layout. */
export const versionOf = (shape: string): number =>
  Math.max(0, Number(shape.split(' ')[0]) - layout * versionsMax);
