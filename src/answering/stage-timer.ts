/** Durations of the stages of an ask, for its record and for operators. */
import type { Channel } from '../domain/events.ts';

/**
 * record: append the question; understand: language, intent, follow-up, plan; cache: consult the FAQ cache and the
 * answer cache, or wait for an answer to the same question; retrieve: look up passages; answer: make and verify the
 * answer; end: append the ending.
 */
export type AskStage = 'record' | 'understand' | 'cache' | 'retrieve' | 'answer' | 'end';

/** Called after each ask with the milliseconds of every stage it used. */
export type StageObserver = (
  of: { corpus_id: string; channel: Channel },
  stages: ReadonlyMap<AskStage, number>,
) => void;

/** The stopwatch of one ask. Each moment belongs to one stage, or to none while waiting for the reader. */
export class StageTimer {
  readonly ms = new Map<AskStage, number>();
  #stage: AskStage | null = null;
  #since = 0;

  /** Times some work. A stage that the work enters itself is counted separately. */
  async time<T>(stage: AskStage, work: () => T | Promise<T>): Promise<T> {
    const before = this.enter(stage);
    try {
      return await work();
    } finally {
      this.enter(before);
    }
  }

  /** Times the production of each item, without the reader's work between items. */
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

  /** Ends the current stage and begins another, or none; returns the ended one. */
  enter(stage: AskStage | null): AskStage | null {
    const before = this.#stage;
    const now = performance.now();
    if (before !== null) this.ms.set(before, (this.ms.get(before) ?? 0) + now - this.#since);
    this.#stage = stage;
    this.#since = now;
    return before;
  }

  /** Durations so far, to a tenth: `<stage>_ms` for each, and `total_ms`. */
  timings(): Record<string, number> {
    this.enter(this.#stage);
    const tenth = (ms: number) => Math.round(ms * 10) / 10;
    const stages = [...this.ms].map(([stage, ms]): [string, number] => [`${stage}_ms`, tenth(ms)]);
    const total = [...this.ms.values()].reduce((sum, ms) => sum + ms, 0);
    return { ...Object.fromEntries(stages), total_ms: tenth(total) };
  }
}
