/**
 * `npm run bench -- fit <folder…> --judged <questions.jsonl> <corpus=folder…> [--data <folder>] [--out <file>]`: learns
 * the weights of src/retrieval/weights.json. Each set is taken in as a corpus of its own (into a data folder that may be
 * kept for the next run), its questions are read as the service reads them, and two linear models are fitted to what
 * came of them:
 *
 * - sentences: of the sentences of the passages read, those whose quotation holds a gold answer are to come first
 *   (listwise: softmax over the sentences of a question, the likelihood of the right ones; L2);
 * - evidence: whether the set says that something answers the question (logistic, L2, Newton's method). Where a set
 *   has no such questions, a second corpus is made without the documents that answer every third question.
 *
 * Told are the figures of five-fold cross-validation and of each set by weights learned from the others alone.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planLookUps } from '../src/answering/plan.ts';
import { retrievalRequest } from '../src/answering/retrieval-request.ts';
import { withContext } from '../src/answering/sentences.ts';
import { understand } from '../src/answering/understanding.ts';
import { openApp } from '../src/app.ts';
import type { CorpusSettings, HistoryMessage } from '../src/domain/events.ts';
import { evidenceFeatures, evidenceSigns, weigh } from '../src/retrieval/evidence.ts';
import { wordScores } from '../src/retrieval/pipeline.ts';
import { type Reading, read } from '../src/retrieval/reading.ts';
import { Retriever } from '../src/retrieval/retrieve.ts';
import { describe, sentenceFeatures, signs } from '../src/retrieval/sentence-features.ts';
import { type LearnedWeights, learned } from '../src/retrieval/weights.ts';
import { modelPaths } from '../src/workers/adapter-config.ts';
import { openReadSide } from '../src/workers/open-read-models.ts';
import { contains } from './answers.ts';
import { configFor } from './asks.ts';
import { type Dataset, readDataset } from './dataset.ts';
import { withFolder } from './speed.ts';

type Gold = (quote: string) => boolean;

/** A question of a set, and what answers it. */
interface Asked {
  text: string;
  corpus_id: string;
  history: readonly HistoryMessage[];
  answerable: boolean;
  /** Whether a quotation holds a right answer; null where the set knows no answers. */
  isGold: Gold | null;
}

/** A question as the two models see it. */
interface Example {
  set: string;
  fold: number;
  answerable: boolean;
  sentences: readonly { features: Float64Array; isGold: boolean }[];
  reading: Reading;
}

const folds = 5;
/** What a question counts by its set: sets differ in size and in what they are like. Judged ones are as people ask. */
const countsOf = {
  sentences: (set: string) => (set === 'judged' ? 4 : set.startsWith('tydi-en') ? 2 : 1),
  evidence: (set: string) => (set === 'judged' ? 3 : set === 'squad2-dev' ? 0.25 : 1),
};

export interface FitOptions {
  folders: readonly string[];
  /** Questions in the format of judge.py, and the folders their corpora are taken in from. */
  judged: { questions: string; corpora: ReadonlyMap<string, string> } | null;
  /** Kept between runs; null: made for this one. */
  data: string | null;
  out: string | null;
}

/** Learns the weights; prints how well they do; returns them as they are stored. */
export async function fit(options: FitOptions): Promise<StoredWeights> {
  const run = async (data: string) => {
    const asked = new Map<string, Asked[]>();
    for (const folder of options.folders) {
      const set = readDataset(folder);
      await takeIn(data, set.name, set.documents);
      asked.set(set.name, questionsOf(set, set.name, new Set()));
      if (asked.get(set.name)!.every(({ answerable }) => answerable)) {
        const gone = new Set(
          set.queries.flatMap(({ id }, n) =>
            n % 3 === 0 ? [...(set.judgements.get(id)?.keys() ?? [])] : [],
          ),
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
    if (options.judged) {
      for (const [corpus_id, folder] of options.judged.corpora) await takeInFolder(data, corpus_id, folder);
      asked.set('judged', judgedQuestions(options.judged.questions));
    }
    return learn(await examplesOf(data, asked));
  };
  const weights = options.data === null ? await withFolder(run) : await run(options.data);
  if (options.out !== null) writeFileSync(options.out, `${JSON.stringify(weights, null, 2)}\n`);
  return weights;
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
    answerable:
      gone.size === 0 && answers
        ? answers.length > 0
        : [...(set.judgements.get(id)?.keys() ?? [])].some((document) => !gone.has(document)),
    isGold: answers && answers.length > 0 ? (quote) => contains(quote, answers) : null,
  }));

const folded = (text: string) => text.toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ');

/** A fact as judge.py finds it: it begins a word, and is a whole word where it is short or a number. */
function fact(way: string): RegExp {
  const source = folded(way).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whole = way.length <= 4 || /\d$/.test(way) ? '(?![\\p{L}\\p{N}])' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}${whole}`, 'u');
}

/** Of the judged questions those that words are to answer: neither small talk nor provisions asked for by number. */
function judgedQuestions(file: string): Asked[] {
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
        isGold: (quote: string) =>
          facts.length > 0 && facts.every((ways) => ways.some((way) => way.test(folded(quote)))),
      };
    });
}

/** Reads every question as the service reads it. */
async function examplesOf(data: string, asked: ReadonlyMap<string, readonly Asked[]>): Promise<Example[]> {
  const side = await openReadSide(modelPaths(data));
  const retriever = new Retriever(side.openIndex(await side.liveIndex()), null);
  const { items } = await side.find('corpora', {});
  const settings = new Map(items.map((one) => [one.corpus_id as string, one as unknown as CorpusSettings]));
  const examples: Example[] = [];
  for (const [set, questions] of asked) {
    for (const [n, { text, corpus_id, history, answerable, isGold }] of questions.entries()) {
      const corpus = { corpus_id, settings: settings.get(corpus_id)! };
      const { intent, lang, thread } = understand(text, history, corpus.settings);
      if (intent.kind === 'comparison' || intent.references.length > 0) continue;
      const last = planLookUps(intent, { thread }).attempts.at(-1)!;
      const lookUp =
        last.kind === 'passages' ? last.lookUp : last.kind === 'readings' ? last.lookUps[0] : null;
      if (!lookUp) continue;
      const reading = await read(retriever, retrievalRequest(corpus, lang, 12, lookUp));
      const { question, found, passages } = reading;
      const top = passages[0]?.match.score ?? 0;
      const sentences = passages.flatMap((passage, rank) =>
        passage.match.sentences.map(({ start, end }, at) => {
          const hit = found.hits[passage.place]!;
          const quote = withContext({ hit, start, end })
            .map((one) => hit.text.slice(one.start, one.end))
            .join(' ');
          return {
            features: describe(question, passage, { rank, n: at, top }),
            isGold: isGold?.(quote) ?? false,
          };
        }),
      );
      examples.push({ set, fold: n % folds, answerable, sentences, reading });
    }
  }
  await side.close();
  return examples;
}

/** Weights as they are stored: those of LearnedWeights, with where they come from. */
interface StoredWeights extends LearnedWeights {
  provenance: { how: string; sets: Record<string, number>; held: Record<string, Record<string, number>> };
}

function learn(examples: readonly Example[]): StoredWeights {
  const sets = [...new Set(examples.map(({ set }) => set))];
  const sentenceExamples = examples.filter(
    ({ answerable, sentences }) => answerable && sentences.some(({ isGold }) => isGold),
  );
  const told: Record<string, Record<string, number>> = {};
  const note = (set: string, name: string, value: number | null) => {
    if (value !== null) told[set] = { ...told[set], [name]: Math.round(value * 1000) / 1000 };
  };

  const best = learnSentences(sentenceExamples);
  const byFold = Array.from({ length: folds }, (_, fold) =>
    learnSentences(sentenceExamples.filter((one) => one.fold !== fold)),
  );
  const within = (weights: Float64Array, one: Example, few: number) =>
    ranked(one, weights)
      .slice(0, few)
      .some(({ isGold }) => isGold)
      ? 1
      : 0;
  for (const set of sets) {
    if (!sentenceExamples.some((one) => one.set === set)) continue;
    const own = examples.filter((one) => one.set === set && one.answerable);
    const others = learnSentences(sentenceExamples.filter((one) => one.set !== set));
    for (const few of [1, 2]) {
      note(set, `first ${few}`, mean(own.map((one) => within(byFold[one.fold]!, one, few))));
      note(set, `first ${few}, from other sets`, mean(own.map((one) => within(others, one, few))));
    }
  }

  const rows = new Map(examples.map((one) => [one, evidenceRow(one, best)]));
  const row = (one: Example) => rows.get(one)!;
  const odds = ({ weights, bias }: Logistic, one: Example) => dot(weights, row(one)) + bias;
  const evidence = learnEvidence(examples, row);
  const evidenceByFold = Array.from({ length: folds }, (_, fold) =>
    learnEvidence(
      examples.filter((one) => one.fold !== fold),
      row,
    ),
  );
  const crossed = (one: Example) => odds(evidenceByFold[one.fold]!, one);
  for (const set of sets) {
    const own = examples.filter((one) => one.set === set);
    const others = learnEvidence(
      examples.filter((one) => one.set !== set),
      row,
    );
    note(set, 'AUC', auc(own, crossed));
    note(
      set,
      'AUC, from other sets',
      auc(own, (one) => odds(others, one)),
    );
    for (const limit of [-1, -0.5, 0, 0.5]) {
      const refused = (isAnswerable: boolean) =>
        mean(
          own.filter((one) => one.answerable === isAnswerable).map((one) => (crossed(one) < limit ? 1 : 0)),
        );
      note(set, `refused at ${limit}`, refused(true));
      note(set, `rightly at ${limit}`, refused(false));
    }
  }
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  return {
    sentence: {
      weights: Object.fromEntries(sentenceFeatures.map((name, n) => [name, rounded(best[n]!)])),
    } as LearnedWeights['sentence'],
    evidence: {
      weights: Object.fromEntries(evidenceFeatures.map((name, n) => [name, rounded(evidence.weights[n]!)])),
      bias: rounded(evidence.bias),
      threshold: learned.evidence.threshold,
    } as LearnedWeights['evidence'],
    provenance: {
      how: 'npm run bench -- fit',
      sets: Object.fromEntries(sets.map((set) => [set, examples.filter((one) => one.set === set).length])),
      held: told,
    },
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;

function dot(weights: ArrayLike<number>, features: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < features.length; n++) sum += weights[n]! * features[n]!;
  return sum;
}

const ranked = ({ sentences }: Example, weights: Float64Array) =>
  sentences.map((one) => ({ ...one, score: dot(weights, one.features) })).sort((a, b) => b.score - a.score);

/** The features of the evidence, the sentence that is told first chosen by these weights. */
function evidenceRow(one: Example, weights: Float64Array): Float64Array {
  const { question, found, passages } = one.reading;
  const kindMissing = ranked(one, weights)[0]?.features[sentenceFeatures.indexOf('kindMissing')] === 1;
  const { features } = weigh(question, passages, wordScores(found.hits), kindMissing);
  return Float64Array.from(evidenceFeatures, (name) => features[name]);
}

/** Mean and deviation of each column: models are fitted to what is of one scale. */
function scale(rows: readonly Float64Array[]): { means: Float64Array; deviations: Float64Array } {
  const width = rows[0]!.length;
  const means = new Float64Array(width);
  const deviations = new Float64Array(width);
  for (const row of rows) for (let n = 0; n < width; n++) means[n]! += row[n]! / rows.length;
  for (const row of rows)
    for (let n = 0; n < width; n++) deviations[n]! += (row[n]! - means[n]!) ** 2 / rows.length;
  for (let n = 0; n < width; n++) deviations[n] = Math.sqrt(deviations[n]!) + 1e-6;
  return { means, deviations };
}

const steps = 100;
const l2 = { sentences: 4, evidence: 5 };

/** The weights by which right sentences come first: Adam on the listwise likelihood. */
function learnSentences(examples: readonly Example[]): Float64Array {
  const { means, deviations } = scale(
    examples.flatMap(({ sentences }) => sentences.map(({ features }) => features)),
  );
  const width = means.length;
  const data = examples.map(({ set, sentences }) => {
    const rows = new Float64Array(sentences.length * width);
    for (const [n, { features }] of sentences.entries())
      for (let f = 0; f < width; f++) rows[n * width + f] = (features[f]! - means[f]!) / deviations[f]!;
    return { counts: countsOf.sentences(set), rows, gold: sentences.map(({ isGold }) => (isGold ? 1 : 0)) };
  });
  const all = data.reduce((sum, { counts }) => sum + counts, 0);
  const weights = new Float64Array(width);
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  for (let step = 1; step <= steps; step++) {
    const slope = weights.map((weight) => (-l2.sentences * weight) / all);
    for (const { counts, rows, gold } of data) {
      const parts = new Float64Array(gold.length);
      let most = Number.NEGATIVE_INFINITY;
      for (let n = 0; n < gold.length; n++) {
        for (let f = 0; f < width; f++) parts[n]! += weights[f]! * rows[n * width + f]!;
        most = Math.max(most, parts[n]!);
      }
      let whole = 0;
      let right = 1e-12;
      for (let n = 0; n < gold.length; n++) {
        parts[n] = Math.exp(parts[n]! - most);
        whole += parts[n]!;
        right += gold[n]! * parts[n]!;
      }
      for (let n = 0; n < gold.length; n++) {
        const pull = ((gold[n]! * parts[n]!) / right - parts[n]! / whole) * (counts / all);
        for (let f = 0; f < width; f++) slope[f]! += pull * rows[n * width + f]!;
      }
    }
    for (let f = 0; f < width; f++) {
      first[f] = 0.9 * first[f]! + 0.1 * slope[f]!;
      second[f] = 0.99 * second[f]! + 0.01 * slope[f]! ** 2;
      const gain = first[f]! / (1 - 0.9 ** step) / (Math.sqrt(second[f]! / (1 - 0.99 ** step)) + 1e-8);
      weights[f]! += 0.06 * gain;
      const sign = signs[sentenceFeatures[f]!];
      if (sign !== undefined && weights[f]! * sign < 0) weights[f] = 0;
    }
  }
  return weights.map((weight, n) => weight / deviations[n]!);
}

interface Logistic {
  weights: Float64Array;
  bias: number;
}

/** Log odds that something answers a question: Newton's method, the bias not bounded. */
function learnEvidence(examples: readonly Example[], rowOf: (one: Example) => Float64Array): Logistic {
  const rows = examples.map(rowOf);
  const { means, deviations } = scale(rows);
  const width = means.length + 1;
  const data = rows.map((row, n) => ({
    row: Float64Array.from([...row].map((value, f) => (value - means[f]!) / deviations[f]!).concat(1)),
    counts: countsOf.evidence(examples[n]!.set),
    isTrue: examples[n]!.answerable ? 1 : 0,
  }));
  const weights = new Float64Array(width);
  for (let step = 0; step < 25; step++) {
    const slope = new Float64Array(width);
    const bend = Array.from({ length: width }, () => new Float64Array(width));
    for (let f = 0; f < width; f++) {
      const bound = f < width - 1 ? l2.evidence : 1e-6;
      slope[f] = -bound * weights[f]!;
      bend[f]![f] = bound;
    }
    for (const { row, counts, isTrue } of data) {
      const chance = 1 / (1 + Math.exp(-dot(weights, row)));
      for (let f = 0; f < width; f++) {
        slope[f]! += (isTrue - chance) * counts * row[f]!;
        const part = chance * (1 - chance) * counts * row[f]!;
        for (let g = 0; g < width; g++) bend[f]![g]! += part * row[g]!;
      }
    }
    const by = solve(bend, slope);
    for (let f = 0; f < width; f++) {
      weights[f]! += by[f]!;
      const name = evidenceFeatures[f];
      if (name !== undefined && weights[f]! * evidenceSigns[name] < 0) weights[f] = 0;
    }
  }
  const own = weights.slice(0, -1).map((weight, f) => weight / deviations[f]!);
  return { weights: own, bias: weights.at(-1)! - dot(own, means) };
}

/** Gauss's elimination with the largest pivot first. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, n) => Float64Array.from([...row, right[n]!]));
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let n = at + 1; n < size; n++) if (Math.abs(rows[n]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = n;
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    for (let n = 0; n < size; n++) {
      if (n === at) continue;
      const part = rows[n]![at]! / rows[at]![at]!;
      for (let f = at; f <= size; f++) rows[n]![f]! -= part * rows[at]![f]!;
    }
  }
  return Float64Array.from(rows, (row, n) => row[size]! / row[n]!);
}

/** The share of pairs of an answerable and an unanswerable question in which the former scores higher. */
function auc(examples: readonly Example[], score: (one: Example) => number): number | null {
  const yes = examples.filter(({ answerable }) => answerable).map(score);
  const no = examples.filter(({ answerable }) => !answerable).map(score);
  if (yes.length === 0 || no.length === 0) return null;
  let won = 0;
  for (const a of yes) for (const b of no) won += a > b ? 1 : a === b ? 0.5 : 0;
  return won / (yes.length * no.length);
}
