/**
 * A process that parse-pool.ts starts to parse files. It is there to be lost: some ways to run out of memory end a whole
 * process, not just the thread. It does nothing but watch its thread (parse-worker.ts), and loads nothing that parsing needs.
 * The time that counts is the processor's: on a busy machine a file is no worse than on a quiet one.
 */
import { Worker } from 'node:worker_threads';
import { type ParseReply, type ParseRequest, tookTooLong } from './parse-messages.ts';

/**
 * Of the memory the process may take: the rest is for itself, for buffers, and for what is made and dropped. A heap is
 * collected when it comes near its limit, not before.
 */
const heapShare = 0.7;
const lookEveryMs = 100;
/** What parsing makes and drops; with less a good part of the time goes to collecting it. */
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
    // Buffers are outside the heap, so that its limit does not count them.
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
  send({ refused: outOfMemory ? tooMuch : 'broken: the reader failed on it', lost: true });
});
