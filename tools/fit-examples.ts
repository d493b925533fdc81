/**
 * What the weights are learned from (fit.ts): the questions of sets, read as the service reads them, with the features
 * of every sentence that may answer one and whether it does.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lookUpOf, retrievalRequest } from '../src/answering/kinds/tools.ts';
import { type MatchedRetrieval, retrieveAndMatch } from '../src/answering/reading/retrieve-and-match.ts';
import { Retriever } from '../src/answering/reading/retriever.ts';
import { describe, standsForList } from '../src/answering/reading/sentence-features.ts';
import { understand } from '../src/answering/understanding/question.ts';
import { withContext } from '../src/answering/writing/sentences.ts';
import { openApp } from '../src/app.ts';
import type { CorpusSettings, HistoryMessage } from '../src/domain/events.ts';
import { modelPaths } from '../src/workers/adapter-config.ts';
import { openReadSide } from '../src/workers/open-read-models.ts';
import { configFor } from './asks.ts';
import { type Dataset, readDataset } from './dataset.ts';
import { contains } from './evaluation/answer-metrics.ts';

type Gold = (quote: string) => boolean;

/** A question of a set, and what answers it. */
export interface Asked {
  text: string;
  corpus_id: string;
  history: readonly HistoryMessage[];
  answerable: boolean;
  /** Written as people ask, over documents of the kinds there are. */
  asPeopleAsk: boolean;
  /** Nothing is learned from it. */
  held: boolean;
  /** Whether a quotation holds a right answer; null where the set knows no answers. */
  isGold: Gold | null;
}

/** Questions are kept apart in so many parts. */
export const folds = 5;

/** A question as the two models see it. */
export interface Example extends Pick<Asked, 'answerable' | 'asPeopleAsk' | 'held'> {
  set: string;
  fold: number;
  /** `rank`: of their passage among those read, `n`: theirs in it. */
  sentences: readonly { features: Float64Array; rank: number; n: number; isGold: boolean }[];
  reading: MatchedRetrieval;
}

/** The sets that are learned from: folders of the shared sets, and files of questions with facts over corpora. */
export interface FitSets {
  folders: readonly string[];
  /** Files of questions in the format of judge.py: one set each. */
  questions: readonly string[];
  /** The same, only measured with what was learned from the others. */
  held: readonly string[];
  /** The folders that the corpora of those questions are taken in from. */
  corpora: ReadonlyMap<string, string>;
}

/** Takes the sets into a data folder, where they are not there yet, and reads their questions. */
export async function examplesOf(data: string, sets: FitSets): Promise<Example[]> {
  const asked = new Map<string, Asked[]>();
  for (const folder of sets.folders) {
    const set = readDataset(folder);
    await takeIn(data, set.name, set.documents);
    asked.set(set.name, questionsOf(set, set.name, new Set()));
    if (asked.get(set.name)!.every(({ answerable }) => answerable)) {
      const gone = new Set(
        set.queries.flatMap(({ id }, n) => (n % 3 === 0 ? [...(set.judgements.get(id)?.keys() ?? [])] : [])),
      );
      const name = `${set.name}-less`;
      await takeIn(
        data,
        name,
        set.documents.filter(({ id }) => !gone.has(id)),
      );
      asked.set(name, questionsOf(set, name, gone));
    }
  }
  for (const [corpus_id, folder] of sets.corpora) await takeInFolder(data, corpus_id, folder);
  for (const file of [...sets.questions, ...sets.held])
    asked.set(basename(file, '.jsonl'), factQuestions(file, sets.held.includes(file)));
  return examplesFrom(data, asked);
}

async function takeIn(data: string, corpus_id: string, documents: Dataset['documents']): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'docent-fit-')), `${corpus_id}.jsonl`);
  writeFileSync(file, documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await takeInFolder(data, corpus_id, file);
}

async function takeInFolder(data: string, corpus_id: string, path: string): Promise<void> {
  const app = await openApp(configFor(data));
  try {
    const there = await app.corpora();
    if (there.some((one) => one.corpus_id === corpus_id)) return;
    await app.ingest({ path, corpus_id, layer: null, prune: false, yes: false, actor: 'system' });
  } finally {
    await app.close();
  }
}

const questionsOf = (set: Dataset, corpus_id: string, gone: ReadonlySet<string>): Asked[] =>
  set.queries.map(({ id, text, answers }) => ({
    text,
    corpus_id,
    history: [],
    asPeopleAsk: false,
    held: false,
    answerable:
      gone.size === 0 && answers
        ? answers.length > 0
        : [...(set.judgements.get(id)?.keys() ?? [])].some((document) => !gone.has(document)),
    isGold: answers && answers.length > 0 ? (quote) => contains(quote, answers) : null,
  }));

const folded = (text: string) => text.toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ');

/** A fact further behind is buried. */
const nearWords = 40;

/** A fact as judge.py finds it: it begins a word, and is a whole word where it is short or a number. */
function fact(way: string): RegExp {
  const source = folded(way).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whole = way.length <= 4 || /\d$/.test(way) ? '(?![\\p{L}\\p{N}])' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}${whole}`, 'u');
}

/** Of a file's questions those that words are to answer: neither small talk nor provisions asked for by number. */
function factQuestions(file: string, held: boolean): Asked[] {
  const others = ['exact-ref', 'missing-ref', 'comparison', 'style', 'injection', 'other-task', 'structure'];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ expect, category }) => expect !== 'reply' && !others.includes(category))
    .map(({ query, corpus, history, expect, must_contain }) => {
      const facts: RegExp[][] = (must_contain ?? []).map((one: string) => one.split('|').map(fact));
      return {
        text: query,
        corpus_id: corpus,
        history: history ?? [],
        answerable: expect === 'answer',
        asPeopleAsk: true,
        held,
        isGold: (quote: string) => {
          const near = folded(quote).split(' ').slice(0, nearWords).join(' ');
          return facts.length > 0 && facts.every((ways) => ways.some((way) => way.test(near)));
        },
      };
    });
}

/** Reads every question as the service reads it. */
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
