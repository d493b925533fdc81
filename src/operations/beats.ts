/** What the watchdog and its thread share: a count of the main loop's beats, and when too many were missed. */

export interface WatchdogData {
  /** See WatchdogOptions. */
  beatMs: number;
  missedMax: number;
  beats: SharedArrayBuffer;
}

/**
 * Counts looks that saw no new beat, and not time: a machine that slept, or gave the process no turn, stopped the
 * watching too.
 */
export class Missed {
  #seen = 0;
  #missed = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether so many looks in a row, this one included, have seen the same count of beats. */
  look(beats: number): boolean {
    this.#missed = beats === this.#seen ? this.#missed + 1 : 0;
    this.#seen = beats;
    return this.#missed >= this.#max;
  }
}
