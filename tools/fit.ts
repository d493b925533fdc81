/**
 * `npm run bench -- fit`: learns the weights in src/reading/weights.json. Each set is ingested as a separate
 * corpus (into a data folder that may be kept for the next run), its questions are read as the service reads them, and
 * two linear models are fitted to the results:
 *
 * - sentences: among the sentences of the passages read, those that contain a gold answer should rank first
 *   (listwise: softmax over the sentences of a question, likelihood of the correct ones; L2);
 * - evidence: whether one of the first two sentences answers the question (logistic, L2, Newton's method). If a set has
 *   no unanswerable questions, a second corpus is created without the documents that answer every third question.
 *
 * The figures come from five-fold cross-validation; with `--held`, from questions excluded from training. The threshold
 * maximises the value of answering for questions worded as people ask.
 */
import { parseArgs } from 'node:util';
import { wordScores } from '../src/answering/retrieval/retrieve.ts';
import { type Evidence, evidenceFeatures, evidenceSigns, weigh } from '../src/reading/evidence.ts';
import { sentenceFeatures, signs } from '../src/reading/sentence-features.ts';
import { byName, certaintyOf } from '../src/reading/sentence-model.ts';
import { type LearnedWeights, learned } from '../src/reading/weights.ts';
import { writeJson } from './evaluation/printing.ts';
import { auc, mean } from './evaluation/statistics.ts';
import { type Example, examplesOf, type FitSets, folds } from './fit-examples.ts';
import { withFolder } from './speed.ts';

/** Weights of questions by set, because sets differ in size and kind. */
const countsOf = {
  sentences: ({ set, asPeopleAsk }: Example) => (asPeopleAsk ? 4 : set.startsWith('tydi-en') ? 2 : 1),
  evidence: ({ set, asPeopleAsk }: Example) => (asPeopleAsk ? 3 : set === 'squad2-dev' ? 0.25 : 1),
};

export interface FitOptions extends FitSets {
  /** The data folder, kept between runs; null: a folder for this run only. */
  data: string | null;
  out: string | null;
}

/** Set folders and `corpus=folder` may be given in any order. */
export function fitOptions(args: readonly string[]): FitOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { questions: text, held: text, data: text, out: text },
    allowPositionals: true,
  });
  const named = positionals.filter((one) => one.includes('='));
  return {
    folders: positionals.filter((one) => !one.includes('=')),
    questions: values.questions?.split(',') ?? [],
    held: values.held?.split(',') ?? [],
    corpora: new Map(named.map((one) => one.split('=', 2) as [string, string])),
    data: values.data ?? null,
    out: values.out ?? null,
  };
}

/** Learns and stores the weights; returns the figures of each set. */
export async function fitWeights(options: FitOptions): Promise<Record<string, unknown>[]> {
  const run = async (data: string) => learn(await examplesOf(data, options));
  const weights = options.data === null ? await withFolder(run) : await run(options.data);
  if (options.out !== null) writeJson(options.out, weights);
  return Object.entries(weights.provenance.held).map(([set, held]) => ({ set, ...held }));
}

/** The stored weights, with their provenance. */
interface StoredWeights extends LearnedWeights {
  provenance: { how: string; sets: Record<string, number>; held: Record<string, Record<string, number>> };
}

function learn(examples: readonly Example[]): StoredWeights {
  const sets = [...new Set(examples.map(({ set }) => set))];
  const learnt = examples.filter(({ held }) => !held);
  const sentenceExamples = learnt.filter(
    ({ answerable, sentences }) => answerable && sentences.some(({ isGold }) => isGold),
  );
  const figures: Record<string, Record<string, number>> = {};
  const note = (set: string, name: string, value: number | null) => {
    if (value !== null) figures[set] = { ...figures[set], [name]: Math.round(value * 1000) / 1000 };
  };

  const best = learnSentences(sentenceExamples);
  const byFold = Array.from({ length: folds }, (_, fold) =>
    learnSentences(sentenceExamples.filter((one) => one.fold !== fold)),
  );
  const unseen = (one: Example) => (one.held ? best : byFold[one.fold]!);
  for (const set of sets) {
    const own = examples.filter((one) => one.set === set && one.answerable);
    if (!own.some(({ sentences }) => sentences.some(({ isGold }) => isGold))) continue;
    for (const few of [1, 2])
      note(set, `first ${few}`, mean(own.map((one) => within(unseen(one), one, few))));
  }

  const weighed = new Map(examples.map((one) => [one, evidenceOf(one, unseen(one))]));
  const row = (one: Example) => {
    const { features } = weighed.get(one)!;
    return Float64Array.from(evidenceFeatures, (name) => features[name]);
  };
  const odds = ({ weights, bias }: Logistic, one: Example) => dot(weights, row(one)) + bias;
  const known = new Set(
    learnt.filter(({ sentences }) => sentences.some(({ isGold }) => isGold)).map(({ set }) => set),
  );
  const isRight = (one: Example) => within(unseen(one), one, 2) === 1;
  const evidenceFrom = (some: readonly Example[]) =>
    learnEvidence(
      some.filter(({ set }) => known.has(set)),
      row,
      isRight,
    );
  const evidence = evidenceFrom(learnt);
  const evidenceByFold = Array.from({ length: folds }, (_, fold) =>
    evidenceFrom(learnt.filter((one) => one.fold !== fold)),
  );
  const crossed = (one: Example) => odds(one.held ? evidence : evidenceByFold[one.fold]!, one);
  const answers = (one: Example, limit: number) => crossed(one) >= limit;
  const threshold = bestThreshold(
    learnt.filter(({ asPeopleAsk }) => asPeopleAsk),
    answers,
    isRight,
  );
  for (const set of sets) {
    const own = examples.filter((one) => one.set === set);
    const oddsOf = (isAnswerable: boolean) =>
      own.filter(({ answerable }) => answerable === isAnswerable).map(crossed);
    note(set, 'AUC', auc(oddsOf(true), oddsOf(false)));
    note(set, 'wrongly refused', mean(refusals(own, true, threshold, answers)));
    note(set, 'rightly refused', mean(refusals(own, false, threshold, answers)));
  }
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  return {
    sentence: {
      weights: Object.fromEntries(sentenceFeatures.map((name, n) => [name, rounded(best[n]!)])),
    } as LearnedWeights['sentence'],
    evidence: {
      weights: Object.fromEntries(evidenceFeatures.map((name, n) => [name, rounded(evidence.weights[n]!)])),
      bias: rounded(evidence.bias),
      threshold,
    },
    provenance: {
      how: 'npm run bench -- fit; the questions are described in docs/decisions/learned-weights.md',
      sets: Object.fromEntries(sets.map((set) => [set, examples.filter((one) => one.set === set).length])),
      held: figures,
    },
  };
}

function dot(weights: ArrayLike<number>, features: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < features.length; n++) sum += weights[n]! * features[n]!;
  return sum;
}

const ranked = ({ sentences }: Example, weights: Float64Array) =>
  sentences.map((one) => ({ ...one, score: dot(weights, one.features) })).sort((a, b) => b.score - a.score);

/** Whether a correct sentence is among the best few. */
const within = (weights: Float64Array, one: Example, few: number): number =>
  ranked(one, weights)
    .slice(0, few)
    .some(({ isGold }) => isGold)
    ? 1
    : 0;

/** The evidence if these weights choose the first sentence; its score is computed with the stored weights. */
function evidenceOf(one: Example, weights: Float64Array): Evidence {
  const { question, found, passages } = one.reading;
  const all = ranked(one, weights);
  const [first] = all;
  return weigh(
    question,
    passages,
    wordScores(found.hits),
    first
      ? {
          passage: first.rank,
          n: first.n,
          features: byName(first.features),
          certainty: certaintyOf(all.map(({ score }) => score)),
        }
      : null,
  );
}

/** The cost of a wrong answer; a correct one is worth 1, an abstention 0. */
const wrongAnswerCosts = 1;

/** 1 for each abstention, by whether the question is answerable. */
const refusals = (
  examples: readonly Example[],
  isAnswerable: boolean,
  limit: number,
  answers: (one: Example, limit: number) => boolean,
): number[] =>
  examples
    .filter(({ answerable }) => answerable === isAnswerable)
    .map((one) => (answers(one, limit) ? 0 : 1));

/** The log odds that maximise the value of answering on questions excluded from training. */
function bestThreshold(
  examples: readonly Example[],
  answers: (one: Example, limit: number) => boolean,
  isRight: (one: Example) => boolean,
): number {
  const limits = Array.from({ length: 81 }, (_, n) => (n - 60) / 20);
  const worth = limits.map(
    (limit) =>
      mean(examples.map((one) => (!answers(one, limit) ? 0 : isRight(one) ? 1 : -wrongAnswerCosts))) ?? 0,
  );
  const most = Math.max(...worth);
  const found = limits.filter((_, n) => worth[n]! > most - 0.005);
  return found[Math.floor(found.length / 2)]!;
}

/** Mean and deviation of each column, for scaling the features. */
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

/**
 * The weights that rank correct sentences first: Adam on the listwise likelihood. The penalty (L2) pulls towards the
 * stored weights, because much of their training data is not in the sets of a single run.
 */
function learnSentences(examples: readonly Example[]): Float64Array {
  const { means, deviations } = scale(
    examples.flatMap(({ sentences }) => sentences.map(({ features }) => features)),
  );
  const width = means.length;
  const data = examples.map((one) => {
    const { sentences } = one;
    const rows = new Float64Array(sentences.length * width);
    for (const [n, { features }] of sentences.entries())
      for (let f = 0; f < width; f++) rows[n * width + f] = (features[f]! - means[f]!) / deviations[f]!;
    return { counts: countsOf.sentences(one), rows, gold: sentences.map(({ isGold }) => (isGold ? 1 : 0)) };
  });
  const all = data.reduce((sum, { counts }) => sum + counts, 0);
  const stored = Float64Array.from(
    sentenceFeatures,
    (name, f) => (learned.sentence.weights[name] ?? 0) * deviations[f]!,
  );
  const weights = stored.slice();
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  for (let step = 1; step <= steps; step++) {
    const slope = weights.map((weight, f) => (-l2.sentences * (weight - stored[f]!)) / all);
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

/** The log odds of an outcome by Newton's method (logistic regression); the bias is unconstrained. */
function learnEvidence(
  examples: readonly Example[],
  rowOf: (one: Example) => Float64Array,
  isTrueOf: (one: Example) => boolean,
): Logistic {
  const rows = examples.map(rowOf);
  const { means, deviations } = scale(rows);
  const width = means.length + 1;
  const data = rows.map((row, n) => ({
    row: Float64Array.from([...row].map((value, f) => (value - means[f]!) / deviations[f]!).concat(1)),
    counts: countsOf.evidence(examples[n]!),
    isTrue: isTrueOf(examples[n]!) ? 1 : 0,
  }));
  const stored = Float64Array.from(
    evidenceFeatures,
    (name, f) => (learned.evidence.weights[name] ?? 0) * deviations[f]!,
  );
  const weights = Float64Array.from([...stored, 0]);
  for (let step = 0; step < 25; step++) {
    const slope = new Float64Array(width);
    const bend = Array.from({ length: width }, () => new Float64Array(width));
    for (let f = 0; f < width; f++) {
      const bound = f < width - 1 ? l2.evidence : 1e-6;
      slope[f] = -bound * (weights[f]! - (stored[f] ?? 0));
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

/** Gaussian elimination with partial pivoting. */
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
