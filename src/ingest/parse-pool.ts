/**
 * Parses files in separate processes (parse-process.ts), so that a broken or hostile file can waste only a limited
 * amount of time and memory. A process that exceeds a limit or dies is replaced. A single-document file is then
 * refused. In a multi-record file only the faulty record is refused, and reading continues after it.
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
   * Parses a single-document file, or reports the format of a multi-record file. Fails with `invalid` and the reason if
   * it cannot be ingested, and with `cancelled` after close().
   */
  prepare(input: PrepareInput, known?: readonly string[]): Promise<Prepared>;
  /**
   * The documents of a multi-record file, in order, in batches on demand. `choose` decides whether a record is
   * prepared; it may be called twice for the same record. Fails like `prepare` if the file ends early.
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
  /** The records that were not chosen. */
  left: RecordHead[];
  faults: RecordFault[];
  /** Number of bytes read so far. */
  bytes: number;
}

export interface ParseLimits {
  /** Default: 1. */
  workers?: number;
  /** Limit on processor time per document or batch of records, in ms. Default: 30,000. */
  timeoutMs?: number;
  /**
   * Memory limit for a whole process in MB, checked ten times a second. Default: 570, which allows for growth to 600
   * between two checks.
   */
  memoryMb?: number;
}

/** Number of entries read per request. After a process is lost it is reduced until the faulty entry is found. */
const entriesAtOnce = 64;
/** An unresponsive process is killed after this multiple of its time limit. */
const patience = 10;

/** Starts processes when the first files arrive. Idle processes do not keep the program running. */
export function openParsePool({
  workers = 1,
  timeoutMs = 30_000,
  memoryMb = 570,
}: ParseLimits = {}): ParsePool {
  const waiting: PromiseWithResolvers<ChildProcess>[] = [];
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  let closed = false;
  const stopped = () => new Failure('cancelled', 'Reading was stopped.');

  /** Starts an idle process. */
  const start = (): void => {
    // Output from libraries is ignored, because the refusal states the reason.
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
      serve();
    });
  };

  /** Hands idle processes, and new ones while there are fewer than `workers`, to those who wait, in order. */
  const serve = (): void => {
    while (waiting.length > 0 && !closed) {
      if (idle.length === 0) {
        if (all.size >= workers) return;
        start();
      }
      const child = idle.pop()!;
      child.ref();
      child.channel?.ref();
      waiting.shift()!.resolve(child);
    }
  };

  /** Resolves with a process that nobody else uses until it is given back. */
  const take = async (): Promise<ChildProcess> => {
    if (closed) throw stopped();
    const turn = Promise.withResolvers<ChildProcess>();
    waiting.push(turn);
    serve();
    return turn.promise;
  };

  const giveBack = (child: ChildProcess | null): void => {
    if (child === null || !all.has(child)) return;
    child.unref();
    child.channel?.unref();
    idle.push(child);
    serve();
  };

  const drop = (child: ChildProcess): void => {
    all.delete(child);
    child.kill('SIGKILL');
    serve();
  };

  /** Sends a request to a process. A lost process is removed. */
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
    /** Number of entries processed. */
    let skip = 0;
    let most = entriesAtOnce;
    let bytes = 0;
    let child: ChildProcess | null = null;
    /**
     * If the process was lost on a single entry, that entry is skipped. If there were several entries, each is retried
     * alone.
     */
    const lose = (line: number | null, reason: string): RecordFault[] => {
      child = null;
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
          child = await take();
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
          // A process that exits normally saves its compile cache for the next one.
          if (idle.includes(child) && child.connected) child.disconnect();
          else child.kill('SIGKILL');
          return exited;
        }),
      );
    },
  };
}

/** Sends a request to a process. Never rejects. */
function answerOf(child: ChildProcess, request: ParseRequest, timeoutMs: number): Promise<ParseReply> {
  return new Promise((resolve) => {
    const end = (answer: ParseReply) => {
      clearTimeout(timer);
      child.off('message', end);
      child.off('error', died);
      child.off('exit', died);
      resolve(answer);
    };
    // A process that runs out of memory may exit before it can report that.
    const died = () =>
      end({ refused: 'broken: the parser crashed on it, most likely out of memory', lost: true });
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
