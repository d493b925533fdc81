/**
 * Process and thread that parse files for parse-pool.ts. The process is there to be lost: some ways to run out of
 * memory end a whole process, not just the thread. Its main thread does nothing but watch; a thread of it parses one
 * file at a time.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type Heads, type ParseReply, type ParseRequest, tookTooLong } from './parse-messages.ts';
import { keyOfPart, type PrepareInput, prepareFile, prepareRecord, reasonOf, recordHash } from './prepare.ts';
import { type Placed, readRecords } from './records.ts';

/** What the process takes for itself, beside what a file may take. */
const ownMb = 128;
const lookEveryMs = 100;
/** What parsing makes and drops; with less a good part of the time goes to collecting it. */
const youngMb = 32;
/** Entries are handed over together until their sources have so many characters. */
const charactersAtOnce = 1_000_000;

if (isMainThread) watch(Number(process.argv[2]), Number(process.argv[3]));
else work();

/** The time that counts is the processor's: on a busy machine a file is no worse than on a quiet one. */
function watch(memoryMb: number, timeoutMs: number): void {
  const worker = new Worker(new URL(import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
  });
  const send = (answer: ParseReply) => process.send?.(answer);
  const tooMuch = `needs more than ${memoryMb} MB of memory`;
  let look: NodeJS.Timeout | undefined;
  process.on('message', (request: ParseRequest) => {
    worker.postMessage(request);
    const before = process.cpuUsage();
    look = setInterval(() => {
      // Buffers are outside the heap, so that its limit does not count them.
      if (process.memoryUsage.rss() > (memoryMb + ownMb) * 1024 * 1024)
        send({ refused: tooMuch, lost: true });
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
    const outOfMemory =
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    send({ refused: outOfMemory ? tooMuch : 'broken: the reader failed on it', lost: true });
  });
}

function work(): void {
  let file: { input: PrepareInput; entries: AsyncGenerator<Placed> } | null = null;
  let entries: Placed[] = [];

  const readHeads = async (most: number): Promise<Heads> => {
    const { input, entries: source } = file!;
    const read: Heads = { heads: [], faults: [], bytes: 0, ended: false };
    let characters = 0;
    entries = [];
    while (entries.length < most && characters < charactersAtOnce) {
      const next = await source.next().catch((error: unknown) => {
        read.faults.push({ line: null, reason: reasonOf(error) });
        return { done: true } as const;
      });
      if (next.done) {
        read.ended = true;
        break;
      }
      const entry = next.value;
      entries.push(entry);
      read.bytes = entry.bytes;
      if ('fault' in entry) {
        read.heads.push(null);
        read.faults.push({ line: entry.line, reason: entry.fault });
      } else {
        const { line, key, part, source: text } = entry.record;
        characters += text.length;
        read.heads.push({
          line,
          key: key ?? keyOfPart(input.doc_key, part),
          input_hash: recordHash(entry.record, input),
        });
      }
    }
    return read;
  };

  const prepareOne = async (place: number) => {
    const entry = entries[place]!;
    if ('fault' in entry) throw new Error('A fault is no document.');
    try {
      return await prepareRecord(entry.record, file!.input);
    } catch (error) {
      return { line: entry.record.line, reason: reasonOf(error) };
    }
  };

  const answer = async (request: ParseRequest): Promise<ParseReply> => {
    switch (request.ask) {
      case 'document':
        return { prepared: await prepareFile(request.input, request.known) };
      case 'open':
        await file?.entries.return(undefined);
        file = {
          input: request.input,
          entries: readRecords(request.input.path, request.format, request.skip),
        };
        return { opened: true };
      case 'heads':
        return { read: await readHeads(request.most) };
      case 'documents': {
        const documents = [];
        for (const place of request.places) documents.push(await prepareOne(place));
        return { documents };
      }
    }
  };

  parentPort?.on('message', (request: ParseRequest) => {
    answer(request).then(
      (given) => parentPort?.postMessage(given),
      (error: unknown) => parentPort?.postMessage({ refused: reasonOf(error) } satisfies ParseReply),
    );
  });
}
