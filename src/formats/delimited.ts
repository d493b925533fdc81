/** Parses CSV and similar formats. The separator is the one that splits the first lines most evenly. */
import { CsvError, type Options, type Parser, parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import { type MarkedText, type ParsedDocument, Refusal, tidyLine, tidyText } from './blocks.ts';
import { decodeStream } from './decode.ts';
import { recordBlocks } from './tables.ts';

const options = (text: string): Options => ({
  delimiter: separatorOf(text),
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
});
const unclosed = 'broken: a quotation mark is never closed';

export function parseDelimited(text: string): ParsedDocument {
  let rows: string[][];
  try {
    rows = parseAll(text, options(text)) as string[][];
  } catch {
    throw new Refusal(unclosed);
  }
  return { title: null, blocks: recordBlocks(cellsOf(rows)), hints: {} };
}

/** Rows of cells, without the line that declares the separator for spreadsheets ("sep=;"). */
export function cellsOf(rows: readonly (readonly string[])[]): MarkedText[][] {
  const declared = /^sep=/i.test(rows[0]?.join('') ?? '');
  return rows.slice(declared ? 1 : 0).map((row) => row.map((text) => ({ text: tidyLine(text) })));
}

/** Whether the column names match document fields. `head` is the beginning of the text. */
export function namesFields(head: string): boolean {
  const end = head.indexOf('\n');
  try {
    const [names = []] = parseAll(end < 0 ? head : head.slice(0, end), options(head)) as string[][];
    const known = new Set(names.map((name) => name.trim().toLowerCase()));
    return known.has('id') && known.has('text');
  } catch {
    return false;
  }
}

/**
 * Reads a file row by row. Each row comes with the line on which it ends and the number of bytes read so far. Throws
 * Refusal if a quotation mark is never closed or a row has more than `most` characters.
 */
export async function* readRows(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<{ cells: string[]; line: number; bytes: number }> {
  let parser: Parser | null = null;
  let failed: Error | null = null;
  /** Read the parser's output immediately, because an error would discard unread rows. */
  const ready = function* (bytes: number) {
    for (let row = parser?.read(); row; row = parser?.read())
      yield { cells: row.record as string[], line: row.info.lines as number, bytes };
  };
  let read = 0;
  for await (const { text, bytes } of decodeStream(pieces)) {
    parser ??= parse({ ...options(text), info: true, max_record_size: most }).on('error', (error) => {
      failed = error;
    });
    const written = new Promise((resolve) => parser!.write(tidyText(text), resolve));
    yield* ready(bytes);
    await written;
    read = bytes;
    if (failed !== null) throw refusalOf(failed, most);
  }
  if (parser === null) return;
  await new Promise<void>((resolve) => {
    parser!
      .once('finish', resolve)
      .once('error', () => resolve())
      .end();
  });
  yield* ready(read);
  if (failed !== null) throw refusalOf(failed, most);
}

function refusalOf(error: unknown, most: number): unknown {
  if (!(error instanceof CsvError)) return error;
  return new Refusal(
    error.code === 'CSV_MAX_RECORD_SIZE' ? `broken: a row has more than ${most} characters` : unclosed,
  );
}

function separatorOf(text: string): string {
  const declared = /^\ufeff?sep=(.)\r?\n/i.exec(text)?.[1];
  if (declared !== undefined) return declared;
  const lines = text
    .slice(0, 20_000)
    .split('\n', 20)
    .filter((line) => line.trim() !== '');
  let best = ',';
  let most = 0;
  for (const separator of [',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(separator).length - 1);
    // Lines above the table contain no separators, so use the most frequent count.
    const usual = commonest(counts.filter((count) => count > 0));
    // Compare evenness first, because values in a semicolon-separated file may contain commas.
    const even = counts.filter((count) => count === usual).length / Math.max(1, counts.length);
    if (usual > 0 && even * 100 + Math.min(usual, 50) > most) {
      most = even * 100 + Math.min(usual, 50);
      best = separator;
    }
  }
  return best;
}

/** The most frequent number; 0 for an empty list. */
function commonest(numbers: readonly number[]): number {
  let [best, most] = [0, 0];
  for (const [n, { length }] of Map.groupBy(numbers, (one) => one))
    if (length > most) [best, most] = [n, length];
  return best;
}
