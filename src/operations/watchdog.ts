/**
 * Ends a process whose main loop has stopped: nothing in it can, since everything waits for the loop. A thread counts
 * the loop's beats; where none comes for a while it says so on stderr and kills the process, so that its supervisor
 * starts another.
 */
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

export interface WatchdogOptions {
  /** How often the loop beats and the thread looks, in ms; default 1,000. */
  beatMs?: number;
  /** Looks in a row without a beat after which the process is ended; default 30. */
  missedMax?: number;
}

export interface WatchdogData extends Required<WatchdogOptions> {
  beats: SharedArrayBuffer;
}

/** Starts watching, for as long as the process lives; not under a debugger, which stops the loop at will. */
export function startWatchdog({ beatMs = 1_000, missedMax = 30 }: WatchdogOptions = {}): void {
  if (inspector.url() !== undefined) return;
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), beatMs).unref();
  const data: WatchdogData = { beats, beatMs, missedMax };
  const thread = new Worker(new URL('./watchdog-worker.ts', import.meta.url), {
    workerData: data,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  });
  // Without it the process is as it would be without a watchdog.
  thread.on('error', () => {});
  thread.unref();
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
