import type { Time } from '../../connectors/rate-limits.ts';

/** Virtual time that advances only through delays: each delay ends immediately, and is recorded. */
export class WaitedTime implements Time {
  /** The length of each delay in ms, in order. */
  readonly waits: number[] = [];
  #ms = 0;

  now = (): number => this.#ms;

  sleep = async (ms: number): Promise<void> => {
    if (ms <= 0) return;
    this.waits.push(ms);
    this.#ms += ms;
  };
}
