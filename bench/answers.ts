/**
 * Measures of answers: "contains" is the share of answerable questions with a gold answer in the best one, two or
 * three sentences found, never abstaining; AUC tells answerable from unanswerable questions by the evidence score;
 * "quoted" is the share of answerable questions whose answer quotes a gold answer; "right" the share of all that are
 * so or are rightly left unanswered.
 */
import type { RetrievalResult } from '../src/retrieval/pipeline.ts';
import type { DatasetQuery } from './dataset.ts';

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

/** As score.py normalises answers: SQuAD's rules for both languages. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/\u0300|\u0301|\u00ad|\u200b/g, '')
    .replace(/\p{Pd}/gu, ' ')
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ');
}

/** Whether one of the gold answers stands in a text, whole words only. */
export function contains(text: string, answers: readonly string[]): boolean {
  const within = ` ${normalise(text)} `;
  return answers.some((answer) => normalise(answer) !== '' && within.includes(` ${normalise(answer)} `));
}

/** Share of pairs (answerable, unanswerable) in which the answerable one scores higher; ties count half. */
export function auc(outcomes: readonly Outcome[]): number | null {
  const yes = outcomes.filter((one) => one.answerable).map((one) => one.evidence.score);
  const no = outcomes.filter((one) => !one.answerable).map((one) => one.evidence.score);
  if (yes.length === 0 || no.length === 0) return null;
  let won = 0;
  for (const a of yes) for (const b of no) won += a > b ? 1 : a === b ? 0.5 : 0;
  return won / (yes.length * no.length);
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
    AUC: auc(list),
    refused: share(answerable, (one) => !one.answered),
    'recall of abstention': share(unanswerable, (one) => !one.answered),
    right: golden.length === 0 ? null : share(list, (one) => (one.answerable ? quoted(one) : !one.answered)),
  };
}
