/**
 * The training data for the weights (fit.ts): the questions of sets, read as the service reads them, with the features
 * of every candidate sentence and whether it is an answer.
 */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lookUpOf, retrievalRequest } from '../src/answering/kinds/tools.ts';
import { type MatchedRetrieval, retrieveAndMatch } from '../src/answering/retrieval/retrieve-and-match.ts';
import { Retriever } from '../src/answering/retrieval/retriever.ts';
import { withContext } from '../src/answering/writing/sentences.ts';
import { openApp } from '../src/app.ts';
import type { CorpusSettings, HistoryMessage } from '../src/domain/events.ts';
import { understand } from '../src/question/question.ts';
import { describe, standsForList } from '../src/reading/sentence-features.ts';
import { modelPaths } from '../src/workers/adapter-config.ts';
import { openReadSide } from '../src/workers/open-read-models.ts';
import { contains } from './evaluation/answer-metrics.ts';
import { holds } from './evaluation/judging.ts';
import { isAnswerable, type Question, readQuestions, readSet, textOf } from './evaluation/questions.ts';
import { configFor, takeIn, withFolder } from './speed.ts';

type Gold = (quote: string) => boolean;

/** A question of a set, and its answers. */
export interface Asked {
  text: string;
  corpus_id: string;
  history: readonly HistoryMessage[];
  answerable: boolean;
  /** Whether the question is worded as people ask, over typical documents. */
  asPeopleAsk: boolean;
  /** Whether it is excluded from training. */
  held: boolean;
  /** Whether a quotation contains a correct answer; null if the set has no answers. */
  isGold: Gold | null;
}

/** Number of parts for cross-validation. */
export const folds = 5;

/** A question as input for the two models. */
export interface Example extends Pick<Asked, 'answerable' | 'asPeopleAsk' | 'held'> {
  set: string;
  fold: number;
  /** `rank`: the rank of their passage among those read; `n`: their index in the passage. */
  sentences: readonly { features: Float64Array; rank: number; n: number; isGold: boolean }[];
  reading: MatchedRetrieval;
}

/** The training sets: folders of the shared sets, and files of questions with facts about corpora. */
export interface FitSets {
  folders: readonly string[];
  /** Files of questions in the format of judge.py, one set each. */
  questions: readonly string[];
  /** The same, but only for measurement. */
  held: readonly string[];
  /** The folders from which the corpora of those questions are ingested. */
  corpora: ReadonlyMap<string, string>;
}

/** Ingests the sets into a data folder, unless they are already there, and reads their questions. */
export async function examplesOf(data: string, sets: FitSets): Promise<Example[]> {
  const asked = new Map<string, Asked[]>();
  for (const folder of sets.folders) {
    const { name, documents, questions } = readSet(folder);
    await takeInLines(data, name, documents);
    asked.set(
      name,
      questions.map((question) => setQuestion(question, name, new Set())),
    );
    if (asked.get(name)!.some(({ answerable }) => !answerable)) continue;
    const gone = new Set(questions.flatMap((one, n) => (n % 3 === 0 ? [...one.documents.keys()] : [])));
    const less = `${name}-less`;
    const left = documents.filter((line) => !gone.has(JSON.parse(line).id));
    await takeInLines(data, less, left);
    asked.set(
      less,
      questions.map((question) => setQuestion(question, less, gone)),
    );
  }
  for (const [corpus_id, folder] of sets.corpora) await takeInOnce(data, corpus_id, folder);
  for (const file of [...sets.questions, ...sets.held])
    asked.set(basename(file, '.jsonl'), factQuestions(file, sets.held.includes(file)));
  return examplesFrom(data, asked);
}

const takeInLines = (data: string, corpus_id: string, documents: readonly string[]): Promise<void> =>
  withFolder(async (folder) => {
    const file = join(folder, `${corpus_id}.jsonl`);
    writeFileSync(file, documents.map((line) => `${line}\n`).join(''));
    await takeInOnce(data, corpus_id, file);
  });

/** Ingests a corpus unless an earlier run has done so. */
async function takeInOnce(data: string, corpus_id: string, path: string): Promise<void> {
  const app = await openApp(configFor(data));
  try {
    const there = await app.corpora();
    if (!there.some((one) => one.corpus_id === corpus_id)) await takeIn(app, path, corpus_id);
  } finally {
    await app.close();
  }
}

function setQuestion(question: Question, corpus_id: string, gone: ReadonlySet<string>): Asked {
  const { query, answers, documents } = question;
  const answerable =
    gone.size === 0 && answers
      ? isAnswerable(question)!
      : [...documents.keys()].some((document) => !gone.has(document));
  return {
    text: query,
    corpus_id,
    history: [],
    asPeopleAsk: false,
    held: false,
    answerable,
    isGold: answers && answers.length > 0 ? (quote) => contains(quote, answers) : null,
  };
}

/** A fact further into the answer counts as buried. */
const nearWords = 40;

/** The questions in a file that words should answer: neither small talk nor provisions requested by number. */
function factQuestions(file: string, held: boolean): Asked[] {
  const others = ['exact-ref', 'missing-ref', 'comparison', 'style', 'injection', 'other-task', 'structure'];
  return readQuestions(textOf(file), null).flatMap(({ query, corpus, category, history, expectation }) => {
    if (!expectation || expectation.expect === 'reply' || others.includes(category ?? '')) return [];
    const { expect, must_contain: facts = [] } = expectation;
    const isGold = (quote: string) => {
      const near = quote.trim().split(/\s+/).slice(0, nearWords).join(' ');
      return facts.length > 0 && facts.every((fact) => holds(fact, near));
    };
    const of = { text: query, corpus_id: corpus!, history, answerable: expect === 'answer' };
    return [{ ...of, asPeopleAsk: true, held, isGold }];
  });
}

/** Reads every question as the service does. */
async function examplesFrom(data: string, asked: ReadonlyMap<string, readonly Asked[]>): Promise<Example[]> {
  const side = await openReadSide(modelPaths(data));
  const retriever = new Retriever(side.openIndex(await side.liveIndex()), null);
  const { items } = await side.find('corpora', {});
  const settings = new Map(items.map((one) => [one.corpus_id as string, one as unknown as CorpusSettings]));
  const examples: Example[] = [];
  for (const [set, questions] of asked) {
    for (const [n, { text, corpus_id, history, isGold, ...of }] of questions.entries()) {
      const corpus = { corpus_id, settings: settings.get(corpus_id)! };
      const asked = understand(text, history, corpus.settings);
      if (asked.editions.compared || asked.references.length > 0) continue;
      const request = retrievalRequest(corpus, asked.lang, 12, lookUpOf(asked));
      const reading = await retrieveAndMatch(retriever, request);
      const { question, found, passages } = reading;
      const top = passages[0]?.match.score ?? 0;
      const sentences = passages.flatMap((passage, rank) =>
        passage.match.sentences.map((sentence, at) => {
          const { start, end, own } = sentence;
          const hit = found.hits[passage.hitIndex]!;
          const whole = standsForList(question, passage, sentence) && { whole: true as const };
          const quote = withContext({ hit, start, end, own, ...whole })
            .map((one) => hit.text.slice(one.start, one.end))
            .join(' ');
          return {
            features: describe(question, passage, { n: at, top }),
            rank,
            n: at,
            isGold: isGold?.(quote) ?? false,
          };
        }),
      );
      examples.push({ ...of, set, fold: n % folds, sentences, reading });
    }
  }
  await side.close();
  return examples;
}
