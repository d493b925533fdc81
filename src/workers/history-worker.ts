/**
 * A low-priority thread for long-running work over the history: building past read models, comparing them, verification
 * and proofs.
 */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { cancelled, Failure } from '../failures.ts';
import { type ChangesPage, type ChangesRequest, changesPage, type PastContents } from '../history/past.ts';
import { proveEvent } from '../history/proofs.ts';
import type { VerificationProgress, VerificationReport } from '../history/report.ts';
import { SealedLog } from '../history/sealed-log.ts';
import { verifyProjections } from '../history/verify-projections.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { openEmbeddedContents } from '../read-models/read-models.ts';
import { type AdapterConfig, modelPaths, pastFolder } from './adapter-config.ts';
import { copyFolderFile } from './data-folder.ts';
import { giveWay } from './give-way.ts';
import { openReadLog } from './open-log.ts';
import { openContents } from './open-read-models.ts';
import { openReplay } from './open-replay.ts';
import { serveThread } from './rpc.ts';
import { openTemporaryFolder } from './temporary-folders.ts';

export interface MomentJob {
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

const adapters = workerData as AdapterConfig;

function sizeWithin(folder: string, bytesMax: number): number {
  const bytes = Object.values(modelPaths(folder))
    .flatMap((path) => [path, `${path}-wal`])
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (bytes > bytesMax)
    throw new Failure('too_large', 'The read models of that moment are larger than allowed.');
  return bytes;
}

/** Fails with `cancelled` if the signal was aborted, whatever the work failed with. */
async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  }
}

/** Builds the read models of a past moment in a folder. May fail with `too_large`. */
async function makeMoment(
  { until, folder, from, bytesMax }: MomentJob,
  signal: AbortSignal,
  onEvents: (events: number) => void,
): Promise<MadeMoment> {
  await using opened = new AsyncDisposableStack();
  if (from !== null)
    for (const path of Object.values(modelPaths(from)))
      await copyFolderFile(path, join(folder, basename(path)));
  const log = await openReadLog(adapters);
  opened.defer(() => log.close());
  let reported = 0;
  const { replay } = openReplay(opened, log, folder, signal, (events) => {
    if (events - reported < reportEvery) return;
    reported = events;
    onEvents(events);
    sizeWithin(folder, bytesMax);
  });
  await replay.reach(new Map(projections.map(({ name }) => [name, until])));
  return { events: replay.events, bytes: sizeWithin(folder, bytesMax) };
}

/** A page of the differences between the read models in two folders. */
async function changesOf(first: string, second: string, request: ChangesRequest): Promise<ChangesPage> {
  await using opened = new AsyncDisposableStack();
  const open = async (folder: string): Promise<PastContents> => {
    const contents = openEmbeddedContents(modelPaths(folder));
    opened.defer(() => contents.close());
    const builds = await contents.builds();
    return {
      contents,
      build: async (projection) => builds.find(({ name, live }) => name === projection && live)!,
    };
  };
  return await changesPage(await open(first), await open(second), request);
}

/** Compares the live read models with a replay of the history. */
async function verify(
  signal: AbortSignal,
  onProgress: (progress: VerificationProgress) => void,
): Promise<VerificationReport> {
  await using opened = new AsyncDisposableStack();
  const { path, remove } = await openTemporaryFolder(pastFolder(adapters.folder));
  opened.defer(remove);
  const log = await openReadLog(adapters);
  opened.defer(() => log.close());
  const live = await openContents(adapters.readModels);
  opened.defer(() => live.close());
  const head = await log.head();
  const total = head === null ? 0 : log.distance(null, head);
  const { replay, contents } = openReplay(opened, log, path, signal, (done) =>
    onProgress({ phase: 'replaying', projection: null, done, total }),
  );
  const { sizeOf } = contents;
  return await verifyProjections({ live, replay, projections, signal, onProgress, sizeOf });
}

giveWay();
serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let log: EventLog | null = null;
  let sealed: SealedLog | null = null;
  return {
    /** The head of the history's Merkle tree. The first call reads the whole history. */
    treeHead: async (asked: AbortSignal) => {
      log ??= await openReadLog({ log: adapters.log, keys: null });
      sealed ??= new SealedLog(log);
      return sealed.head(asked);
    },
    /** Reads the whole history. See src/history/proofs.ts. */
    proveEvent: async (eventId: string) => {
      log ??= await openReadLog({ log: adapters.log, keys: null });
      return proveEvent(log, eventId);
    },
    makeMoment: (job: MomentJob) =>
      untilStopped(signal, () => makeMoment(job, signal, (events) => notify('events', events))),
    changes: (first: string, second: string, request: ChangesRequest) => changesOf(first, second, request),
    verify: () => untilStopped(signal, () => verify(signal, (progress) => notify('progress', progress))),
    stop: () => stopping.abort(),
    close: () => log?.close(),
  };
});
