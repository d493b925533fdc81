/** `docent eval`: asks a set of questions, prints metrics, and compares them with an earlier run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Comparison, compare, figures, figuresOf } from '../../tools/evaluation/figures.ts';
import { type Question, readQuestions } from '../../tools/evaluation/questions.ts';
import { recordOf, remoteService } from '../../tools/evaluation/remote.ts';
import { type EvaluatedService, run } from '../../tools/evaluation/running.ts';
import type { Row } from '../../tools/evaluation/scoring.ts';
import type { App } from '../app-port.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import { version } from '../version.ts';
import { interrupted, withBar } from './commands.ts';
import { print, printMessage } from './output.ts';

export interface EvalOptions {
  /** `id`, or `name=id` for what the set calls `name`. */
  corpus?: string[];
  qrels?: string;
  only?: string;
  limit?: number;
  atOnce: number;
  base?: string;
  /** Files that hold an API key, and `name:password` of an administrator. */
  key?: string;
  admin?: string;
  json?: string;
  against?: string;
}

/** What is kept of a run. */
interface Report {
  format: 1;
  set: string;
  at: string;
  version: string;
  service: string;
  questions: number;
  figures: Record<string, number | null>;
  rows: Row[];
  comparison?: Comparison;
}

/** Sources asked for, as many as over HTTP. */
const sourcesWanted = 20;
/** Always the same asker: answers that several were given enter the FAQ cache. */
const caller = { actor: 'system', key_id: null, subject: 'evaluation' };

/** What of a set is asked. Failure `invalid`, `not_found` for files that are not there or no set. */
export function questionsOf(file: string, { qrels, only, limit }: EvalOptions): Question[] {
  const beside = join(dirname(file), 'qrels.tsv');
  const judgements = qrels ?? (existsSync(beside) ? beside : null);
  const all = readQuestions(textOf(file), judgements === null ? null : textOf(judgements));
  const chosen = all.filter(
    ({ corpus, lang, category }) =>
      only === undefined || [corpus, lang, category].some((one) => one?.includes(only)),
  );
  if (chosen.length === 0) throw new Failure('invalid', `${file} contains no questions.`);
  return chosen.slice(0, limit);
}

/** A file, unzipped where it is gzipped. */
function textOf(file: string): string {
  if (!existsSync(file)) throw new Failure('not_found', `There is no file ${file}.`);
  const bytes = readFileSync(file);
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Measures the service of this process. */
export async function evaluateApp(app: App, file: string, options: EvalOptions): Promise<number> {
  await app.caughtUp();
  const service: EvaluatedService = {
    ask: ({ query, history, style }, corpus_id, signal) =>
      app.ask({ query, history, style, corpus_id, channel: 'cli', caller }, signal),
    async documents({ query }, corpus_id, signal) {
      const { sources } = await app.sourceRefs({ query, corpus_id, limit: sourcesWanted, caller }, signal);
      return sources.map(({ doc_key }) => doc_key);
    },
    record: async (requestId) =>
      recordOf(await app.admin.dossier(requestId, { name: 'cli', request_id: uuidv7() })),
  };
  return evaluate(service, 'embedded', file, options);
}

/** Measures a running server. */
export async function evaluateServer(base: string, file: string, options: EvalOptions): Promise<number> {
  let reported = false;
  const service = remoteService({
    base,
    key: options.key === undefined ? null : textOf(options.key).trim(),
    admin: options.admin === undefined ? null : textOf(options.admin).trim(),
    onLimited: (seconds) => {
      if (!reported) printMessage(`The server limits questions: waiting, ${seconds} s this time.`);
      reported = true;
    },
  });
  return evaluate(service, base, file, options);
}

async function evaluate(
  service: EvaluatedService,
  name: string,
  file: string,
  options: EvalOptions,
): Promise<number> {
  const questions = questionsOf(file, options);
  const before = options.against === undefined ? null : reportOf(options.against);
  const corpusOf = corpora(options.corpus ?? []);
  const signal = interrupted();
  const rows = await withBar((onProgress) =>
    run(service, questions, {
      corpusOf: ({ corpus }) => corpusOf(corpus),
      atOnce: options.atOnce,
      now: () => performance.now(),
      signal,
      onProgress: (done, { query }) => onProgress({ done, total: questions.length, path: query }),
    }),
  ).catch((error) => {
    if (signal.aborted) throw new Failure('cancelled', 'The run was interrupted; nothing was saved.');
    throw error;
  });
  const report: Report = {
    format: 1,
    set: basename(file),
    at: new Date().toISOString(),
    version,
    service: name,
    questions: rows.length,
    figures: figuresOf(rows),
    rows,
    ...(before && { comparison: compare(before.rows, rows) }),
  };
  await print(before ? comparisonLines(report.comparison!) : figureLines(rows));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
  const failed = rows.filter((row) => row.failed !== undefined);
  if (failed.length > 0) printMessage(`${failed.length} questions failed; the first: ${failed[0]!.failed}`);
  return failed.length === rows.length ? 1 : 0;
}

/** A set's corpus → the service's. Failure `invalid`. */
function corpora(named: readonly string[]): (name: string | null) => string | null {
  const ids = new Map(
    named.filter((one) => one.includes('=')).map((one) => one.split('=', 2) as [string, string]),
  );
  const [plain, another] = named.filter((one) => !one.includes('='));
  if (another !== undefined) throw new Failure('invalid', 'Name one corpus, or several as NAME=ID.');
  return (name) => (name === null ? (plain ?? null) : (ids.get(name) ?? plain ?? name));
}

function reportOf(file: string): Report {
  try {
    const report = JSON.parse(textOf(file)) as Report;
    if (report.format === 1 && Array.isArray(report.rows)) return report;
  } catch (error) {
    if (error instanceof Failure) throw error;
  }
  throw new Failure('invalid', `${file} was not written by eval --json.`);
}

const number = (value: number | null): string =>
  value === null ? '–' : Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toFixed(4)).toString();

/** Columns with the first to the left and the others to the right. */
function* table(lines: readonly (readonly string[])[]): Generator<string> {
  const widths = lines[0]!.map((_, n) => Math.max(...lines.map((line) => line[n]!.length)));
  for (const line of lines)
    yield line
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
      .join('  ')
      .trimEnd();
}

/** The figures of all questions and of each language and corpus there is. */
export function* figureLines(rows: readonly Row[]): Generator<string> {
  const groups = (['corpus', 'question_lang'] as const).flatMap((field) => {
    const values = [...new Set(rows.map((row) => row[field]))].filter((value) => value !== null).sort();
    return values.length < 2
      ? []
      : values.map((value) => ({ name: value, rows: rows.filter((row) => row[field] === value) }));
  });
  const columns = [{ name: 'all', rows }, ...groups];
  const lines = [
    ['', ...columns.map(({ name }) => name)],
    ['questions', ...columns.map(({ rows: some }) => String(some.length))],
    ...figures
      .filter(({ of }) => of(rows) !== null)
      .map(({ name, of }) => [name, ...columns.map(({ rows: some }) => number(of(some)))]),
  ];
  yield* table(lines);
  const categories = [...new Set(rows.flatMap(({ category }) => category ?? []))].sort();
  if (categories.length > 0) yield* categoryLines(rows, categories);
}

const categoryFigures = ['right', 'partly', 'wrong', 'wrongly refused', 'rightly refused'];

function* categoryLines(rows: readonly Row[], categories: readonly string[]): Generator<string> {
  yield '';
  const shown = figures.filter(({ name }) => categoryFigures.includes(name));
  yield* table([
    ['category', 'questions', ...shown.map(({ name }) => name)],
    ...categories.map((one) => {
      const some = rows.filter(({ category }) => category === one);
      return [one, String(some.length), ...shown.map(({ of }) => number(of(some)))];
    }),
  ]);
}

/** Changed questions that are printed; all stand in the JSON. */
const changesMax = 40;

function* comparisonLines({
  questions,
  left_out,
  figures: all,
  changed,
  reworded,
}: Comparison): Generator<string> {
  yield* table([
    [`${questions} questions`, 'before', 'now', 'difference', '95 % interval', ''],
    ...all.map(({ name, before, after, interval, significant }) => [
      name,
      number(before),
      number(after),
      before === null || after === null ? '–' : number(after - before),
      interval === null ? '' : `${number(interval.low)} to ${number(interval.high)}`,
      significant ? '*' : '',
    ]),
  ]);
  yield '* chance alone seldom makes such a difference (paired bootstrap over the questions)';
  if (left_out > 0) yield `${left_out} questions stand in one of the two runs only.`;
  yield `${changed.length} questions came out otherwise, ${reworded} more read otherwise.`;
  for (const { id, query, before, after } of changed.slice(0, changesMax))
    yield `  ${id}  ${query.slice(0, 80)}\n    ${before} → ${after}`;
  if (changed.length > changesMax) yield `  … ${changed.length - changesMax} more with --json`;
}
