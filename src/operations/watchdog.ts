/**
 * Ends a process whose main loop has stopped: nothing in it can, since everything waits for the loop. A thread counts
 * the loop's beats; where none comes for a while it says so on stderr and kills the process, so that its supervisor
 * starts another.
 */
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { WatchdogData } from './beats.ts';

export interface WatchdogOptions {
  /** How often the loop beats and the thread looks, in ms; default 1,000. */
  beatMs?: number;
  /** Looks in a row without a beat after which the process is ended; default 30. */
  missedMax?: number;
}

/** Starts watching, for as long as the process lives; not under a debugger, which stops the loop at will. */
export function startWatchdog({ beatMs = 1_000, missedMax = 30 }: WatchdogOptions = {}): void {
  if (inspector.url() !== undefined) return;
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), beatMs).unref();
  const data: WatchdogData = { beats, beatMs, missedMax };
  const thread = new Worker(new URL('./watchdog-worker.ts', import.meta.url), {
    name: 'watchdog',
    workerData: data,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  });
  // Without it the process is as it would be without a watchdog.
  thread.on('error', () => {});
  thread.unref();
}
