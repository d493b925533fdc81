/** The key layout of a chunk index build, as a number. Builds with another layout are rebuilt. */
import { Failure } from '../../failures.ts';
import type { ProjectionSchema } from '../../ports/read-models.ts';

/** Increment this on any change to the data written to a build. */
export const layout = 9;

/**
 * Versions of a projection stay below this, including those that incorporate the text analysis (see
 * projections/analysed.ts).
 */
export const versionsMax = 1_000_000;

/**
 * Combines the projection's version with the key layout, so that an earlier program treats a later layout as a later
 * version and does not touch it. Fails with `internal` for a version that would overlap with another layout.
 */
export function shapeOf({ name, version }: Pick<ProjectionSchema, 'name' | 'version'>, of = layout): string {
  if (version >= versionsMax) throw new Failure('internal', `Version ${version} of ${name} is too high.`);
  return String(of * versionsMax + version);
}

/** The version of a build for this program; 0 for an earlier layout. */
export const versionOf = (shape: string): number =>
  Math.max(0, Number(shape.split(' ')[0]) - layout * versionsMax);
