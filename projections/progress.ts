/**
 * Tracks the progress of the projections in this process, for read-your-writes consistency, caches over read models,
 * and readiness.
 */
import { Failure } from '../src/failures.ts';
import type { Position } from '../src/ports/event-log.ts';

interface Waiter {
  projection: string;
  position: Position;
  resolve: () => void;
}

export class ProjectionProgress {
  readonly #checkpoints = new Map<string, Position>();
  /** The furthest position that each projection has reached. */
  readonly #furthest = new Map<string, Position>();
  readonly #changes = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  /** Callbacks for the next change of a collection. */
  readonly #watchers = new Map<string, Set<() => void>>();

  /**
   * Records that a projection has committed up to a checkpoint (null: it starts over) and changed these collections.
   */
  committed(projection: string, checkpoint: Position | null, collections: readonly string[]): void {
    if (checkpoint === null) this.#checkpoints.delete(projection);
    else {
      this.#checkpoints.set(projection, checkpoint);
      if (checkpoint > (this.#furthest.get(projection) ?? '')) this.#furthest.set(projection, checkpoint);
    }
    for (const collection of collections) {
      this.#changes.set(collection, this.changes(collection) + 1);
      for (const resolve of this.#watchers.get(collection) ?? []) resolve();
    }
    for (const waiter of this.#waiters) {
      if (waiter.projection === projection && (checkpoint ?? '') >= waiter.position) waiter.resolve();
    }
  }

  checkpoint(projection: string): Position | null {
    return this.#checkpoints.get(projection) ?? null;
  }

  /**
   * True while the projection is behind a position that it had already reached, because its read models were lost and
   * are being rebuilt.
   */
  isBehindItself(projection: string): boolean {
    return (this.checkpoint(projection) ?? '') < (this.#furthest.get(projection) ?? '');
  }

  /** A counter that increases with every commit that changed the collection. It is used to validate derived data. */
  changes(collection: string): number {
    return this.#changes.get(collection) ?? 0;
  }

  /** Resolves once the collection has changed since a stamp returned by `changes`, or the signal aborts. */
  async changed(collection: string, since: number, signal: AbortSignal): Promise<void> {
    if (this.changes(collection) > since || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const watchers = this.#watchers.get(collection) ?? new Set();
    this.#watchers.set(collection, watchers.add(resolve));
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    watchers.delete(resolve);
  }

  hasReached(projection: string, position: Position | null): boolean {
    return position === null || (this.checkpoint(projection) ?? '') >= position;
  }

  /**
   * Resolves when the projection has reached the position. Fails with `timeout` if that takes longer than `timeoutMs`.
   */
  async waitFor(projection: string, position: Position | null, timeoutMs = 10_000): Promise<void> {
    if (this.hasReached(projection, position)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { projection, position: position!, resolve };
    this.#waiters.add(waiter);
    const timer = setTimeout(
      () =>
        reject(
          new Failure('timeout', `The read model ${projection} has not caught up within ${timeoutMs} ms.`, {
            retryAfterS: 1,
          }),
        ),
      timeoutMs,
    );
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }
}
