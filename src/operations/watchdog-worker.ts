/** The watchdog's thread, which is independent of the main thread, even for writing to stderr. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Missed, type WatchdogData } from './beats.ts';

const { beats, beatMs, missedMax } = workerData as WatchdogData;
const counter = new Int32Array(beats);
const pause = new Int32Array(new SharedArrayBuffer(4));
const missed = new Missed(missedMax);

do Atomics.wait(pause, 0, 0, beatMs);
while (!missed.look(Atomics.load(counter, 0)));
try {
  writeSync(
    2,
    `The main loop has not responded for ${(beatMs * missedMax) / 1000} s: killing the process so that it is restarted.\n`,
  );
} finally {
  process.kill(process.pid, 'SIGKILL');
}
