/**
 * Process and thread that parse files for src/ingest/parse-pool.ts. The process is there to be lost: some ways to
 * run out of memory end a whole process, not just the thread. Its main thread does nothing but watch; a thread of
 * it parses one file at a time.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { ParseReply } from './parse-messages.ts';
import { type PrepareInput, prepareFile } from './prepare.ts';

/** What the process takes for itself, beside what a file may take. */
const ownMb = 128;
const lookEveryMs = 100;

if (isMainThread) watch(Number(process.argv[2]));
else work();

function watch(memoryMb: number): void {
  const worker = new Worker(new URL(import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const send = (answer: ParseReply) => process.send?.(answer);
  const tooMuch = `needs more than ${memoryMb} MB of memory`;
  let look: NodeJS.Timeout | undefined;
  process.on('message', (input: PrepareInput) => {
    worker.postMessage(input);
    // Buffers are outside the heap, so that its limit does not count them.
    look = setInterval(() => {
      if (process.memoryUsage.rss() > (memoryMb + ownMb) * 1024 * 1024)
        send({ refused: tooMuch, ended: true });
    }, lookEveryMs);
  });
  process.on('disconnect', () => process.exit());
  worker.on('message', (answer: ParseReply) => {
    clearInterval(look);
    send(answer);
  });
  worker.on('error', (error) => {
    const outOfMemory =
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    send({ refused: outOfMemory ? tooMuch : 'broken: the reader failed on it', ended: true });
  });
}

function work(): void {
  parentPort?.on('message', (input: PrepareInput) => {
    prepareFile(input).then(
      (prepared) => parentPort?.postMessage({ prepared } satisfies ParseReply),
      (error: Error) => parentPort?.postMessage({ refused: error.message } satisfies ParseReply),
    );
  });
}
