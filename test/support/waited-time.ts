import type { Time } from '../../connectors/pace.ts';

/** Time that passes only when it is waited for: each wait is over at once, and kept. */
export class WaitedTime implements Time {
  /** How long each was, in ms, in their order. */
  readonly waits: number[] = [];
  #ms = 0;

  now = (): number => this.#ms;

  sleep = async (ms: number): Promise<void> => {
    if (ms <= 0) return;
    this.waits.push(ms);
    this.#ms += ms;
  };
}
