/**
 * Verifies the live builds against the history: replays the history separately and compares the result with the live
 * builds, entry by entry in order. Concurrent writes cause no differences, because each portion is read at a single
 * checkpoint of the build, and the replay advances to exactly that checkpoint before the comparison.
 */
import { setImmediate } from 'node:timers/promises';
import type { Projection } from '../../projections/runner.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';
import type { Build, BuildContents } from '../ports/read-models.ts';
import { differingFields, union } from './entry-names.ts';
import type { Replay } from './replay.ts';
import type { Difference, ProjectionReport, VerificationProgress, VerificationReport } from './report.ts';

export interface VerificationOptions {
  /** The read models in use. */
  live: BuildContents;
  replay: Replay;
  projections: readonly Projection[];
  signal: AbortSignal;
  onProgress?: (progress: VerificationProgress) => void;
  /** Approximate number of entries in a replayed build. */
  sizeOf?: (build: Build) => number;
}

/** Number of entries compared at a time. */
const portionMax = 500;
/** Maximum number of differences listed per projection. */
const differencesMax = 1_000;
/** Maximum number of attempts to compare a projection whose build is replaced in the meantime. */
const attemptsMax = 3;

/**
 * Compares all projections. Fails with `unavailable` if the read models cannot be read, a projection has no build with
 * this program's version, or its builds are replaced faster than they can be compared.
 */
export async function verifyProjections(options: VerificationOptions): Promise<VerificationReport> {
  const { live, replay, projections } = options;
  const builds = await live.builds();
  await replay.reach(
    new Map(projections.map((projection) => [projection.name, serving(builds, projection).checkpoint])),
  );
  const reports: ProjectionReport[] = [];
  for (const projection of projections) reports.push(await verify(options, projection));
  return {
    same: reports.every(({ differences }) => differences.length === 0),
    events: replay.events,
    projections: reports,
  };
}

function serving(builds: readonly Build[], { name, version }: Projection): Build {
  const found = builds.find((build) => build.live && build.name === name && build.version === version);
  if (found === undefined)
    throw new Failure(
      'unavailable',
      `There is no build of ${name} with this version yet; it is being built.`,
      { retryAfterS: 1 },
    );
  return found;
}

async function verify(options: VerificationOptions, projection: Projection): Promise<ProjectionReport> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const build = serving(await options.live.builds(), projection);
    const report = await compare(options, build);
    if (report !== null) return report;
  }
  throw new Failure(
    'unavailable',
    `The builds of ${projection.name} are being replaced faster than they can be compared.`,
    { retryAfterS: 1 },
  );
}

/** Null if the build was dropped in the meantime. */
async function compare(
  { live, replay, signal, onProgress, sizeOf }: VerificationOptions,
  build: Build,
): Promise<ProjectionReport | null> {
  const { name: projection, version } = build;
  const made = await replay.build(projection);
  const total = sizeOf?.(made) ?? null;
  const differences: Difference[] = [];
  let checkpoint: Position | null = build.checkpoint;
  let entries = 0;
  const report = (more: boolean): ProjectionReport => ({
    projection,
    version,
    build: build.build,
    checkpoint,
    entries,
    differences,
    more,
  });
  const all = union(live.names(build), replay.contents.names(made), portionMax);
  for await (const names of all) {
    for (let rest: readonly string[] = names; rest.length > 0; ) {
      const found = await live.values(build, rest);
      if (found === null) return null;
      checkpoint = found.checkpoint;
      // A rebuilt build may be behind the replay.
      if (!(await replay.reach(new Map([[projection, checkpoint]])))) return null;
      const expected = (await replay.contents.values(made, rest.slice(0, found.values.length)))!;
      for (const [n, value] of found.values.entries()) {
        const right = expected.values[n]!;
        if (value !== null || right !== null) entries++;
        if (value === right) continue;
        differences.push(difference(rest[n]!, value, right));
        if (differences.length === differencesMax) return report(true);
      }
      rest = rest.slice(found.values.length);
    }
    onProgress?.({ phase: 'comparing', projection, done: entries, total });
    await setImmediate();
    signal.throwIfAborted();
  }
  return report(false);
}

function difference(name: string, found: string | null, right: string | null): Difference {
  if (found === null) return { name, kind: 'missing', fields: [] };
  if (right === null) return { name, kind: 'surplus', fields: [] };
  return { name, kind: 'changed', fields: differingFields(found, right) };
}
