/** The report of a run. A saved report can be compared with a later run. */
import { Failure } from '../../src/failures.ts';
import { version } from '../../src/version.ts';
import { type Comparison, compare, figuresOf } from './figures.ts';
import { textOf } from './questions.ts';
import type { Row } from './scoring.ts';

export interface Report {
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

/** `before`: an earlier run to compare with. */
export function reportOf(
  { set, service }: Pick<Report, 'set' | 'service'>,
  rows: Row[],
  before: Report | null = null,
): Report {
  return {
    format: 1,
    set,
    at: new Date().toISOString(),
    version,
    service,
    questions: rows.length,
    figures: figuresOf(rows),
    rows,
    ...(before && { comparison: compare(before.rows, rows) }),
  };
}

/** Failure `not_found`, or `invalid` for a file that is not a report. */
export function readReport(file: string): Report {
  try {
    const report = JSON.parse(textOf(file)) as Report;
    if (report.format === 1 && Array.isArray(report.rows)) return report;
  } catch (error) {
    if (error instanceof Failure) throw error;
  }
  throw new Failure('invalid', `${file} was not written by eval --json.`);
}
