/** Measures the durations of the stages of an ask, for its record and for operators. */
import type { Channel } from '../domain/events.ts';

/**
 * `record`: append the question; `understand`: interpret the question; `cache`: consult the FAQ cache and the answer
 * cache, or wait for an answer to the same question; `retrieve`: look up passages; `answer`: write and verify the
 * answer; `end`: append the ending.
 */
export type AskStage = 'record' | 'understand' | 'cache' | 'retrieve' | 'answer' | 'end';

/** Called after each ask with the duration, in milliseconds, of each stage. */
export type StageObserver = (
  of: { corpus_id: string; channel: Channel },
  stages: ReadonlyMap<AskStage, number>,
) => void;

/** The stopwatch of an ask. Time is assigned to at most one stage; waiting for the reader belongs to none. */
export class StageTimer {
  readonly ms = new Map<AskStage, number>();
  #stage: AskStage | null = null;
  #since = 0;

  /** Times work as a stage. Time of other stages that the work enters is counted separately. */
  async time<T>(stage: AskStage, work: () => T | Promise<T>): Promise<T> {
    const before = this.enter(stage);
    try {
      return await work();
    } finally {
      this.enter(before);
    }
  }

  /** Times the production of each item, excluding the time that the reader spends between items. */
  async *each<T>(stage: AskStage, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.time(stage, () => iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  /** Ends the current stage, enters another or none, and returns the previous stage. */
  enter(stage: AskStage | null): AskStage | null {
    const before = this.#stage;
    const now = performance.now();
    if (before !== null) this.ms.set(before, (this.ms.get(before) ?? 0) + now - this.#since);
    this.#stage = stage;
    this.#since = now;
    return before;
  }

  /** The durations so far, in milliseconds with one decimal: `<stage>_ms` for each stage, and `total_ms`. */
  timings(): Record<string, number> {
    this.enter(this.#stage);
    const tenth = (ms: number) => Math.round(ms * 10) / 10;
    const stages = [...this.ms].map(([stage, ms]): [string, number] => [`${stage}_ms`, tenth(ms)]);
    const total = [...this.ms.values()].reduce((sum, ms) => sum + ms, 0);
    return { ...Object.fromEntries(stages), total_ms: tenth(total) };
  }
}
