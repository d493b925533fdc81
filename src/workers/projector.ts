/**
 * Keeps the projections of a store up to date: the loop around a ProjectionRunner. If several processes share the
 * store, one of them writes it under a lease and the others follow its progress.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { holdsWords, type Projection, ProjectionRunner } from '../../projections/runner.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { renewMs } from '../ports/leases.ts';
import type { Build, PoisonedEvent } from '../ports/read-models.ts';
import type { WrittenStore } from '../read-models/read-models.ts';

export interface ProjectorOptions {
  log: Pick<EventLog, 'readAll' | 'head'>;
  store: WrittenStore;
  projections: readonly Projection[];
  /** Takes or renews the lease to write the store. If absent, every process may write, and the first one wins. */
  lease?: () => Promise<boolean>;
  /**
   * The builds as seen by a process that does not write. It creates none and checks no index. Default: the store's
   * builds.
   */
  found?: () => Promise<Build[]>;
  /** Whether the store may disappear at any time and must be checked. Default: false. */
  volatile?: boolean;
  /** Whether to delete data that is no longer visible when idle. Default: false. */
  sweeps?: boolean;
  /** Pause between two reads of the log in ms; `wake` shortens it. */
  idleMs: number;
  /** See RunnerOptions. */
  chunksMax?: number;
  /**
   * Whether other projections have more to read, in which case this one pauses nine times as long as it worked.
   * Default: never.
   */
  giveWay?: () => boolean;
  onCommit: (projection: string, position: Position | null, collections: readonly string[]) => void;
  onPoison: (poisoned: PoisonedEvent) => void;
  onForgotten: () => void;
  /** Called with a failure that will be retried. */
  onTrouble: (error: unknown) => void;
  /** Called after a successful step. */
  onSuccess: () => void;
}

/** Pause after a temporary error (a full disk, a lock, an unreachable server). */
const retryMs = 1_000;
/** How often a volatile store is checked. */
const checkMs = 1_000;
/** How often a process that does not write checks the writer's progress. */
const followMs = 100;
/** How often a pending rebuild is checked. */
const pollMs = 25;
const sweepChunks = 200;
const restFactor = 9;

const stopped = () => new Failure('cancelled', 'The projections were stopped.');

export class Projector {
  readonly #options: ProjectorOptions;
  readonly #prepared = Promise.withResolvers<void>();
  #runner: ProjectionRunner | null = null;
  #ready = false;
  /** When the builds were last checked. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #holds = false;
  #heldAt = Number.NEGATIVE_INFINITY;
  /** The last reported progress of builds that another process writes. */
  readonly #followed = new Map<string, string>();
  #behind = false;
  #signal: AbortSignal | null = null;
  #woken = new AbortController();

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#prepared.promise.catch(() => {});
  }

  /** Resolves once every projection has a build. Rejects with the error of `run`. */
  get prepared(): Promise<void> {
    return this.#prepared.promise;
  }

  /** Whether the last step advanced, so that there may be more to read. */
  get behind(): boolean {
    return this.#behind;
  }

  /** Ends the current pause, or skips the next one, because the current step may have missed the change. */
  wake(): void {
    this.#woken.abort();
  }

  /** Runs until the signal aborts. Rejects if it fails before the first builds exist and a retry would not help. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#prepared.reject(stopped()), { once: true });
    while (!signal.aborted) {
      let waitMs = retryMs;
      try {
        waitMs = await this.#turn();
        if (!this.#ready) this.#prepared.resolve();
        this.#ready = true;
        this.#options.onSuccess();
      } catch (error) {
        if (!this.#ready && !(error instanceof Failure && error.retryable)) {
          this.#prepared.reject(error);
          throw error;
        }
        this.#options.onTrouble(error);
      }
      // Without a pause, messages would never be received.
      await delay(waitMs, undefined, { signal: AbortSignal.any([signal, this.#woken.signal]) }).catch(
        () => {},
      );
      this.#woken = new AbortController();
    }
    // Events whose commit failed are read again.
    if (!this.#options.volatile) await this.#runner?.park().catch(() => {});
  }

  /** Performs a step and resolves to the pause before the next one in ms. */
  async #turn(): Promise<number> {
    const { store, volatile = false, sweeps = false, giveWay, idleMs } = this.#options;
    const began = performance.now();
    if (!(await this.#mayWrite(began))) return this.#follow();
    const runner = this.#runner ?? this.#newRunner();
    if (this.#runner === null || began - this.#checkedAt > (volatile ? checkMs : Number.MAX_VALUE)) {
      await runner.prepare();
      this.#runner = runner;
      this.#checkedAt = began;
    }
    this.#behind = await runner.step();
    if (this.#behind) return giveWay?.() ? restFactor * (performance.now() - began) : 0;
    return sweeps && (await store.sweep(sweepChunks)) ? 0 : idleMs;
  }

  async #mayWrite(now: number): Promise<boolean> {
    const { lease } = this.#options;
    if (lease === undefined) return true;
    if (now - this.#heldAt > renewMs) {
      this.#holds = await lease();
      this.#heldAt = now;
    }
    return this.#holds;
  }

  #newRunner(): ProjectionRunner {
    const { log, store, projections, chunksMax, onCommit, onPoison, onForgotten } = this.#options;
    return new ProjectionRunner({
      log,
      store,
      projections,
      onCommit,
      onPoison,
      onForgotten,
      clock: { now: () => new Date() },
      renews: true,
      ...(chunksMax !== undefined && { chunksMax }),
    });
  }

  /** Reports the progress of the process that writes. */
  async #follow(): Promise<number> {
    const { store, projections, onCommit, found = () => store.builds() } = this.#options;
    this.#runner = null;
    this.#behind = false;
    for (const { name, live, build, checkpoint, unchangedUntil } of await found()) {
      const projection = projections.find((one) => one.name === name);
      if (!live || projection === undefined) continue;
      const position = unchangedUntil ?? checkpoint;
      const now = `${build} ${position}`;
      if (this.#followed.get(name) === now) continue;
      this.#followed.set(name, now);
      onCommit(
        name,
        position,
        projection.collections.map((one) => one.name),
      );
    }
    return followMs;
  }

  /** Resolves when new builds are live. Builds in progress are replaced too. */
  async rebuild(): Promise<void> {
    await this.prepared;
    const { store, projections } = this.#options;
    const names = projections.map(({ name }) => name);
    const isUnderWay = ({ name, live }: Build) => !live && names.includes(name);
    const before = (await store.builds()).some(isUnderWay);
    for (let round = before ? 2 : 1; round > 0; round--) {
      for (const name of names) await store.startBuild(name);
      this.#checkedAt = Number.NEGATIVE_INFINITY;
      this.wake();
      while ((await store.builds()).some(isUnderWay)) await this.#poll();
    }
  }

  /** Resolves when the builds contain no data of the subjects who were forgotten up to a position of the history. */
  async renewed(position: Position): Promise<void> {
    await this.prepared;
    this.wake();
    while (!(await this.#isRenewed(position))) await this.#poll();
  }

  /** Fails with `cancelled` if the projector was stopped. */
  async #poll(): Promise<void> {
    if (this.#signal?.aborted) throw stopped();
    await delay(pollMs);
  }

  async #isRenewed(position: Position): Promise<boolean> {
    const runner = this.#runner;
    if (runner === null) return false;
    const builds = await this.#options.store.builds();
    return this.#options.projections.filter(holdsWords).every(({ name }) => {
      const [live, ...others] = builds.filter((build) => build.name === name);
      if (live === undefined || others.length > 0 || runner.owes(name)) return false;
      return (runner.position(name) ?? '') >= position || (live.checkpoint ?? '') >= position;
    });
  }
}
