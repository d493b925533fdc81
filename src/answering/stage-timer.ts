/** How long the parts of an ask take: for the record, and for those who look after the service. */
import type { Channel } from '../domain/events.ts';

/**
 * record: the question is appended; read: language, intent, follow-up; cache: the FAQ cache and the answers kept are asked,
 * or another's answer is waited for; retrieve: passages are looked up; compose: the answer is put together and checked; end: the ending is appended.
 */
export type AskPhase = 'record' | 'read' | 'cache' | 'retrieve' | 'compose' | 'end';

/** Told of each ask once it has ended: the milliseconds of every phase it went through. */
export type PhaseObserver = (
  of: { corpus_id: string; channel: Channel },
  phases: ReadonlyMap<AskPhase, number>,
) => void;

/** The stopwatch of one ask: a moment belongs to one phase, or to none while nothing is done. */
export class Phases {
  readonly ms = new Map<AskPhase, number>();
  #phase: AskPhase | null = null;
  #since = 0;

  /** Ends the phase there is; `null` begins no other. */
  enter(phase: AskPhase | null): void {
    const now = performance.now();
    if (this.#phase !== null) this.ms.set(this.#phase, (this.ms.get(this.#phase) ?? 0) + now - this.#since);
    this.#phase = phase;
    this.#since = now;
  }

  /** So far, to a tenth: `<phase>_ms` of each, and all together as `total_ms`. */
  timings(): Record<string, number> {
    this.enter(this.#phase);
    const tenth = (ms: number) => Math.round(ms * 10) / 10;
    const phases = [...this.ms].map(([phase, ms]): [string, number] => [`${phase}_ms`, tenth(ms)]);
    const total = [...this.ms.values()].reduce((sum, ms) => sum + ms, 0);
    return { ...Object.fromEntries(phases), total_ms: tenth(total) };
  }
}
