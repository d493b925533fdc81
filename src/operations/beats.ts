/** Code shared by the watchdog and its thread: the counter of the main loop's beats, and the check for missed ones. */

export interface WatchdogData {
  /** See WatchdogOptions. */
  beatMs: number;
  missedMax: number;
  beats: SharedArrayBuffer;
}

/**
 * Counts checks without a new beat instead of measuring time, because a sleeping machine or a starved process also
 * stops the watchdog.
 */
export class Missed {
  #seen = 0;
  #missed = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether this many consecutive checks, including this one, have seen the same beat count. */
  look(beats: number): boolean {
    this.#missed = beats === this.#seen ? this.#missed + 1 : 0;
    this.#seen = beats;
    return this.#missed >= this.#max;
  }
}
