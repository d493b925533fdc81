/**
 * The thread that runs the projections: it reads the history over a connection of its own, is the only writer of this
 * process to the read models, and tells the main thread how far it has got. Other processes over the same stores may
 * do the same; who commits first wins, nothing is written twice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { ProjectionRunner } from '../../projections/runner.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { openLog, readOnlyFile } from './open-log.ts';
import { openWriteSide, type WriteSide } from './open-read-models.ts';
import { serveThread } from './rpc.ts';

export interface CommitNotice {
  projection: string;
  /** null: the projection begins anew, its store was emptied. */
  checkpoint: Position | null;
  collections: readonly string[];
}

/** How long a projector that has caught up waits before it looks again; longer where the log tells what is new. */
const idleMs = 20;
const followedMs = 1_000;
/** After an error that may pass (a full disk, a lock, a server away), the next try. */
const retryMs = 1_000;
/** How often read models that can vanish are looked after. */
const checkMs = 1_000;
const sweepChunks = 200;

const adapters = workerData as AdapterConfig;
/** A server tells what is new, so that it need not be asked often. */
const logTells = 'url' in adapters.log;

serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const prepared = Promise.withResolvers<void>();
  prepared.promise.catch(() => {});
  /** Who waits until no build stands beside a live one any more. */
  const rebuilding: PromiseWithResolvers<void>[] = [];
  let opened: { log: EventLog; models: WriteSide; runner: ProjectionRunner } | null = null;
  let troubled = '';
  /** Ends the pause that is under way, or else the next one before it begins: what it tells of may have come too late. */
  const wake = () => woken.abort();
  let woken = new AbortController();

  /** Once until it is another, or all was well in between. */
  function tellTrouble(error: unknown): void {
    const sentence = error instanceof Failure ? error.detail : String(error);
    if (sentence !== troubled) notify('trouble', sentence);
    troubled = sentence;
  }

  // Without a pause messages would never be read; a pause that is aborted is the end.
  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
    woken = new AbortController();
  }

  async function open() {
    const log = await openLog(adapters.log, readOnlyFile);
    const models = await openWriteSide(adapters.readModels);
    const runner = new ProjectionRunner({
      log,
      models,
      projections,
      clock: { now: () => new Date() },
      onCommit: (projection, checkpoint, collections) =>
        notify('commit', { projection, checkpoint, collections } satisfies CommitNotice),
      onPoison: (poisoned) => notify('poison', poisoned),
    });
    opened = { log, models, runner };
    return opened;
  }

  /** Wakes the projector whenever the log tells of something new. */
  async function follow(log: EventLog): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const _ of log.subscribe(await log.head(), signal)) wake();
      } catch {
        // The projector itself meets the same trouble and tells of it.
        await delay(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function run(): Promise<void> {
    const { log, models, runner } = await open();
    if (logTells) void follow(log);
    let checked = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      let waitMs = logTells ? followedMs : idleMs;
      try {
        const first = checked === Number.NEGATIVE_INFINITY;
        if (first || (models.volatile && performance.now() - checked > checkMs)) {
          await runner.prepare();
          prepared.resolve();
          checked = performance.now();
        }
        const moved = await runner.step();
        if (!runner.building) for (const { resolve } of rebuilding.splice(0)) resolve();
        if (moved || (await models.sweep(sweepChunks))) waitMs = 0;
        troubled = '';
      } catch (error) {
        if (checked === Number.NEGATIVE_INFINITY && !(error instanceof Failure && error.retryable))
          throw error;
        tellTrouble(error);
        waitMs = retryMs;
      }
      await pause(waitMs);
    }
  }

  const running = run();
  running.catch((error) => {
    prepared.reject(error);
    for (const { reject } of rebuilding.splice(0)) reject(error);
  });
  return {
    /** Resolves once every projection has a build. */
    ready: () => prepared.promise,
    /** Resolves when the new builds serve. */
    rebuild: async (names: readonly string[]) => {
      await prepared.promise;
      const { models, runner } = opened!;
      for (const name of names) await models.startBuild(name);
      await runner.prepare();
      const rebuilt = Promise.withResolvers<void>();
      rebuilding.push(rebuilt);
      wake();
      await rebuilt.promise;
    },
    close: async () => {
      stopping.abort();
      await running.catch(() => {});
      await opened?.log.close();
      await opened?.models.close();
    },
  };
});
