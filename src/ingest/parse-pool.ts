/**
 * Files are parsed in worker threads, so that a broken or hostile one costs at most its limits: time, heap, and
 * memory outside the heap (buffers are not counted by the heap's limit, so they are looked at while it works). A
 * worker that passes a limit or dies is replaced, and its file skipped with a reason.
 */
import { Worker } from 'node:worker_threads';
import { Failure } from '../failures.ts';
import { type Prepared, type PrepareInput, sentence } from './prepare.ts';

export interface ParsePool {
  /** Failure `invalid` with the reason when the file cannot be taken in; `cancelled` after close(). */
  prepare(input: PrepareInput): Promise<Prepared>;
  close(): Promise<void>;
}

export interface ParseLimits {
  /** Default 1. */
  workers?: number;
  /** Default 30,000, from the moment a worker takes the file. */
  timeoutMs?: number;
  /** Default 512. */
  memoryMb?: number;
}

/** How often memory outside the heap is looked at. */
const lookEveryMs = 200;

/** What the worker sends, and what is said for one that died. */
type Answer = { prepared: Prepared } | { refused: string };

interface Job {
  input: PrepareInput;
  resolve: (prepared: Prepared) => void;
  reject: (error: Error) => void;
}

/** Starts workers when the first files come. */
export function openParsePool({
  workers = 1,
  timeoutMs = 30_000,
  memoryMb = 512,
}: ParseLimits = {}): ParsePool {
  const queue: Job[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const running = new Set<Promise<void>>();
  let closed = false;

  const start = (): Worker => {
    const worker = new Worker(new URL('../threads/parse.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      stdout: true,
      stderr: true,
    });
    // What libraries print about a faulty file is said in its reason already.
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    all.add(worker);
    return worker;
  };

  const run = async (worker: Worker, { input, resolve, reject }: Job): Promise<void> => {
    worker.ref();
    const { answer, alive } = await limited(worker, input, timeoutMs, memoryMb);
    if (alive) {
      worker.unref();
      idle.push(worker);
    } else {
      all.delete(worker);
      await worker.terminate();
    }
    if ('prepared' in answer) resolve(answer.prepared);
    else reject(new Failure(closed ? 'cancelled' : 'invalid', sentence(answer.refused)));
  };

  const next = (): void => {
    while (queue.length > 0 && (idle.length > 0 || all.size < workers)) {
      const job = queue.shift()!;
      const done: Promise<void> = run(idle.pop() ?? start(), job).finally(() => {
        running.delete(done);
        next();
      });
      running.add(done);
    }
  };

  return {
    prepare(input) {
      return new Promise((resolve, reject) => {
        if (closed) {
          reject(new Failure('cancelled', 'Reading was stopped.'));
          return;
        }
        queue.push({ input, resolve, reject });
        next();
      });
    },
    async close() {
      closed = true;
      for (const job of queue.splice(0)) job.reject(new Failure('cancelled', 'Reading was stopped.'));
      await Promise.all([...all].map((worker) => worker.terminate()));
      await Promise.all(running);
    },
  };
}

/** One file in a worker; `alive` says whether the worker can take another. */
function limited(
  worker: Worker,
  input: PrepareInput,
  timeoutMs: number,
  memoryMb: number,
): Promise<{ answer: Answer; alive: boolean }> {
  return new Promise((resolve) => {
    const end = (answer: Answer, alive: boolean) => {
      clearTimeout(timer);
      clearInterval(look);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      if (!alive) worker.on('error', () => {});
      resolve({ answer, alive });
    };
    const tooMuch = { refused: `needs more than ${memoryMb} MB of memory` };
    const onMessage = (answer: Answer) => end(answer, true);
    const onError = (error: Error & { code?: string }) =>
      end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch : { refused: 'broken: the reader failed on it' },
        false,
      );
    const onExit = () => end({ refused: 'broken: the reader stopped on it' }, false);
    const timer = setTimeout(
      () => end({ refused: `took longer than ${Math.round(timeoutMs / 1000)} s to read` }, false),
      timeoutMs,
    );
    const look = setInterval(() => {
      worker.getHeapStatistics().then(
        (heap) => {
          if (heap.used_heap_size + heap.external_memory > memoryMb * 1024 * 1024) end(tooMuch, false);
        },
        // The worker has just ended: its own event tells.
        () => {},
      );
    }, lookEveryMs);
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(input);
  });
}
