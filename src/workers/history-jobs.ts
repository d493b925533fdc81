/**
 * Long-running work over the history, done in a separate thread: building past read models, comparing them, and
 * verification.
 */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projections } from '../../projections/index.ts';
import { Failure } from '../failures.ts';
import { type ChangesPage, type ChangesRequest, changesPage, type PastContents } from '../history/past.ts';
import { Replay } from '../history/replay.ts';
import type { VerificationProgress, VerificationReport } from '../history/report.ts';
import { verifyProjections } from '../history/verify-projections.ts';
import type { Position } from '../ports/event-log.ts';
import { openEmbeddedContents, openEmbeddedModels } from '../stores/embedded/models.ts';
import { type AdapterConfig, modelPaths, pastFolder } from './adapter-config.ts';
import { copyFolderFile } from './data-folder.ts';
import { openReadLog } from './open-log.ts';
import { computeVector } from './open-models.ts';
import { openContents } from './open-read-models.ts';
import { openTemporaryFolder } from './temporary-folders.ts';

export interface MomentJob {
  /** The source history. */
  adapters: AdapterConfig;
  until: Position;
  /** An empty folder. */
  folder: string;
  /** A folder with the read models of an earlier moment, from which to continue. */
  from: string | null;
  bytesMax: number;
}

export interface MadeMoment {
  events: number;
  bytes: number;
}

/** Number of events between two checks of the size, and between two progress reports. */
const reportEvery = 1_000;

/** Closes everything that was opened, in reverse order. */
class Opened {
  readonly #closing: (() => Promise<void>)[] = [];
  add<T extends { close(): Promise<void> }>(one: T): T {
    this.#closing.push(() => one.close());
    return one;
  }
  async close(): Promise<void> {
    for (const close of this.#closing.toReversed()) await close();
  }
}

const sizeOf = (folder: string): number =>
  Object.values(modelPaths(folder))
    .flatMap((path) => [path, `${path}-wal`])
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);

/** Builds the read models of a past moment in a folder. May fail with `too_large` or `cancelled`. */
export async function makeMoment(
  { adapters, until, folder, from, bytesMax }: MomentJob,
  signal: AbortSignal,
  onEvents: (events: number) => void,
): Promise<MadeMoment> {
  const opened = new Opened();
  const paths = modelPaths(folder);
  try {
    if (from !== null)
      for (const path of Object.values(modelPaths(from)))
        await copyFolderFile(path, join(folder, basename(path)));
    const log = opened.add(await openReadLog(adapters));
    const models = opened.add(openEmbeddedModels(paths, projections, computeVector));
    const contents = opened.add(openEmbeddedContents(paths));
    let reported = 0;
    const replay = new Replay({
      ...{ log, projections, models, contents, signal },
      onEvents: (events) => {
        if (events - reported < reportEvery) return;
        reported = events;
        onEvents(events);
        if (sizeOf(folder) > bytesMax)
          throw new Failure('too_large', 'The read models of that moment are larger than allowed.');
      },
    });
    await replay.reach(new Map(projections.map(({ name }) => [name, until])));
    const bytes = sizeOf(folder);
    if (bytes > bytesMax)
      throw new Failure('too_large', 'The read models of that moment are larger than allowed.');
    return { events: replay.events, bytes };
  } catch (error) {
    throw signal.aborted ? new Failure('cancelled', 'The operation was stopped.') : error;
  } finally {
    await opened.close();
  }
}

/** A page of the differences between the read models in two folders. */
export async function changesOf(
  first: string,
  second: string,
  request: ChangesRequest,
): Promise<ChangesPage> {
  const opened = new Opened();
  const open = async (folder: string): Promise<PastContents> => {
    const contents = opened.add(openEmbeddedContents(modelPaths(folder)));
    const builds = await contents.builds();
    return {
      contents,
      build: async (projection) => builds.find(({ name, live }) => name === projection && live)!,
    };
  };
  try {
    return await changesPage(await open(first), await open(second), request);
  } finally {
    await opened.close();
  }
}

/** Compares the live read models with a replay of the history. May fail with `cancelled`. */
export async function verify(
  adapters: AdapterConfig,
  signal: AbortSignal,
  onProgress: (progress: VerificationProgress) => void,
): Promise<VerificationReport> {
  const opened = new Opened();
  const { path, remove } = await openTemporaryFolder(pastFolder(adapters.folder));
  opened.add({ close: remove });
  try {
    const log = opened.add(await openReadLog(adapters));
    const live = opened.add(await openContents(adapters.readModels));
    const models = opened.add(openEmbeddedModels(modelPaths(path), projections, computeVector));
    const contents = opened.add(openEmbeddedContents(modelPaths(path)));
    const head = await log.head();
    const total = head === null ? 0 : log.distance(null, head);
    const onEvents = (done: number) => onProgress({ phase: 'replaying', projection: null, done, total });
    const replay = new Replay({ log, projections, models, contents, signal, onEvents });
    const { sizeOf } = contents;
    return await verifyProjections({ live, replay, projections, signal, onProgress, sizeOf });
  } catch (error) {
    throw signal.aborted ? new Failure('cancelled', 'The comparison was stopped.') : error;
  } finally {
    await opened.close();
  }
}
