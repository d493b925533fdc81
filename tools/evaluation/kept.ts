/** Reports of `docent eval`, stored in the data folder by name. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, type FailureCode } from '../../src/failures.ts';
import { type Comparison, compare } from './figures.ts';
import { type Report, readReport } from './report.ts';
import type { Row } from './scoring.ts';

/** A report without its rows. */
export interface KeptReport extends Omit<Report, 'rows' | 'format' | 'comparison'> {
  name: string;
}

/** A report with a page of its rows. */
export interface ReadReport extends KeptReport {
  rows: Row[];
  /** Its differences from another report, if requested. */
  comparison: Comparison | null;
}

export type KeptTask =
  | { ask: 'list' }
  | { ask: 'read'; name: string; against: string | null; limit: number; offset: number };

export type KeptReply = { value: unknown } | { failure: { code: FailureCode; detail: string } };

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const ending = '.json';

const folderIn = (data: string) => join(data, 'evaluations');

/** Failure `invalid` for a name that could leave the folder. */
function fileOf(data: string, name: string): string {
  if (!namePattern.test(name))
    throw new Failure(
      'invalid',
      'The name of a report has at most 100 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
    );
  return join(folderIn(data), `${name}${ending}`);
}

/** Failure `invalid` for an invalid name; `conflict` for a name in use. */
export function checkFree(data: string, name: string): void {
  if (existsSync(fileOf(data, name)))
    throw new Failure('conflict', `A report "${name}" already exists; choose another name.`);
}

/** Stores a report. Failures as for `checkFree`. */
export function keepReport(data: string, name: string, report: Report): void {
  checkFree(data, name);
  mkdirSync(folderIn(data), { recursive: true });
  writeFileSync(fileOf(data, name), `${JSON.stringify(report)}\n`, { flag: 'wx', mode: 0o600 });
}

/** Executes a task in the calling thread. Failure `not_found`, `invalid`. */
export function doTask(data: string, task: KeptTask): KeptReport[] | ReadReport {
  if (task.ask === 'list') return listed(data);
  const { name, against, limit, offset } = task;
  const report = read(data, name);
  const comparison = against === null ? null : compare(read(data, against).rows, report.rows);
  return { ...headOf(name, report), rows: report.rows.slice(offset, offset + limit), comparison };
}

/** Latest first. Files that are not reports are omitted. */
function listed(data: string): KeptReport[] {
  const folder = folderIn(data);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(ending)) : [];
  return files
    .map((file) => file.slice(0, -ending.length))
    .filter((name) => namePattern.test(name))
    .flatMap((name) => {
      try {
        return [headOf(name, readReport(fileOf(data, name)))];
      } catch {
        return [];
      }
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

function read(data: string, name: string): Report {
  const file = fileOf(data, name);
  if (!existsSync(file)) throw new Failure('not_found', `There is no report "${name}".`);
  try {
    return readReport(file);
  } catch {
    throw new Failure('invalid', `The file of the report "${name}" does not contain a report.`);
  }
}

function headOf(name: string, { set, at, version, service, questions, figures }: Report): KeptReport {
  return { name, set, at, version, service, questions, figures };
}
