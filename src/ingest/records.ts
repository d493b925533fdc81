/**
 * Reads multi-document files as streams, with only the current record in memory. JSONL has one document per line. CSV
 * has one document per row if its column names match the fields of a JSONL document (at least `id` and `text`). Any
 * other CSV is one document or, if it is large, one document per thousand rows.
 */
import { createReadStream } from 'node:fs';
import { type FileRecord, Refusal, tidyLine, tidyText } from '../formats/blocks.ts';
import { decodeStream } from '../formats/decode.ts';
import { cellsOf, readRows } from '../formats/delimited.ts';
import { readHints } from '../formats/hints.ts';
import { headRows, recordBlocks } from '../formats/tables.ts';
import { reasonOf } from './reasons.ts';

/** `rows`: a CSV file of documents; `table`: a CSV file split into documents of a thousand rows. */
export type RecordsFormat = 'jsonl' | 'rows' | 'table';

export type RecordEntry = { record: FileRecord } | { fault: string; line: number };

/** An entry, and the number of bytes of the file read so far, including some read-ahead. */
export type Placed = RecordEntry & { bytes: number };

/** Maximum length of a line or row. */
const recordCharacters = 32 * 1024 * 1024;
const pieceBytes = 256 * 1024;
const rowsOfPart = 1000;
/** Number of leading rows searched for the column headers. */
const rowsForHead = 40;
/** Part of a table ends early when its cells reach this many characters. */
const partCharacters = 1_000_000;

/**
 * The records of a file, starting at index `skip`. An invalid record is reported as an entry, and reading continues.
 * Throws Refusal for an error that ends the file, such as a quotation mark that is never closed. File system errors are
 * passed through.
 */
export function readRecords(path: string, format: RecordsFormat, skip: number): AsyncGenerator<Placed> {
  const pieces = createReadStream(path, { highWaterMark: pieceBytes });
  if (format === 'jsonl') return readLines(pieces, skip);
  return format === 'rows' ? readDocuments(pieces, skip) : readParts(pieces, skip);
}

/** Like `readRecords`, for JSONL. A line of more than `most` characters is an error. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  skip = 0,
  most = recordCharacters,
): AsyncGenerator<Placed> {
  let n = 0;
  for await (const { text, line, bytes } of linesOf(pieces, most)) {
    if (text?.trim() === '' || n++ < skip) continue;
    if (text === null) yield { fault: `longer than ${most} characters`, line, bytes };
    else yield { ...entryOf(line, () => readFields(parseLine(text), text)), bytes };
  }
}

/**
 * Reads a record from its fields; `source` is the record's raw source. Text is left unparsed, because the caller
 * decides whether it is Markdown. Throws Refusal if the id or text is missing or a value is invalid.
 */
function readFields(fields: Record<string, unknown>, source: string): Omit<FileRecord, 'line'> {
  const { id, text, question, answer } = fields;
  if ((typeof id !== 'string' && typeof id !== 'number') || String(id).trim() === '')
    throw new Refusal('"id" is missing');
  const pair = isSaid(question) && isSaid(answer);
  if (!pair && typeof text !== 'string') throw new Refusal('"text" is missing');
  const refuse = (_: string, message: string) => {
    throw new Refusal(message);
  };
  const hints = readHints(fields, ['id', 'text', 'doc_key', ...(pair ? ['question', 'answer'] : [])], refuse);
  const { doc_key: key = '' } = readHints({ doc_key: String(id) }, [], refuse);
  return {
    key,
    part: 1,
    source,
    parsed: { title: hints.title ?? null, hints },
    text: typeof text === 'string' ? tidyText(text) : '',
    format: typeof fields.format === 'string' ? fields.format : null,
    pair: pair ? { question: tidyLine(question), answer: tidyText(answer) } : null,
    blocks: [],
  };
}

const isSaid = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function parseLine(row: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Refusal('not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('not a JSON object');
  return value as Record<string, unknown>;
}

function entryOf(line: number, read: () => Omit<FileRecord, 'line'>): RecordEntry {
  try {
    return { record: { line, ...read() } };
  } catch (error) {
    // A line that is nested too deeply overflows the stack.
    if (error instanceof Refusal || error instanceof RangeError) return { fault: reasonOf(error), line };
    throw error;
  }
}

/** Lines without their terminators; null for a line that is too long. */
async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<{ text: string | null; line: number; bytes: number }> {
  let line = 0;
  let begun: string[] = [];
  let length = 0;
  const end = (): string | null => {
    const text = length > most ? null : begun.join('').replace(/\r$/, '');
    begun = [];
    length = 0;
    line++;
    return text;
  };
  const add = (text: string) => {
    length += text.length;
    if (length > most) begun = [];
    else begun.push(text);
  };
  let read = 0;
  for await (const { text, bytes } of decodeStream(pieces)) {
    read = bytes;
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      add(text.slice(from, at));
      from = at + 1;
      yield { text: end(), line, bytes };
    }
    add(text.slice(from));
  }
  if (length > 0) yield { text: end(), line, bytes: read };
}

/** Like `readRecords`, for a CSV file of documents. The first row contains the field names. */
export async function* readDocuments(pieces: AsyncIterable<Uint8Array>, skip = 0): AsyncGenerator<Placed> {
  let names: string[] | null = null;
  let n = 0;
  for await (const { cells, line, bytes } of readRows(pieces, recordCharacters)) {
    if (names === null) {
      names = cells.map((name) => name.trim().toLowerCase());
      continue;
    }
    if (n++ < skip) continue;
    const columns = names;
    const read = () => {
      const fields: Record<string, unknown> = {};
      for (const [i, cell] of cells.entries()) {
        const name = columns[i] || `column ${i + 1}`;
        if (cell.trim() !== '') fields[name] = name === 'skip' ? asBoolean(cell) : cell;
      }
      return readFields(fields, JSON.stringify(fields));
    };
    yield { ...entryOf(line, read), bytes };
  }
}

const asBoolean = (cell: string): boolean | string =>
  /^(?:true|1|yes)$/i.test(cell.trim()) ? true : /^(?:false|0|no)$/i.test(cell.trim()) ? false : cell;

/** Like `readRecords`, for a table. Returns parts of `most` rows, each with the header rows and any rows above them. */
export async function* readParts(
  pieces: AsyncIterable<Uint8Array>,
  skip = 0,
  most = rowsOfPart,
): AsyncGenerator<Placed> {
  let head: string[][] | null = null;
  let rows: string[][] = [];
  let characters = 0;
  let begins = 1;
  let part = 0;
  let read = 0;
  const takeHead = () => {
    head = rows.splice(0, headRows(cellsOf(rows)));
  };
  const cut = (): Placed | null => {
    const table = rows;
    rows = [];
    characters = 0;
    if (++part <= skip) return null;
    const record: FileRecord = {
      line: begins,
      key: null,
      part,
      source: JSON.stringify([head, table]),
      parsed: { title: null, hints: {} },
      text: '',
      format: null,
      pair: null,
      blocks: recordBlocks(cellsOf([...(head ?? []), ...table])),
    };
    return { record, bytes: read };
  };
  for await (const { cells, line, bytes } of readRows(pieces, recordCharacters)) {
    read = bytes;
    if (rows.length === 0) begins = line;
    rows.push(cells);
    characters += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (head === null && rows.length >= Math.min(rowsForHead, most)) takeHead();
    if (rows.length < most && characters < partCharacters) continue;
    const entry = cut();
    if (entry !== null) yield entry;
  }
  if (head === null) takeHead();
  if (rows.length > 0) {
    const entry = cut();
    if (entry !== null) yield entry;
  }
}
