/**
 * Loaded into a serving process (`--import`): reports to its parent the longest time the main loop was blocked since
 * the last report, and the memory of each thread. Processor time is the time the thread itself used between two checks,
 * regardless of other load; wall time is what a client would have waited.
 *
 * Plain JavaScript, because it is loaded before the cache of stripped types: TypeScript would load the compiler into
 * each thread, which takes 10 MB per thread.
 */
import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const lookMs = 1;
/** Time limit for a report; a busy thread reports its memory only when it is done. */
const waitMs = 2_000;

if (isMainThread && process.send) {
  /** @type {Set<import('node:worker_threads').Worker>} */
  const workers = new Set();
  process.on('worker', (worker) => {
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
  });
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

  const mb = (bytes) => bytes / 2 ** 20;
  /** @param {import('node:v8').HeapInfo} heap */
  const held = (thread, heap) => ({
    thread,
    usedMb: mb(heap.used_heap_size),
    heapMb: mb(heap.total_heap_size),
    externalMb: mb(heap.external_memory),
  });
  const threads = async () => [
    held('main', getHeapStatistics()),
    ...(
      await Promise.all(
        [...workers].map(async (worker) => {
          const late = new Promise((resolve) => setTimeout(resolve, waitMs, null).unref());
          const heap = await Promise.race([worker.getHeapStatistics().catch(() => null), late]);
          return heap === null ? [] : [held(worker.threadName ?? 'a thread', heap)];
        }),
      )
    ).flat(),
  ];

  process.on('message', async (asked) => {
    if (asked === 'loop') {
      process.send({ heldCpuMs: cpu, heldWallMs: wall });
      [cpu, wall] = [0, 0];
    } else if (asked === 'memory') {
      const status = readFileSync('/proc/self/status', 'utf8');
      const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
      process.send({ rssMb: of('VmRSS'), anonymousMb: of('RssAnon'), threads: await threads() });
    }
  });
  process.channel?.unref();
}
