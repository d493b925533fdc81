/**
 * Kills a process whose main loop has stopped. A separate thread counts the loop's beats. If none arrives for a while,
 * it reports that on stderr and kills the process, so that its supervisor restarts it.
 */
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { WatchdogData } from './beats.ts';

export interface WatchdogOptions {
  /** Interval of the loop's beats and the thread's checks, in ms. Default: 1,000. */
  beatMs?: number;
  /** Number of consecutive checks without a beat after which the process is killed. Default: 30. */
  missedMax?: number;
}

/** Starts watching for the lifetime of the process, except under a debugger, because it may stop the loop. */
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
  // If the thread fails, the process continues without a watchdog.
  thread.on('error', () => {});
  thread.unref();
}
