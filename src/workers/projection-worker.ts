/**
 * The thread that runs the projections. It reads the history over its own connection, is the only writer to the read
 * models in this process, and reports its progress to the main thread.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { Failure, traceOf } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { chunkProjection } from '../read-models/collections.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { openReadLog } from './open-log.ts';
import { openWriteSide, type WriteSide } from './open-read-models.ts';
import { Projector, type ProjectorOptions } from './projector.ts';
import { serveThread } from './rpc.ts';

export interface CommitNotice {
  projection: string;
  /** If null, the store was emptied, so the projection starts over. */
  checkpoint: Position | null;
  collections: readonly string[];
}

/** Pause of a projector that has caught up, in ms. It is longer if the log sends notifications of new events. */
const idleMs = 20;
const notifiedMs = 1_000;
const retryMs = 1_000;
/**
 * A batch of a lagging projection ends with the event that reaches this number of chunks, because other projections
 * wait for it.
 */
const lateChunksMax = 32;

const adapters = workerData as AdapterConfig;
/** A server sends notifications of new events and does not have to be polled often. */
const logNotifies = 'url' in adapters.log;

serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;

  function reports(): Omit<ProjectorOptions, 'log' | 'store' | 'projections'> {
    let troubled = '';
    return {
      idleMs: logNotifies ? notifiedMs : idleMs,
      onCommit: (projection, checkpoint, collections) =>
        notify('commit', { projection, checkpoint, collections } satisfies CommitNotice),
      onPoison: (poisoned) => notify('poison', poisoned),
      onForgotten: () => notify('forgotten', null),
      // Reported once, until the error changes or a step succeeds.
      onTrouble: (error) => {
        const sentence = error instanceof Failure ? error.detail : traceOf(error);
        if (sentence !== troubled) notify('trouble', sentence);
        troubled = sentence;
      },
      onSuccess: () => {
        troubled = '';
      },
    };
  }

  function projectorsOver(log: EventLog, { own, shared }: WriteSide) {
    const inOwn = projections.filter(({ name }) => shared === null || name !== chunkProjection);
    const ordinary = new Projector({
      ...reports(),
      log,
      store: own,
      sweeps: true,
      projections: inOwn.filter(({ late }) => !late),
    });
    const late = new Projector({
      ...reports(),
      log,
      store: own,
      chunksMax: lateChunksMax,
      giveWay: () => ordinary.behind,
      projections: inOwn.filter((one) => one.late),
    });
    if (shared === null) return [ordinary, late];
    const { store, leases, lease } = shared;
    const index = new Projector({
      ...reports(),
      log,
      store,
      lease: () => leases.take(lease),
      volatile: true,
      sweeps: true,
      found: () => store.found(),
      projections: projections.filter(({ name }) => name === chunkProjection),
    });
    return [ordinary, late, index];
  }

  async function open() {
    const log = await openReadLog(adapters);
    const models = await openWriteSide(adapters.readModels);
    return { log, models, projectors: projectorsOver(log, models) };
  }
  const opening = open();
  const runs = opening.then(({ log, projectors }) => {
    if (logNotifies) void wakeAtEvents(log, projectors);
    return projectors.map((projector) => projector.run(signal));
  });
  const running = runs.then((all) => Promise.all(all));
  running.catch(() => {});

  async function wakeAtEvents(log: EventLog, projectors: readonly Projector[]): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const _ of log.subscribe(await log.head(), signal))
          for (const projector of projectors) projector.wake();
      } catch {
        // The projectors see the same failure and report it.
        await delay(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  return {
    /** Resolves once every projection has a build. */
    ready: async () => {
      const { projectors } = await opening;
      await Promise.race([Promise.all(projectors.map(({ prepared }) => prepared)), running]);
    },
    /** See Stores.poisoned. */
    poisoned: async () => {
      const { models } = await opening;
      return [...(await models.own.poisoned()), ...((await models.shared?.store.poisoned()) ?? [])];
    },
    /** Resolves when new builds of all projections are live. */
    rebuild: async () => {
      const { projectors } = await opening;
      await Promise.all(projectors.map((projector) => projector.rebuild()));
    },
    /**
     * Resolves when the read models contain no data of the subjects who were forgotten up to a position of the history.
     */
    renewed: async (position: Position) => {
      const { projectors } = await opening;
      await Promise.all(projectors.slice(0, 2).map((projector) => projector.renewed(position)));
    },
    /** Ends waiting calls, so that the thread can be closed. */
    stop: () => stopping.abort(),
    close: async () => {
      stopping.abort();
      await runs.then((all) => Promise.allSettled(all)).catch(() => {});
      const { log, models } = await opening;
      await models.shared?.leases.release(models.shared.lease);
      await log.close();
      await Promise.all([models.own.close(), models.shared?.store.close(), models.shared?.leases.close()]);
    },
  };
});
