/** Output of figures by all tools and `docent eval`: aligned columns, and JSON files. */
import { writeFileSync } from 'node:fs';
import { type Comparison, figures } from './figures.ts';
import type { Row } from './scoring.ts';

export function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** No run is reproducible beyond four digits. */
function shown(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (typeof value !== 'number') return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toFixed(4)).toString();
}

/** Aligns the first column to the left and the others to the right. */
function* table(lines: readonly (readonly string[])[]): Generator<string> {
  const widths = lines[0]!.map((_, n) => Math.max(...lines.map((line) => line[n]!.length)));
  for (const line of lines)
    yield line
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
      .join('  ')
      .trimEnd();
}

/** Records as a table: one per row, or one per column if they have more fields than there are records. */
export function recordLines(records: readonly Record<string, unknown>[]): Iterable<string> {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cell = (record: Record<string, unknown>, name: string) => (name in record ? shown(record[name]) : '');
  return table(
    names.length > records.length
      ? names.map((name) => [name, ...records.map((record) => cell(record, name))])
      : [names, ...records.map((record) => names.map((name) => cell(record, name)))],
  );
}

/** The figures for all questions, and for each language and corpus. */
export function* figureLines(rows: readonly Row[]): Generator<string> {
  const groups = (['corpus', 'question_lang'] as const).flatMap((field) => {
    const values = [...new Set(rows.map((row) => row[field]))].filter((value) => value !== null).sort();
    return values.length < 2
      ? []
      : values.map((value) => ({ name: value, rows: rows.filter((row) => row[field] === value) }));
  });
  const columns = [{ name: 'all', rows }, ...groups];
  yield* table([
    ['', ...columns.map(({ name }) => name)],
    ['questions', ...columns.map(({ rows: some }) => String(some.length))],
    ...figures
      .filter(({ of }) => of(rows) !== null)
      .map(({ name, of }) => [name, ...columns.map(({ rows: some }) => shown(of(some)))]),
  ]);
  const categories = [...new Set(rows.flatMap(({ category }) => category ?? []))].sort();
  if (categories.length > 0) yield* categoryLines(rows, categories);
}

const categoryFigures = ['right', 'partly', 'wrong', 'wrongly refused', 'rightly refused'];

function* categoryLines(rows: readonly Row[], categories: readonly string[]): Generator<string> {
  yield '';
  const chosen = figures.filter(({ name }) => categoryFigures.includes(name));
  yield* table([
    ['category', 'questions', ...chosen.map(({ name }) => name)],
    ...categories.map((one) => {
      const some = rows.filter(({ category }) => category === one);
      return [one, String(some.length), ...chosen.map(({ of }) => shown(of(some)))];
    }),
  ]);
}

const counted = (questions: number) => `${questions} question${questions === 1 ? '' : 's'}`;

/** Maximum number of changed questions printed; the JSON has all of them. */
const changesMax = 40;

export function* comparisonLines(comparison: Comparison): Generator<string> {
  const { questions, left_out, figures: all, changed, reworded } = comparison;
  yield* table([
    [counted(questions), 'before', 'now', 'difference', '95 % interval', ''],
    ...all.map(({ name, before, after, interval, significant }) => [
      name,
      shown(before),
      shown(after),
      before === null || after === null ? '–' : shown(after - before),
      interval === null ? '' : `${shown(interval.low)} to ${shown(interval.high)}`,
      significant ? '*' : '',
    ]),
  ]);
  yield '* chance alone rarely produces such a difference (paired bootstrap over the questions)';
  if (left_out > 0)
    yield `${counted(left_out)} ${left_out === 1 ? 'is' : 'are'} in only one of the two runs.`;
  yield `${counted(changed.length)} had a different outcome, and ${reworded} more a different wording.`;
  for (const { id, query, before, after } of changed.slice(0, changesMax))
    yield `  ${id}  ${query.slice(0, 80)}\n    ${before} → ${after}`;
  if (changed.length > changesMax) yield `  … ${changed.length - changesMax} more with --json`;
}
