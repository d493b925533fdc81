/** A thread that compares the read models with the history once, and then ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { Failure } from '../failures.ts';
import { openEmbeddedContents, openEmbeddedModels } from '../stores/embedded/models.ts';
import { Replay } from '../verification/replay.ts';
import type { VerificationProgress } from '../verification/report.ts';
import { verifyProjections } from '../verification/verify-projections.ts';
import { type AdapterConfig, modelPaths } from './adapter-config.ts';
import { giveWay } from './give-way.ts';
import { openReadLog } from './open-log.ts';
import { computeVector } from './open-models.ts';
import { openContents } from './open-read-models.ts';
import { openPastFolder } from './past-folders.ts';
import { serveThread } from './rpc.ts';

const adapters = workerData as AdapterConfig;

giveWay();
serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const onProgress = (progress: VerificationProgress) => notify('progress', progress);

  async function verify() {
    const { path: folder, remove } = await openPastFolder(adapters.folder);
    const closing: (() => Promise<void>)[] = [remove];
    const opened = <T extends { close(): Promise<void> }>(one: T): T => {
      closing.push(() => one.close());
      return one;
    };
    try {
      const log = opened(await openReadLog(adapters));
      const live = opened(await openContents(adapters.readModels));
      const models = opened(openEmbeddedModels(modelPaths(folder), projections, computeVector));
      const contents = opened(openEmbeddedContents(modelPaths(folder)));
      const head = await log.head();
      const total = head === null ? 0 : log.distance(null, head);
      const onEvents = (done: number) => onProgress({ phase: 'replaying', projection: null, done, total });
      const replay = new Replay({ log, projections, models, contents, signal, onEvents });
      const { sizeOf } = contents;
      return await verifyProjections({ live, replay, projections, signal, onProgress, sizeOf });
    } catch (error) {
      throw signal.aborted ? new Failure('cancelled', 'The comparison was stopped.') : error;
    } finally {
      for (const close of closing.toReversed()) await close();
    }
  }

  return { verify, stop: () => stopping.abort(), close: () => {} };
});
