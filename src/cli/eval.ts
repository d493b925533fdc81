/** `docent eval`: asks a set of questions, prints metrics, and compares them with an earlier run. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkFree, keepReport } from '../../tools/evaluation/kept.ts';
import { localService } from '../../tools/evaluation/local.ts';
import { comparisonLines, figureLines, writeJson } from '../../tools/evaluation/printing.ts';
import { type Question, readQuestions, textOf } from '../../tools/evaluation/questions.ts';
import { remoteService, sourcesWanted } from '../../tools/evaluation/remote.ts';
import { readReport, reportOf } from '../../tools/evaluation/report.ts';
import { type EvaluatedService, run } from '../../tools/evaluation/running.ts';
import type { Service } from '../app.ts';
import { Failure } from '../failures.ts';
import { interrupted, withBar } from './commands.ts';
import { counted, print, printMessage } from './output.ts';

export interface EvalOptions {
  /** `id`, or `name=id` for the corpus that is called `name` in the set. */
  corpus?: string[];
  qrels?: string;
  only?: string;
  limit?: number;
  atOnce: number;
  base?: string;
  /** Files that contain an API key and an administrator's `name:password`. */
  key?: string;
  admin?: string;
  json?: string;
  against?: string;
  /** The name under which the report is kept in the data folder. */
  keep?: string;
}

/**
 * The selected questions of a set. Fails with `not_found` if the file is missing, and with `invalid` if the set is
 * invalid.
 */
function questionsOf(file: string, { qrels, only, limit }: EvalOptions): Question[] {
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

/** Evaluates the service in this process. */
export async function evaluateApp(
  app: Service,
  data: string,
  file: string,
  options: EvalOptions,
): Promise<number> {
  await app.caughtUp();
  return evaluate({ service: localService(app, sourcesWanted), name: 'embedded', data }, file, options);
}

/** Evaluates a running server. */
export async function evaluateServer(
  base: string,
  data: string,
  file: string,
  options: EvalOptions,
): Promise<number> {
  let reported = false;
  const service = remoteService({
    base,
    key: options.key === undefined ? null : textOf(options.key).trim(),
    admin: options.admin === undefined ? null : textOf(options.admin).trim(),
    onLimited: (seconds) => {
      if (!reported) printMessage(`The server limits the rate of questions; waiting ${seconds} s this time.`);
      reported = true;
    },
  });
  return evaluate({ service, name: base, data }, file, options);
}

/** `data` is the folder in which reports are kept. */
async function evaluate(
  { service, name, data }: { service: EvaluatedService; name: string; data: string },
  file: string,
  options: EvalOptions,
): Promise<number> {
  if (options.keep !== undefined) checkFree(data, options.keep);
  const questions = questionsOf(file, options);
  const before = options.against === undefined ? null : readReport(options.against);
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
  const report = reportOf({ set: basename(file), service: name }, rows, before);
  await print(report.comparison ? comparisonLines(report.comparison) : figureLines(rows));
  if (options.json !== undefined) writeJson(options.json, report);
  if (options.keep !== undefined) keepReport(data, options.keep, report);
  const failed = rows.filter((row) => row.failed !== undefined);
  if (failed.length > 0)
    printMessage(`${counted(failed.length, 'question')} failed. The first failure: ${failed[0]!.failed}`);
  return failed.length === rows.length ? 1 : 0;
}

/** Maps a corpus in the set to one in the service. May fail with `invalid`. */
function corpora(named: readonly string[]): (name: string | null) => string | null {
  const ids = new Map(
    named.filter((one) => one.includes('=')).map((one) => one.split('=', 2) as [string, string]),
  );
  const [plain, another] = named.filter((one) => !one.includes('='));
  if (another !== undefined) throw new Failure('invalid', 'Specify one corpus, or several as NAME=ID.');
  return (name) => (name === null ? (plain ?? null) : (ids.get(name) ?? plain ?? name));
}
