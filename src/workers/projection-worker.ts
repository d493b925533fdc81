/**
 * The thread that runs the projections: it reads the history over a connection of its own, is the only writer of this
 * process to the read models, and tells the main thread how far it has got. Of several processes over a shared store one
 * runs a projection and the others follow it (leased-projections.ts); over files each does, who commits first wins, and
 * nothing is written twice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { BuildInspector } from '../../projections/inspector.ts';
import { holdsWords, ProjectionRunner } from '../../projections/runner.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { Build } from '../ports/read-models.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { LeasedProjections } from './leased-projections.ts';
import { openReadLog } from './open-log.ts';
import { openWriteSide, type WriteSide } from './open-read-models.ts';
import { serveThread } from './rpc.ts';

export interface CommitNotice {
  projection: string;
  /** null: the projection starts over, its store was emptied. */
  checkpoint: Position | null;
  collections: readonly string[];
}

/** Something does not hold within the serving build of a projection; null: it does again. */
export interface FaultNotice {
  projection: string;
  fault: string | null;
}

/** How long a projector that has caught up waits before it looks again; longer where the log notifies. */
const idleMs = 20;
const notifiedMs = 1_000;
/** After an error that may pass (a full disk, a lock, a server away), the next try. */
const retryMs = 1_000;
/** How often read models that can vanish are looked after. */
const checkMs = 1_000;
/** While builds are looked through, so often. */
const inspectMs = 100;
const sweepChunks = 200;

const adapters = workerData as AdapterConfig;
/** A server notifies of new events, so that it need not be polled often. */
const logNotifies = 'url' in adapters.log;

/** What is rebuilt without the words of those who were forgotten. */
const renewed = projections.filter(holdsWords).map(({ name }) => name);

serveThread(parentPort!, (notify) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const prepared = Promise.withResolvers<void>();
  prepared.promise.catch(() => {});
  /** Who waits until no build stands beside a live one any more; `asked`: since the builds were last read. */
  const rebuilding: PromiseWithResolvers<void>[] = [];
  const asked: PromiseWithResolvers<void>[] = [];
  /** Who waits until the read models hold nothing of whoever was forgotten up to a position. */
  let renewing: { position: Position; done: PromiseWithResolvers<void> }[] = [];
  let opened: { log: EventLog; models: WriteSide; leased: LeasedProjections | null } | null = null;
  /** When the builds were last read: they are at once after what changes which there are, or who runs them. */
  let checked = Number.NEGATIVE_INFINITY;
  let ready = false;
  let troubled = '';
  /** What does not hold within serving builds, by projection. */
  const faults = new Map<string, string>();
  /** Ends the pause that is under way, or else the next one before it begins: its cause may have come too late for it. */
  const wake = () => woken.abort();
  let woken = new AbortController();

  /** Reports an error once, until another comes or all was well in between. */
  function reportTrouble(error: unknown): void {
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
    const log = await openReadLog(adapters);
    const models = await openWriteSide(adapters.readModels);
    opened = { log, models, leased: null };
    return opened;
  }

  const onCommit = (projection: string, checkpoint: Position | null, collections: readonly string[]) => {
    notify('commit', { projection, checkpoint, collections } satisfies CommitNotice);
  };

  function reportFaults(builds: readonly Build[]): void {
    for (const { name: projection, live, fault } of builds) {
      if (!live || faults.get(projection) === fault) continue;
      if (fault === undefined) faults.delete(projection);
      else faults.set(projection, fault);
      notify('fault of build', { projection, fault: fault ?? null } satisfies FaultNotice);
    }
  }

  function checkSoon(): void {
    checked = Number.NEGATIVE_INFINITY;
    wake();
  }

  /** Lets go of those who wait for renewals. `builds`: as they are now. */
  function endRenewals(runner: ProjectionRunner, builds: readonly Build[]): void {
    const own = new Map(runner.passed().map(({ projection, at }) => [projection, at]));
    const positions = renewed.map((name) => {
      const some = builds.filter((build) => build.name === name);
      const live = some.find((build) => build.live);
      if (live === undefined || some.length > 1 || runner.owes(name)) return '';
      return own.get(name) ?? live.passed ?? live.checkpoint ?? '';
    });
    const isDone = ({ position }: { position: Position }) =>
      positions.every((reached) => reached >= position);
    const waiting = renewing;
    renewing = waiting.filter((one) => !isDone(one));
    for (const one of waiting) if (isDone(one)) one.done.resolve();
  }

  /** Wakes the projector on each notification of the log, while this process runs projections. */
  let following: AbortController | null = null;
  function follow(log: EventLog, wanted: boolean): void {
    if (!wanted) {
      following?.abort();
      following = null;
    } else if (following === null) {
      following = new AbortController();
      void wakeAt(log, AbortSignal.any([signal, following.signal]));
    }
  }

  async function wakeAt(log: EventLog, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      try {
        for await (const _ of log.subscribe(await log.head(), until)) wake();
      } catch {
        // The projector meets the same trouble and reports it.
        await delay(retryMs, undefined, { signal: until }).catch(() => {});
      }
    }
  }

  async function run(): Promise<void> {
    const over = await open();
    const { log, models } = over;
    const { leases } = models;
    let runner: ProjectionRunner | null = null;
    const versions = new Map(projections.map(({ name, version }) => [name, version]));
    const inspector = new BuildInspector({
      models: {
        builds: () => models.builds(),
        faults: (build) => models.faults(build),
        startBuild: (name) => models.startBuild(name),
        markBroken: async (build, fault) => {
          checkSoon();
          return models.markBroken(build, fault);
        },
      },
      isOwn: ({ name, version }) =>
        versions.get(name) === version && (over.leased?.holds(name) ?? leases === undefined),
      now: () => performance.now(),
    });
    /** Builds that others run stand beside live ones. */
    let othersBuild = false;
    /** The projections that were run here when the builds were last read. */
    let ran = '';
    while (!signal.aborted) {
      let waitMs = logNotifies ? notifiedMs : idleMs;
      try {
        if (leases && over.leased === null)
          over.leased = await LeasedProjections.open({
            leases,
            projections,
            onCommit,
            onChange: checkSoon,
          });
        const { leased } = over;
        runner ??= new ProjectionRunner({
          log,
          models,
          projections,
          clock: { now: () => new Date() },
          ...(leased && { holds: leased.holds }),
          onCommit,
          onPoison: (poisoned) => notify('poison', poisoned),
          renews: true,
          onForgotten: () => notify('forgotten', null),
        });
        const now = performance.now();
        const lookAfter = models.volatile || faults.size > 0;
        if (now - checked > (lookAfter ? checkMs : Number.MAX_VALUE)) {
          const held = leased?.held;
          // Who runs none, and did not, only looks.
          const builds = held === '' && ran === '' ? await models.builds() : await runner.prepare();
          ran = held ?? 'all';
          if (logNotifies) follow(log, held !== '');
          rebuilding.push(...asked.splice(0));
          leased?.check(builds);
          reportFaults(builds);
          othersBuild = builds.some(({ name, live }) => !live && leased?.holds(name) === false);
          checked = now;
          ready = true;
          prepared.resolve();
        }
        const moved = await runner.step();
        if (renewing.length > 0 && !moved) endRenewals(runner, await models.builds());
        if (!runner.building && !othersBuild) for (const { resolve } of rebuilding.splice(0)) resolve();
        await leased?.report(runner.passed(), !moved);
        const runs = leased?.held !== '';
        if (runs) await inspector.turn();
        if (moved || (runs && (await models.sweep(sweepChunks)))) waitMs = 0;
        else if (!runs) waitMs = checkMs;
        else if (inspector.busy) waitMs = Math.min(waitMs, inspectMs);
        troubled = '';
      } catch (error) {
        if (!ready && !(error instanceof Failure && error.retryable)) throw error;
        reportTrouble(error);
        waitMs = retryMs;
      }
      await pause(waitMs);
    }
  }

  const running = run();
  running.catch((error) => {
    prepared.reject(error);
    const renewals = renewing.splice(0).map(({ done }) => done);
    for (const { reject } of [...asked.splice(0), ...rebuilding.splice(0), ...renewals]) reject(error);
  });
  return {
    /** Resolves once every projection has a build. */
    ready: () => prepared.promise,
    /** Resolves when the new builds serve: those that were under way before are followed by others. */
    rebuild: async (names: readonly string[]) => {
      await prepared.promise;
      const { models } = opened!;
      const isUnderWay = ({ name, live }: Build) => !live && names.includes(name);
      const before = (await models.builds()).some(isUnderWay);
      for (let round = before ? 2 : 1; round > 0; round--) {
        for (const name of names) await models.startBuild(name);
        const rebuilt = Promise.withResolvers<void>();
        asked.push(rebuilt);
        checkSoon();
        await rebuilt.promise;
      }
    },
    /** Resolves when the read models hold nothing of whoever was forgotten up to a position of the history. */
    renewed: async (position: Position) => {
      await prepared.promise;
      const done = Promise.withResolvers<void>();
      renewing.push({ position, done });
      wake();
      await done.promise;
    },
    close: async () => {
      stopping.abort();
      await running.catch(() => {});
      await opened?.leased?.close();
      await opened?.log.close();
      await opened?.models.close();
    },
  };
});
