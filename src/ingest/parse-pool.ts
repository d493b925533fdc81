/**
 * Files are parsed in processes of their own (parse-process.ts), so that a broken or hostile one costs at most its
 * limits of time and memory. A process that passes a limit or dies is replaced. Of a file that is one document the
 * file is refused then; of one of many the record at which it happened, and reading goes on behind it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '../failures.ts';
import {
  type ParseReply,
  type ParseRequest,
  type RecordFault,
  type RecordHead,
  type ReplyTo,
  tookTooLong,
} from './parse-messages.ts';
import type { Prepared, PreparedDocument, PrepareInput } from './prepare.ts';
import { sentence } from './reasons.ts';
import type { RecordsFormat } from './records.ts';

export interface ParsePool {
  /**
   * A file that is one document; what it is where it holds many. Failure `invalid` with the reason when it cannot be
   * taken in; `cancelled` after close().
   */
  prepare(input: PrepareInput, known?: readonly string[]): Promise<Prepared>;
  /**
   * The documents of a file of many, some at a time and in order; the next are read when they are asked for.
   * `choose` says of each record whether it is to be prepared; it may be asked again for the same. Failure as of prepare, where the file ends early.
   */
  records(
    input: PrepareInput,
    format: RecordsFormat,
    choose: (heads: readonly RecordHead[]) => Promise<readonly boolean[]>,
  ): AsyncGenerator<RecordBatch>;
  close(): Promise<void>;
}

export interface RecordBatch {
  documents: PreparedDocument[];
  /** Those that were not chosen. */
  left: RecordHead[];
  faults: RecordFault[];
  /** How far the file has been read. */
  bytes: number;
}

export interface ParseLimits {
  /** Default 1. */
  workers?: number;
  /** Time of the processor a document, or some records, may take. Default 30,000. */
  timeoutMs?: number;
  /** Of the whole process, looked at ten times a second. Default 570: 600 with what it grows in between. */
  memoryMb?: number;
}

/** Entries read at once, and those at once after a process was lost, until the one that did it is found. */
const entriesAtOnce = 64;
/** So many files waiting are reason enough for another process. */
const worthAnother = 4;
/** Somebody who waits for a process that gives no sign of life waits so many times its limit. */
const patience = 10;

/** Starts processes when the first files come; idle ones do not keep the program running. */
export function openParsePool({
  workers = 1,
  timeoutMs = 30_000,
  memoryMb = 570,
}: ParseLimits = {}): ParsePool {
  const waiting: PromiseWithResolvers<ChildProcess>[] = [];
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  /** Files of many that are being read. */
  let streams = 0;
  let closed = false;
  const stopped = () => new Failure('cancelled', 'Reading was stopped.');

  /** Starts a process, idle so far. */
  const start = (): void => {
    // What libraries print about a faulty file is said in its reason already.
    const limits = [String(memoryMb), String(timeoutMs)];
    const child = fork(fileURLToPath(new URL('./parse-process.ts', import.meta.url)), limits, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    all.add(child);
    idle.push(child);
    child.once('exit', () => {
      all.delete(child);
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
    });
  };

  /** `long`: the process is taken for a whole file of many. */
  const take = async (long = false): Promise<ChildProcess> => {
    if (closed) throw stopped();
    if (long) streams++;
    if (idle.length === 0 && all.size === 0) start();
    else if (idle.length === 0) {
      const turn = Promise.withResolvers<ChildProcess>();
      waiting.push(turn);
      startAnother();
      return turn.promise;
    }
    return used(idle.pop()!);
  };

  const used = (child: ChildProcess): ChildProcess => {
    child.ref();
    child.channel?.ref();
    return child;
  };

  /** Another process takes longer to start than a few small files to parse; behind a long file nobody should wait. */
  const startAnother = (): void => {
    if (all.size >= workers || (waiting.length < worthAnother && streams < all.size)) return;
    start();
    waiting.shift()!.resolve(used(idle.pop()!));
  };

  const giveBack = (child: ChildProcess | null): void => {
    if (child !== null && all.has(child)) {
      child.unref();
      child.channel?.unref();
      idle.push(child);
    }
    if (waiting.length === 0 || closed) return;
    if (idle.length === 0) start();
    waiting.shift()!.resolve(used(idle.pop()!));
  };

  const drop = (child: ChildProcess): void => {
    all.delete(child);
    child.kill('SIGKILL');
  };

  /** The process's answer; one that is lost is dropped. */
  const ask = async <R extends ParseRequest>(child: ChildProcess, request: R): Promise<ReplyTo<R>> => {
    const answer = await answerOf(child, request, timeoutMs);
    if ('refused' in answer && answer.lost) drop(child);
    if (closed) throw stopped();
    return answer as ReplyTo<R>;
  };

  const refusal = (reason: string) => new Failure('invalid', sentence(reason));

  async function* records(
    input: PrepareInput,
    format: RecordsFormat,
    choose: (heads: readonly RecordHead[]) => Promise<readonly boolean[]>,
  ): AsyncGenerator<RecordBatch> {
    /** Entries done with. */
    let skip = 0;
    let most = entriesAtOnce;
    let bytes = 0;
    let child: ChildProcess | null = null;
    /** An entry by itself that lost the process is passed over; of several, each is tried by itself. */
    const lose = (line: number | null, reason: string): RecordFault[] => {
      child = null;
      streams--;
      if (most > 1) {
        most = 1;
        return [];
      }
      skip++;
      return [{ line, reason }];
    };
    try {
      for (;;) {
        if (child === null) {
          child = await take(true);
          const opened: ReplyTo<ParseRequest & { ask: 'open' }> = await ask(child, {
            ask: 'open',
            input,
            format,
            skip,
          });
          if ('refused' in opened) throw refusal(opened.refused);
        }
        const answer: ReplyTo<ParseRequest & { ask: 'heads' }> = await ask(child, { ask: 'heads', most });
        if ('refused' in answer) {
          if (!answer.lost) throw refusal(answer.refused);
          yield { documents: [], left: [], faults: lose(null, answer.refused), bytes };
          continue;
        }
        const { heads, faults, ended } = answer.read;
        bytes = answer.read.bytes;
        const known = heads.flatMap((head, index) => (head === null ? [] : [{ head, index }]));
        const chosen = known.length === 0 ? [] : await choose(known.map(({ head }) => head));
        const indices = known.flatMap(({ index }, i) => (chosen[i] ? [index] : []));
        const left = known.flatMap(({ head }, i) => (chosen[i] ? [] : [head]));
        const batch: RecordBatch = { documents: [], left, faults: [...faults], bytes };
        if (indices.length > 0) {
          const made: ReplyTo<ParseRequest & { ask: 'documents' }> = await ask(child, {
            ask: 'documents',
            indices,
          });
          if ('refused' in made) {
            const line = heads[indices[0]!]?.line ?? null;
            yield { documents: [], left: [], faults: lose(line, made.refused), bytes };
            continue;
          }
          for (const one of made.documents)
            if ('reason' in one) batch.faults.push(one);
            else batch.documents.push(one);
        }
        skip += heads.length;
        most = Math.min(entriesAtOnce, most * 2);
        yield batch;
        if (ended) return;
      }
    } finally {
      if (child !== null) streams--;
      giveBack(child);
    }
  }

  return {
    async prepare(input, known = []) {
      const child = await take();
      try {
        const answer = await ask(child, { ask: 'document', input, known });
        if ('refused' in answer) throw refusal(answer.refused);
        return answer.prepared;
      } finally {
        giveBack(child);
      }
    },
    records,
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(stopped());
      await Promise.all(
        [...all].map((child) => {
          child.ref();
          const exited = new Promise((resolve) => child.once('exit', resolve));
          // One that ends by itself keeps what it has compiled for the next.
          if (idle.includes(child) && child.connected) child.disconnect();
          else child.kill('SIGKILL');
          return exited;
        }),
      );
    },
  };
}

/** One request to a process. Never rejects. */
function answerOf(child: ChildProcess, request: ParseRequest, timeoutMs: number): Promise<ParseReply> {
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
      end({ refused: 'broken: the reader ended on it, most likely for want of memory', lost: true });
    const timer = setTimeout(
      () => end({ refused: tookTooLong(timeoutMs), lost: true }),
      timeoutMs * patience,
    );
    child.on('message', end);
    child.once('error', died);
    child.once('exit', died);
    child.send(request, (error) => {
      if (error) died();
    });
  });
}
