/** A worker thread that parses one file at a time, in a process that watches it (parse-process.ts). */
import { parentPort } from 'node:worker_threads';
import type { Heads, ParseReply, ParseRequest } from './parse-messages.ts';
import { keyOfPart, type PrepareInput, prepareFile, prepareRecord, recordHash } from './prepare.ts';
import { reasonOf } from './reasons.ts';
import { type Placed, readRecords } from './records.ts';

/** Maximum number of source characters per batch of entries. */
const charactersAtOnce = 1_000_000;

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

const prepareOne = async (index: number) => {
  const entry = entries[index]!;
  if ('fault' in entry) throw new Error('A faulty record is not a document.');
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
      file = { input: request.input, entries: readRecords(request.input.path, request.format, request.skip) };
      return { opened: true };
    case 'heads':
      return { read: await readHeads(request.most) };
    case 'documents': {
      const documents = [];
      for (const index of request.indices) documents.push(await prepareOne(index));
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
