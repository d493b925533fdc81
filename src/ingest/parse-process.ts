/**
 * Started by parse-pool.ts to parse files. It is a separate process because running out of memory may end the whole
 * process, not just a thread. It only watches its thread (parse-worker.ts) and loads no parser. The limit is on
 * processor time, so machine load does not affect it.
 */
import { Worker } from 'node:worker_threads';
import { type ParseReply, type ParseRequest, tookTooLong } from './parse-messages.ts';

/**
 * Share of the process's memory used for the heap. The rest is for the process itself, buffers and short-lived objects.
 * A heap is not collected until it is close to its limit.
 */
const heapShare = 0.7;
const lookEveryMs = 100;
/** Size of the young generation in MB. With a smaller size, garbage collection takes too long. */
const youngMb = 32;
const [memoryMb, timeoutMs] = process.argv.slice(2).map(Number) as [number, number];
const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
  resourceLimits: {
    maxOldGenerationSizeMb: Math.floor(memoryMb * heapShare),
    maxYoungGenerationSizeMb: youngMb,
  },
});
const send = (answer: ParseReply) => process.send?.(answer);
const tooMuch = `needs more than ${memoryMb} MB of memory`;
let look: NodeJS.Timeout | undefined;
process.on('message', (request: ParseRequest) => {
  worker.postMessage(request);
  const before = process.cpuUsage();
  look = setInterval(() => {
    // Buffers are outside the heap and its limit.
    if (process.memoryUsage.rss() > memoryMb * 1024 * 1024) send({ refused: tooMuch, lost: true });
    const { user, system } = process.cpuUsage(before);
    if (user + system > timeoutMs * 1000) send({ refused: tookTooLong(timeoutMs), lost: true });
  }, lookEveryMs);
});
process.on('disconnect', () => process.exit());
worker.on('message', (answer: ParseReply) => {
  clearInterval(look);
  send(answer);
});
worker.on('error', (error) => {
  const outOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  send({ refused: outOfMemory ? tooMuch : 'broken: the parser failed on it', lost: true });
});
