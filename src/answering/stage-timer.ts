/** How long the stages of an ask take: for its record, and for those who operate the service. */
import type { Channel } from '../domain/events.ts';

/**
 * record: the question is appended; understand: language, intent, follow-up, plan; cache: the FAQ cache and the kept
 * answers are asked, or another's answer is waited for; retrieve: passages are looked up; answer: the answer is made
 * and verified; end: the ending is appended.
 */
export type AskStage = 'record' | 'understand' | 'cache' | 'retrieve' | 'answer' | 'end';

/** Called after each ask with the milliseconds of every stage it went through. */
export type StageObserver = (
  of: { corpus_id: string; channel: Channel },
  stages: ReadonlyMap<AskStage, number>,
) => void;

/** The stopwatch of one ask: a moment belongs to one stage, or to none while its reader is waited for. */
export class StageTimer {
  readonly ms = new Map<AskStage, number>();
  #stage: AskStage | null = null;
  #since = 0;

  /** Times a piece of work; a stage it enters itself is counted there. */
  async time<T>(stage: AskStage, work: () => T | Promise<T>): Promise<T> {
    const before = this.enter(stage);
    try {
      return await work();
    } finally {
      this.enter(before);
    }
  }

  /** Times the making of each item; what its reader does between two of them is not counted. */
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

  /** Ends the stage there is and begins another, or none; returns the one that ended. */
  enter(stage: AskStage | null): AskStage | null {
    const before = this.#stage;
    const now = performance.now();
    if (before !== null) this.ms.set(before, (this.ms.get(before) ?? 0) + now - this.#since);
    this.#stage = stage;
    this.#since = now;
    return before;
  }

  /** So far, to a tenth: `<stage>_ms` of each, and all together as `total_ms`. */
  timings(): Record<string, number> {
    this.enter(this.#stage);
    const tenth = (ms: number) => Math.round(ms * 10) / 10;
    const stages = [...this.ms].map(([stage, ms]): [string, number] => [`${stage}_ms`, tenth(ms)]);
    const total = [...this.ms.values()].reduce((sum, ms) => sum + ms, 0);
    return { ...Object.fromEntries(stages), total_ms: tenth(total) };
  }
}
