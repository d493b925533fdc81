/** The metrics of one answered question. */
import { answerScores } from './answer-metrics.ts';
import { citationScores, type Quoted, statementsOf } from './citation-metrics.ts';
import { type Judgement, judge } from './judging.ts';
import { isAnswerable, type Question } from './questions.ts';
import { rankingScores } from './retrieval-metrics.ts';

/** The service's result for a question. */
export interface Outcome {
  request_id: string | null;
  answer: string;
  /** null: it failed. */
  mode: string | null;
  lang: string | null;
  citations: Quoted[];
  /** Keys of the documents named as sources for the question, best first; null if they were not requested. */
  documents: string[] | null;
  /** Time to the first words and to the end, in ms. */
  first_ms: number | null;
  ms: number;
  cached: boolean;
  degraded: boolean;
  /** From the record of the ask; null if it cannot be read. */
  evidence: number | null;
  cost_micro_usd: number | null;
  /** Why there is no answer. */
  failed?: string;
}

/** A question with its answer and scores, as a report stores it. */
export interface Row extends Omit<Outcome, 'citations'> {
  id: string;
  query: string;
  corpus: string | null;
  question_lang: string | null;
  category: string | null;
  answerable: boolean | null;
  citations: { start: number; end: number; premise: string }[];
  verdict: string | null;
  why: string;
  /** By the names in figures.ts; absent if one does not apply. */
  scores: Record<string, number>;
}

const abstains = (mode: string | null) => mode === 'no_answer';
const isSmallTalk = (mode: string | null) => mode === 'greeting' || mode === 'meta';

/** The parts of an answer that have a citation; the whole answer if there are none. */
function citedText({ answer, citations }: Pick<Outcome, 'answer' | 'citations'>): string {
  if (citations.length === 0) return answer;
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of citations.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged.map(({ start, end }) => answer.slice(start, end)).join(' ');
}

export function rowOf(question: Question, outcome: Outcome): Row {
  const { id, query, corpus, lang, category, expectation } = question;
  const judgement = expectation && judge(expectation, outcome);
  return {
    id,
    query,
    corpus,
    question_lang: lang,
    category,
    answerable: isAnswerable(question),
    ...outcome,
    citations: outcome.citations.map(({ start, end, premise }) => ({ start, end, premise })),
    verdict: judgement?.verdict ?? null,
    why: judgement?.why ?? outcome.failed ?? '',
    scores: Object.fromEntries(
      Object.entries(scoresOf(question, outcome, judgement)).filter(
        (entry): entry is [string, number] => entry[1] !== null,
      ),
    ),
  };
}

function scoresOf(
  question: Question,
  outcome: Outcome,
  judgement: Judgement | null,
): Record<string, number | null> {
  const scores: Record<string, number | null> = {};
  const of = (condition: boolean) => (condition ? 1 : 0);
  if (outcome.documents) Object.assign(scores, rankingScores(outcome.documents, question.documents));
  const { answers } = question;
  const answerable = isAnswerable(question);
  const abstained = abstains(outcome.mode) || outcome.mode === null;
  if (answers) {
    const said = answerScores(abstained ? '' : citedText(outcome), answers);
    scores.EM = said.EM;
    scores.F1 = said.F1;
    if (answerable) {
      Object.assign(scores, { 'EM answerable': said.EM, 'F1 answerable': said.F1, contains: said.contains });
      if (!abstained) scores['F1 where answered'] = said.F1;
    }
    scores['contains or rightly abstains'] = said.contains ?? of(abstained);
  }
  if (answerable !== null) {
    if (abstained) scores['abstention precision'] = of(!answerable);
    scores[answerable ? 'false abstention' : 'abstention recall'] = of(abstained);
  }
  if (judgement) {
    const { verdict, first, repeats } = judgement;
    const group = {
      answer: ['right', 'partly', 'wrong', 'wrongly refused'],
      refusal: ['rightly refused'],
      reply: ['fitting'],
    };
    for (const one of group[question.expectation!.expect]) scores[one] = of(verdict === one);
    if (question.expectation!.expect === 'answer' && !abstains(outcome.mode)) {
      scores.repeats = of(repeats);
      if (first !== null) scores['first sentence holds'] = of(first);
    }
    scores['language fits'] = of(judgement.languageFits);
  }
  if (!abstained && !isSmallTalk(outcome.mode)) {
    const cited = citationScores(statementsOf(outcome.answer, outcome.citations));
    if (cited) {
      scores['citation recall'] = cited.recall;
      scores['citation precision'] = cited.precision;
    }
  }
  scores.failed = of(outcome.failed !== undefined);
  scores.cached = of(outcome.cached);
  scores.degraded = of(outcome.degraded);
  return scores;
}
