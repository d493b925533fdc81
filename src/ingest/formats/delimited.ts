/** CSV and its kin: the separator is the one that divides the first lines most evenly. */
import { parse } from 'csv-parse/sync';
import { type ParsedDocument, Refusal } from '../blocks.ts';
import { tableBlocks } from './table.ts';

export function parseDelimited(text: string): ParsedDocument {
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: separatorOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch {
    throw new Refusal('broken: a quotation mark is never closed');
  }
  return { title: null, blocks: tableBlocks(rows), hints: {} };
}

function separatorOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n', 20)
    .filter((line) => line.trim() !== '');
  let best = ',';
  let most = 0;
  for (const separator of [',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(separator).length - 1);
    const first = counts[0] ?? 0;
    // Evenness first: commas also stand inside the values of a file divided by semicolons.
    const even = counts.filter((count) => count === first).length / Math.max(1, counts.length);
    if (first > 0 && even * 100 + Math.min(first, 50) > most) {
      most = even * 100 + Math.min(first, 50);
      best = separator;
    }
  }
  return best;
}
