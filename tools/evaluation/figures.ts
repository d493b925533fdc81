/** The metrics of a run, and the differences between two runs over the same questions. */
import type { Row } from './scoring.ts';
import { auc, type Interval, mean, pairedInterval, percentile } from './statistics.ts';

export type Section =
  | 'retrieval'
  | 'answers'
  | 'judged'
  | 'abstention'
  | 'citations'
  | 'latency'
  | 'cost'
  | 'run';

export interface Figure {
  section: Section;
  name: string;
  /** null if the rows have no data for it. */
  of(rows: readonly Row[]): number | null;
}

const means = (section: Section, ...names: string[]): Figure[] =>
  names.map((name) => ({
    section,
    name,
    of: (rows) => mean(rows.flatMap(({ scores }) => scores[name] ?? [])),
  }));

/** The service's confidence that there is an answer; answers given without an evidence score count as certain. */
const confidence = ({ evidence, mode }: Row): number =>
  evidence ?? (mode === 'no_answer' || mode === null ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);

function abstentionAuc(rows: readonly Row[]): number | null {
  if (rows.every(({ evidence }) => evidence === null)) return null;
  const of = (answerable: boolean) => rows.filter((row) => row.answerable === answerable).map(confidence);
  return auc(of(true), of(false));
}

const times = (name: string, pick: (row: Row) => number | null, share: number): Figure => ({
  section: 'latency',
  name,
  of: (rows) =>
    percentile(
      rows.flatMap((row) => (row.failed === undefined ? (pick(row) ?? []) : [])),
      share,
    ),
});

/** US dollars. */
const costs = (rows: readonly Row[]) =>
  rows.flatMap(({ cost_micro_usd: one }) => (one === null ? [] : one / 1e6));

/** In printing order. */
export const figures: readonly Figure[] = [
  ...means('retrieval', 'nDCG@10', 'Recall@5', 'Recall@10', 'Recall@20', 'MRR@10'),
  ...means('answers', 'EM', 'F1', 'EM answerable', 'F1 answerable', 'F1 where answered', 'contains'),
  ...means('answers', 'contains or rightly abstains'),
  ...means('judged', 'right', 'partly', 'wrong', 'wrongly refused', 'rightly refused', 'fitting'),
  ...means('judged', 'first sentence holds', 'repeats', 'language fits'),
  { section: 'abstention', name: 'AUC', of: abstentionAuc },
  ...means('abstention', 'abstention recall', 'abstention precision', 'false abstention'),
  ...means('citations', 'citation recall', 'citation precision'),
  times('first words p50 ms', ({ first_ms }) => first_ms, 0.5),
  times('p50 ms', ({ ms }) => ms, 0.5),
  times('p95 ms', ({ ms }) => ms, 0.95),
  times('p99 ms', ({ ms }) => ms, 0.99),
  {
    section: 'cost',
    name: 'USD in all',
    of: (rows) => costs(rows).reduce<number | null>((sum, one) => (sum ?? 0) + one, null),
  },
  { section: 'cost', name: 'USD a question', of: (rows) => mean(costs(rows)) },
  ...means('run', 'failed', 'cached', 'degraded'),
];

/** By name; null if the rows have no data for it. */
export const figuresOf = (rows: readonly Row[]): Record<string, number | null> =>
  Object.fromEntries(figures.map(({ name, of }) => [name, of(rows)]));

export interface Difference {
  name: string;
  before: number | null;
  after: number | null;
  /** Confidence interval of the difference; null if unknown. */
  interval: Interval | null;
  /** Whether the interval excludes zero, so that the difference is unlikely to be chance. */
  significant: boolean;
}

/** A question with a changed answer. */
export interface Change {
  id: string;
  query: string;
  before: string;
  after: string;
}

export interface Comparison {
  /** Number of questions in both runs; others are excluded from the comparison. */
  questions: number;
  left_out: number;
  figures: Difference[];
  /** Questions with a different verdict, score or mode. */
  changed: Change[];
  /** Number of questions with a differently worded answer but equal scores. */
  reworded: number;
}

/** Compares two runs over their common questions. */
export function compare(before: readonly Row[], after: readonly Row[]): Comparison {
  const old = new Map(before.map((row) => [row.id, row]));
  const pairs = after.flatMap((row): [Row, Row][] => {
    const was = old.get(row.id);
    return was && was.query === row.query ? [[was, row]] : [];
  });
  const differences = figures.flatMap(({ name, of }): Difference[] => {
    const value = (sample: readonly number[]): [number | null, number | null] => [
      of(sample.map((n) => pairs[n]![0])),
      of(sample.map((n) => pairs[n]![1])),
    ];
    const [was, is] = value(pairs.map((_, n) => n));
    if (was === null && is === null) return [];
    const interval = was === is ? null : pairedInterval(pairs.length, value);
    const significant = interval !== null && (interval.low > 0 || interval.high < 0);
    return [{ name, before: was, after: is, interval, significant }];
  });
  const changed = pairs.flatMap(([was, is]): Change[] => {
    const [a, b] = [was, is].map(outcomeText) as [string, string];
    return a === b ? [] : [{ id: is.id, query: is.query, before: a, after: b }];
  });
  const ids = new Set(changed.map(({ id }) => id));
  return {
    questions: pairs.length,
    left_out: before.length + after.length - 2 * pairs.length,
    figures: differences,
    changed,
    reworded: pairs.filter(([was, is]) => was.answer !== is.answer && !ids.has(is.id)).length,
  };
}

/** Scores that apply to a single answer. */
const shownScores = ['contains', 'nDCG@10', 'citation recall', 'citation precision'];

/** A question's outcome in one line, for differences between runs. */
function outcomeText({ verdict, mode, scores, failed }: Row): string {
  if (failed !== undefined) return 'failed';
  const values = shownScores.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [`${name} ${Number(score.toFixed(2))}`];
  });
  return [
    verdict ?? mode ?? '',
    ...(verdict === null || verdict === mode ? [] : [`(${mode})`]),
    ...values,
  ].join(' ');
}
