/**
 * A history as a file with one JSON object per line. The first line identifies the format, and each further line is an
 * event, in log order. `data` and `metadata` are stored byte for byte, preceded by their lengths, so that a hash can be
 * checked without parsing. Stored values that are not single-line JSON are in base64.
 */
import { createReadStream } from 'node:fs';
import { type HistorySource, storedPages } from '../event-sourcing/stored-pages.ts';
import { Failure } from '../failures.ts';
import type { StoredEvent } from '../ports/event-log.ts';

const header = JSON.stringify({ docent_history: 1 });

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as single-line JSON text; null if they are not. */
function jsonLine(bytes: Uint8Array): string | null {
  try {
    const text = utf8.decode(bytes);
    JSON.parse(text);
    return /[\n\r]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** An event as a line of an export, without its line break. */
export function toLine({ id, stream, revision, type, data, metadata }: StoredEvent): string {
  const head = JSON.stringify({ id, stream, revision, type }).slice(0, -1);
  const [meta, body] = [jsonLine(metadata), jsonLine(data)];
  if (meta !== null && body !== null)
    return `${head},"metadata_bytes":${metadata.length},"data_bytes":${data.length},"metadata":${meta},"data":${body}}`;
  const [metadata_base64, data_base64] = [metadata, data].map((one) => Buffer.from(one).toString('base64'));
  return `${head},${JSON.stringify({ metadata_base64, data_base64 }).slice(1)}`;
}

const beforeMetadata = Buffer.from(',"metadata":');
const beforeData = Buffer.from(',"data":');
/** `}`, the last byte of a line. */
const closing = 125;

type Head = Record<string, unknown>;

/** The head of a line, if it describes an event. */
function readHead(text: string): Head | null {
  try {
    const head = JSON.parse(text) as Head;
    const { id, stream, revision, type } = head;
    const isEvent = typeof id === 'string' && typeof stream === 'string' && typeof type === 'string';
    return isEvent && Number.isSafeInteger(revision) ? head : null;
  } catch {
    return null;
  }
}

/** The event in a line; null if the line is not an event. Its position is empty. Its data shares the line's buffer. */
export function fromLine(line: Buffer): StoredEvent | null {
  const split = line.indexOf(beforeMetadata);
  const head = readHead(split === -1 ? line.toString('utf8') : `${line.toString('utf8', 0, split)}}`);
  if (head === null) return null;
  const { id, stream, revision, type } = head as unknown as StoredEvent;
  const event = (metadata: Uint8Array, data: Uint8Array): StoredEvent => ({
    id,
    type,
    stream,
    revision,
    metadata,
    data,
    position: '',
  });
  if (split === -1) {
    const { metadata_base64: meta, data_base64: body } = head;
    if (typeof meta !== 'string' || typeof body !== 'string') return null;
    return event(Buffer.from(meta, 'base64'), Buffer.from(body, 'base64'));
  }
  const metadataAt = split + beforeMetadata.length;
  const metadataEnd = metadataAt + Number(head.metadata_bytes);
  const dataAt = metadataEnd + beforeData.length;
  const dataEnd = dataAt + Number(head.data_bytes);
  const isWhole =
    dataEnd === line.length - 1 &&
    line[dataEnd] === closing &&
    line.compare(beforeData, 0, beforeData.length, metadataEnd, dataAt) === 0;
  return isWhole ? event(line.subarray(metadataAt, metadataEnd), line.subarray(dataAt, dataEnd)) : null;
}

/** The lines of the current history with line breaks, several hundred at a time. */
export async function* exportLines(
  log: HistorySource,
  signal?: AbortSignal,
): AsyncGenerator<{ text: string; events: number }> {
  yield { text: `${header}\n`, events: 0 };
  for await (const page of storedPages(log, { signal }))
    yield { text: page.map((event) => `${toLine(event)}\n`).join(''), events: page.length };
}

const pieceBytes = 1 << 20;
const lineBreak = 10;

/**
 * The lines of a file after the first, many at a time. Fails with `not_found`, or with `invalid` if it is not an
 * export.
 */
export async function* exportedLines(path: string): AsyncGenerator<Buffer[]> {
  let rest: Buffer[] = [];
  let first = true;
  const check = (line: Buffer) => {
    if (line.toString('utf8') !== header)
      throw new Failure(
        'invalid',
        `${path} is not an export of a history: its first line should be ${header}.`,
      );
    first = false;
  };
  for await (const piece of pieces(path)) {
    const lines: Buffer[] = [];
    let at = 0;
    for (let to = piece.indexOf(lineBreak); to !== -1; to = piece.indexOf(lineBreak, at)) {
      const line = piece.subarray(at, to);
      lines.push(rest.length === 0 ? line : Buffer.concat([...rest, line]));
      rest = [];
      at = to + 1;
    }
    if (at < piece.length) rest.push(piece.subarray(at));
    if (first && lines.length > 0) check(lines.shift()!);
    if (lines.length > 0) yield lines;
  }
  if (first) check(Buffer.concat(rest));
  else if (rest.length > 0) yield [Buffer.concat(rest)];
}

async function* pieces(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new Failure('not_found', `${path} cannot be read.`, { cause });
  }
}

/** An export as a history to copy from, in line order. Fails with `invalid` if a line is not an event. */
export function exportedLog(path: string): HistorySource {
  let lines = exportedLines(path);
  let waiting: Buffer[] = [];
  let at = 0;
  const position = (n: number) => String(n).padStart(15, '0');
  return {
    async readStored(after, limit) {
      if (after === null && at > 0) {
        [lines, waiting, at] = [exportedLines(path), [], 0];
      }
      if (Number(after ?? 0) !== at)
        throw new Failure('internal', 'An export can only be read from its start, in order.');
      while (waiting.length < limit) {
        const { value, done } = await lines.next();
        if (done) break;
        waiting.push(...value);
      }
      const page = waiting.slice(0, limit);
      waiting = waiting.slice(limit);
      return page.map((line) => {
        const event = fromLine(line);
        if (event === null) throw new Failure('invalid', `Line ${at + 2} of ${path} is not an event.`);
        return { ...event, position: position(++at) };
      });
    },
  };
}
