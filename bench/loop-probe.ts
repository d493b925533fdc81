/**
 * Loaded into a serving process (`--import`): tells its parent how long the main loop was held at the longest since it
 * was asked last. Processor time is what the thread itself used between two looks, whatever else the machine does; wall
 * time is what a client would have waited.
 */
import { isMainThread } from 'node:worker_threads';

export interface LoopReport {
  heldCpuMs: number;
  heldWallMs: number;
  rssMb: number;
}

const lookMs = 1;

if (isMainThread && process.send) {
  let [cpu, wall] = [0, 0];
  let lastCpu = process.threadCpuUsage();
  let lastWall = performance.now();
  setInterval(() => {
    const used = process.threadCpuUsage();
    const now = performance.now();
    cpu = Math.max(cpu, (used.user + used.system - lastCpu.user - lastCpu.system) / 1000);
    wall = Math.max(wall, now - lastWall);
    lastCpu = used;
    lastWall = now;
  }, lookMs).unref();
  process.on('message', (asked) => {
    if (asked !== 'loop') return;
    const rssMb = process.memoryUsage.rss() / 2 ** 20;
    process.send!({ heldCpuMs: cpu, heldWallMs: wall, rssMb } satisfies LoopReport);
    [cpu, wall] = [0, 0];
  });
  process.channel?.unref();
}
