/**
 * Files are parsed in processes of their own (src/ingest/parse-worker.ts), so that a broken or hostile one costs at most
 * its limits of time and memory. A process that passes a limit or dies is replaced, and its file is refused with a
 * reason.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '../failures.ts';
import type { ParseReply } from './parse-messages.ts';
import { type Prepared, type PrepareInput, sentence } from './prepare.ts';

export interface ParsePool {
  /** Failure `invalid` with the reason when the file cannot be taken in; `cancelled` after close(). */
  prepare(input: PrepareInput): Promise<Prepared>;
  close(): Promise<void>;
}

export interface ParseLimits {
  /** Default 1. */
  workers?: number;
  /** Default 30,000, from the moment a process takes the file. */
  timeoutMs?: number;
  /** Default 512. */
  memoryMb?: number;
}

interface Job {
  input: PrepareInput;
  resolve: (prepared: Prepared) => void;
  reject: (error: Failure) => void;
}

/** Starts processes when the first files come; idle ones do not keep the program running. */
export function openParsePool({
  workers = 1,
  timeoutMs = 30_000,
  memoryMb = 512,
}: ParseLimits = {}): ParsePool {
  const queue: Job[] = [];
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  let closed = false;

  const start = (): ChildProcess => {
    // What libraries print about a faulty file is said in its reason already.
    const child = fork(fileURLToPath(new URL('./parse-worker.ts', import.meta.url)), [String(memoryMb)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
    });
    return child;
  };

  const run = async (child: ChildProcess, { input, resolve, reject }: Job): Promise<void> => {
    child.ref();
    child.channel?.ref();
    const answer = await answerOf(child, input, timeoutMs);
    if ('refused' in answer && answer.ended) {
      all.delete(child);
      child.kill('SIGKILL');
    } else {
      child.unref();
      child.channel?.unref();
      idle.push(child);
    }
    if ('prepared' in answer) resolve(answer.prepared);
    else reject(new Failure(closed ? 'cancelled' : 'invalid', sentence(answer.refused)));
    next();
  };

  const next = (): void => {
    while (queue.length > 0 && (idle.length > 0 || all.size < workers))
      void run(idle.pop() ?? start(), queue.shift()!);
  };

  return {
    prepare(input) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new Failure('cancelled', 'Reading was stopped.'));
        queue.push({ input, resolve, reject });
        next();
      });
    },
    async close() {
      closed = true;
      for (const job of queue.splice(0)) job.reject(new Failure('cancelled', 'Reading was stopped.'));
      await Promise.all(
        [...all].map((child) => {
          child.ref();
          const exited = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          return exited;
        }),
      );
    },
  };
}

/** One file in a process. Never rejects. */
function answerOf(child: ChildProcess, input: PrepareInput, timeoutMs: number): Promise<ParseReply> {
  return new Promise((resolve) => {
    const end = (answer: ParseReply) => {
      clearTimeout(timer);
      child.off('message', end);
      child.off('error', died);
      child.off('exit', died);
      resolve(answer);
    };
    // Running out of memory may end the process before it can say so.
    const died = () =>
      end({ refused: 'broken: the reader ended on it, most likely for want of memory', ended: true });
    const seconds = Math.round(timeoutMs / 100) / 10;
    const timer = setTimeout(
      () => end({ refused: `took longer than ${seconds} s to read`, ended: true }),
      timeoutMs,
    );
    child.on('message', end);
    child.once('error', died);
    child.once('exit', died);
    child.send(input, (error) => {
      if (error) died();
    });
  });
}
