/**
 * The embedded form's threads behind the ports: one writes the history, one runs the projections, two read. The
 * main thread never touches a file, so nothing another process does to one can hold it up.
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { EventLog, PoisonedEvent } from '../ports.ts';
import type { Reads } from '../reads.ts';
import { EmbeddedLog } from '../stores/embedded/log.ts';
import type { ModelPaths } from '../stores/embedded/models.ts';
import { ModelsReader } from '../stores/embedded/models-store.ts';
import type { CommitNotice } from './projector.ts';
import { Thread } from './rpc.ts';

/** Threads that retrieve, each with the index's terms in memory: one core is left to everything else. */
const searchers = Math.max(1, Math.min(4, availableParallelism() - 1));
/** What a question makes and drops; with less a fifth of the time goes to collecting it. */
const searcherYoungMb = 32;
/** Calls a reader may have waiting; beyond it the caller is told to come back. */
const waitingMax = 256;

export interface Stores {
  log: EventLog;
  reads: Reads;
  progress: ProjectionProgress;
  /** Builds the named projections anew beside the serving ones. */
  rebuild(projections: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  folder: string;
  /** Told what a thread could not do and will try again: a sentence without personal content. */
  onTrouble?: (sentence: string) => void;
}

const entry = (name: string) => new URL(`./${name}.ts`, import.meta.url);

export const historyFile = (folder: string) => join(folder, 'history.sqlite');
/** The read models, and the search index: both can be deleted at any time and are built again. */
export const modelPaths = (folder: string): ModelPaths => ({
  models: join(folder, 'models.sqlite'),
  index: join(folder, 'index.sqlite'),
});

/** Opens the stores of a data folder, making it where it is missing. Failure `newer_format`, `unavailable`. */
export async function openEmbedded({ folder, onTrouble = () => {} }: EmbeddedOptions): Promise<Stores> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Failure(
      'unavailable',
      `The data folder ${folder} cannot be made: ${error instanceof Error ? error.message : 'unknown'}.`,
    );
  }
  const paths = { log: historyFile(folder), ...modelPaths(folder) };
  const progress = new ProjectionProgress();
  const started: Thread[] = [];
  const start = (name: string, data: unknown, youngMb?: number) => {
    const thread = new Thread(entry(name), data, youngMb);
    started.push(thread);
    return thread;
  };
  const closeAll = async () => {
    for (const thread of started.toReversed()) await thread.close();
  };
  try {
    const logThread = start('log', { path: paths.log });
    const log = new EmbeddedLog({
      append: (request) => logThread.call('append', request),
      readStream: (stream, from, limit) => logThread.call('readStream', stream, from, limit),
      readAll: (after, limit) => logThread.call('readAll', after, limit),
      head: () => logThread.call('head'),
      close: () => logThread.close(),
    });
    await log.head();
    const projector = start('projector', paths);
    projector.onNotice = (notice, value) => {
      if (notice === 'commit') {
        const { projection, checkpoint, collections } = value as CommitNotice;
        progress.committed(projection, checkpoint, collections);
      } else if (notice === 'trouble') onTrouble(`Projections wait: ${value}`);
      else if (notice === 'poison') onTrouble(poisonSentence(value as PoisonedEvent));
    };
    await projector.call('ready');
    const records = [start('reader', { ...paths, searches: false })];
    const searching = Array.from({ length: searchers }, () =>
      start('reader', { ...paths, searches: true }, searcherYoungMb),
    );
    const read = <T>(pool: readonly Thread[], method: string, ...args: unknown[]): Promise<T> => {
      const thread = pool.reduce((a, b) => (b.pending < a.pending ? b : a));
      if (thread.pending >= waitingMax)
        return Promise.reject(
          new Failure('unavailable', 'Too much is being asked at once, try again shortly.', {
            retryAfterS: 1,
          }),
        );
      return thread.call<T>(method, ...args);
    };
    return {
      log,
      progress,
      reads: {
        get: (collection, key) => read(records, 'get', collection, key),
        find: (collection, query) => read(records, 'find', collection, query),
        poisoned: () => read(records, 'poisoned'),
        chunks: (docId, limit, offset, embedder) => read(records, 'chunks', docId, limit, offset, embedder),
        coverage: (of, embedder) => read(records, 'coverage', of, embedder),
        embeddedByDocument: (embedder) => read(records, 'embeddedByDocument', embedder),
        research: (request) => read(searching, 'research', request),
      },
      rebuild: (names) => projector.call('rebuild', names),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const poisonSentence = ({ projection, position, error }: PoisonedEvent) =>
  `The projection ${projection} set the event at ${position} aside: ${error}.`;

/** Every record of a folder's read models, then every chunk, as a line of text in a fixed order. */
export function* dumpEmbedded(folder: string): Generator<string> {
  for (const path of Object.values(modelPaths(folder))) {
    const reader = new ModelsReader(path);
    try {
      yield* reader.dump();
    } finally {
      reader.close();
    }
  }
}
