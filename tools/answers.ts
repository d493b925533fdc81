/**
 * Measures of answers: "contains" is the share of answerable questions with a gold answer in the best one, two or
 * three sentences found, never abstaining; AUC tells answerable from unanswerable questions by the evidence score;
 * "quoted" is the share of answerable questions whose answer quotes a gold answer; "right" the share of all that are
 * so or are rightly left unanswered.
 */

import type { RetrievalResult } from '../src/answering/reading/read.ts';
import type { DatasetQuery } from './dataset.ts';
import { contains } from './evaluation/answer-metrics.ts';
import { auc } from './evaluation/statistics.ts';

/** What the service answered. */
export interface Given {
  answered: boolean;
  /** In the answer's order. */
  quotes: string[];
}

/** What is looked at of one question. */
export interface Outcome extends Given {
  query: DatasetQuery;
  /** Whether the set says that something answers it. */
  answerable: boolean;
  /** Best sentences, best first. */
  sentences: string[];
  evidence: RetrievalResult['evidence'];
}

/** What came of one question; `judged`: the set names documents for it. */
export function outcome(query: DatasetQuery, judged: boolean, found: RetrievalResult, given: Given): Outcome {
  return {
    query,
    answerable: query.answers ? query.answers.length > 0 : judged,
    sentences: found.sentences
      .slice(0, 3)
      .map(({ passage, start, end }) => found.hits[passage]!.text.slice(start, end)),
    evidence: found.evidence,
    ...given,
  };
}

const scoresOf = (list: readonly Outcome[]) => list.map(({ evidence }) => evidence.score);

const share = (list: readonly Outcome[], which: (one: Outcome) => boolean) =>
  list.length === 0 ? null : list.filter(which).length / list.length;

export function answerMetrics(list: readonly Outcome[]): Record<string, number | null> {
  const answerable = list.filter((one) => one.answerable);
  const unanswerable = list.filter((one) => !one.answerable);
  const golden = answerable.filter((one) => (one.query.answers?.length ?? 0) > 0);
  const quoted = (one: Outcome) => one.answered && contains(one.quotes.join('\n'), one.query.answers ?? []);
  const within = (n: number) => (one: Outcome) =>
    contains(one.sentences.slice(0, n).join('\n'), one.query.answers ?? []);
  return {
    questions: list.length,
    'contains 1': share(golden, within(1)),
    'contains 2': share(golden, within(2)),
    'contains 3': share(golden, within(3)),
    quoted: share(golden, quoted),
    AUC: auc(scoresOf(answerable), scoresOf(unanswerable)),
    refused: share(answerable, (one) => !one.answered),
    'recall of abstention': share(unanswerable, (one) => !one.answered),
    right: golden.length === 0 ? null : share(list, (one) => (one.answerable ? quoted(one) : !one.answered)),
  };
}
