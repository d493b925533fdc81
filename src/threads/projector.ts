/**
 * The thread that runs the projections of the embedded form: it reads the history over a connection of its own,
 * is the only writer of this process to the read models, and tells the main thread how far it has got. Other
 * processes on the same folder may do the same; who commits first wins, nothing is written twice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { ProjectionRunner } from '../../projections/runner.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports.ts';
import { directLog, EmbeddedLog } from '../stores/embedded/log.ts';
import { LogStore } from '../stores/embedded/log-store.ts';
import { directModels } from '../stores/embedded/models.ts';
import { ModelsStore } from '../stores/embedded/models-store.ts';
import { serveThread } from './rpc.ts';

export interface CommitNotice {
  projection: string;
  checkpoint: Position;
  collections: readonly string[];
}

/** How long a projector that has caught up waits before it looks again. */
const idleMs = 20;
/** After an error that may pass (a full disk, a lock), the next try. */
const retryMs = 1000;
const sweepChunks = 200;

const paths = workerData as { log: string; models: string };
const store = new ModelsStore(paths.models, projections);
const log = new LogStore(paths.log, { readOnly: true });
const stopping = new AbortController();

const runner = new ProjectionRunner({
  log: new EmbeddedLog(directLog(log)),
  models: directModels(store),
  projections,
  clock: { now: () => new Date() },
  onCommit: (projection, checkpoint, collections) =>
    thread.notify('commit', { projection, checkpoint, collections } satisfies CommitNotice),
  onPoison: (poisoned) => thread.notify('poison', poisoned),
});

async function run(): Promise<void> {
  let prepared = false;
  while (!stopping.signal.aborted) {
    let waitMs = idleMs;
    try {
      if (!prepared) {
        await runner.prepare();
        prepared = true;
      }
      const moved = await runner.step();
      const swept = !moved && store.sweep(sweepChunks);
      if (moved || swept) waitMs = 0;
    } catch (error) {
      thread.notify('trouble', error instanceof Failure ? error.detail : String(error));
      waitMs = retryMs;
    }
    // Without a pause messages would never be read; a timer that is aborted is the end.
    await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

const thread = serveThread(parentPort!, {
  checkpoints: () => runner.checkpoints(),
  rebuild: async (names: readonly string[]) => {
    for (const name of names) store.startBuild(name);
    await runner.prepare();
  },
  close: async () => {
    stopping.abort();
    await running;
    log.close();
    store.close();
  },
});
const running = run();
