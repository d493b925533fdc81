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
import { embedOffline, offlineModels } from '../models/offline.ts';
import type { Position } from '../ports.ts';
import { directLog, EmbeddedLog } from '../stores/embedded/log.ts';
import { LogStore } from '../stores/embedded/log-store.ts';
import { type ModelPaths, openEmbeddedModels } from '../stores/embedded/models.ts';
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

serveThread(parentPort!, (notify) => {
  const paths = workerData as ModelPaths & { log: string };
  const models = openEmbeddedModels(paths, projections, (embedder, text) =>
    embedder === offlineModels.embedder?.name ? embedOffline(text) : null,
  );
  const log = new LogStore(paths.log, { readOnly: true });
  const stopping = new AbortController();
  const prepared = Promise.withResolvers<void>();
  /** Resolved when no build stands beside a live one any more. */
  let rebuilt = Promise.withResolvers<void>();

  const runner = new ProjectionRunner({
    log: new EmbeddedLog(directLog(log)),
    models,
    projections,
    clock: { now: () => new Date() },
    onCommit: (projection, checkpoint, collections) =>
      notify('commit', { projection, checkpoint, collections } satisfies CommitNotice),
    onPoison: (poisoned) => notify('poison', poisoned),
  });

  async function run(): Promise<void> {
    await runner.prepare();
    prepared.resolve();
    while (!stopping.signal.aborted) {
      let waitMs = idleMs;
      try {
        const moved = await runner.step();
        if (!runner.building) rebuilt.resolve();
        if (moved || models.sweep(sweepChunks)) waitMs = 0;
      } catch (error) {
        notify('trouble', error instanceof Failure ? error.detail : String(error));
        waitMs = retryMs;
      }
      // Without a pause messages would never be read; a timer that is aborted is the end.
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  running.catch(prepared.reject);
  return {
    /** Resolves once every projection has a build. */
    ready: () => prepared.promise,
    /** Resolves when the new builds serve. */
    rebuild: async (names: readonly string[]) => {
      rebuilt = Promise.withResolvers<void>();
      for (const name of names) await models.startBuild(name);
      await runner.prepare();
      await rebuilt.promise;
    },
    close: async () => {
      stopping.abort();
      await running.catch(() => {});
      log.close();
      models.closeFiles();
    },
  };
});
