/**
 * Scores candidates against a question, from the word ids held in memory.
 *
 * Source: Okapi BM25 (Robertson and others, TREC-3) over four kinds of terms, with weights measured on Russian and
 * English question sets (k1 1.2; idf = ln(1 + (N − df + .5) / (df + .5)), a term counted as often as it is asked):
 *   A = BM(stems, title and body; b .75) + .4 BM(stems, title; b .3)
 *     + .6 BM(5-letter prefixes; b .75) + .15 BM(4-grams; b .75)
 *   Context: for a stem of the question that a chunk lacks, half of what the nearest of two neighbours on either
 *   side has for it, divided by the distance, counts for the chunk.
 *   B = A / max A + .1 (idf share of the question's neighbouring pairs found side by side, stop words skipped)
 *     + .2 (largest idf share within 20 words) + .1 (idf share of the title's words that are asked for)
 * Departures: the similarity of vectors, the language and the layer are added to B, small (see retrieve.ts).
 *
 * Hot path of every question: about 100 chunks and their neighbours. What a word means to the question is found
 * once a question and kept by word id, so that most tokens cost one look into a typed array.
 */

import { hasSecondStems } from '../text/words.ts';
import type { PartitionTerms } from './forward-index.ts';
import { numbered } from './term-dictionary.ts';

const k1 = 1.2;
const weights = { title: 0.4, prefix: 0.6, gram: 0.15, context: 0.5, pairs: 0.1, window: 0.2, asked: 0.1 };
const lengthNorm = { whole: 0.75, title: 0.3 };
const windowWords = 20;
const contextDistance = 2;

/** A term with the weight it is asked with: how often, times what its kind counts. */
export interface WeightedTerm {
  id: number;
  weight: number;
}

/** A question in the ids of one partition. Terms the partition does not know are left out. */
export interface RankedQuestion {
  /** Stems, also of stop words and corrections; each once. */
  stems: WeightedTerm[];
  /** Ids of the content words' stems in the order asked, as often as asked. */
  content: number[];
  prefixes: WeightedTerm[];
  grams: WeightedTerm[];
}

export interface Features {
  /** A as above, context included: comparable within one question only. */
  bm25: number;
  /** Shares from 0 to 1. */
  pairs: number;
  window: number;
  title: number;
}

export interface Ranked extends Features {
  slot: number;
  /** B as above; 0 to 1.4. */
  score: number;
}

/** Inverse document frequency of a term in `df` of `chunks` chunks. */
export function inverseFrequency(df: number, chunks: number): number {
  return Math.log(1 + (chunks - df + 0.5) / (df + 0.5));
}

/** What one word of the index means to the question: places in the array of term counts. */
interface Meaning {
  counts: number[];
  /** Place of its stem among the question's stems, -1 for none; the same in Kazakh chunks, its other stem. */
  stem: number;
  second: number;
}

const nothing: number[] = [];

/** Scores chunks of one partition; keeps its working arrays between questions. */
export class Ranker {
  readonly #partition: PartitionTerms;
  /** Two for each word id: the round in which its meaning was found, and its number among that round's meanings. */
  #found = new Uint32Array(0);
  #round = 0;
  /** By term id: its place among the question's terms plus one, 0 for the others; cleared after every question. */
  #stemAt = new Uint16Array(0);
  #prefixAt = new Uint16Array(0);
  #gramAt = new Uint16Array(0);

  constructor(partition: PartitionTerms) {
    this.#partition = partition;
  }

  /** The slots with their features and scores, best first; equal scores by slot. */
  rank(question: RankedQuestion, slots: readonly number[]): Ranked[] {
    const partition = this.#partition;
    const { vocabulary } = partition;
    if (this.#found.length < vocabulary.words.length * 2) {
      this.#found = new Uint32Array(vocabulary.words.length * 4);
      this.#round = 0;
    }
    const found = this.#found;
    const round = ++this.#round;
    const { stems, prefixes, grams } = question;
    const width = stems.length;
    const stemAt = numbered(this.#stemAt, vocabulary.stems.list.length, stems, 1);
    const prefixAt = numbered(this.#prefixAt, vocabulary.prefixes.list.length, prefixes, width + 1);
    const gramAt = numbered(this.#gramAt, vocabulary.grams.list.length, grams, width + prefixes.length + 1);
    this.#stemAt = stemAt;
    this.#prefixAt = prefixAt;
    this.#gramAt = gramAt;
    const counts = new Uint16Array(width + prefixes.length + grams.length);
    const titleCounts = new Uint16Array(width);
    const meanings: Meaning[] = [{ counts: [], stem: -1, second: -1 }];

    const idf = (df: Uint32Array, id: number): number => inverseFrequency(df[id] ?? 0, partition.chunks);
    const stemIdf = Float64Array.from(stems, (t) => idf(partition.stemDf, t.id));
    const stemWeight = Float64Array.from(stems, (t, n) => t.weight * stemIdf[n]! * (k1 + 1));
    const pieceWeight = new Float64Array(counts.length);
    for (const [n, t] of prefixes.entries()) {
      pieceWeight[width + n] = weights.prefix * t.weight * idf(partition.prefixDf, t.id) * (k1 + 1);
    }
    for (const [n, t] of grams.entries()) {
      pieceWeight[width + prefixes.length + n] =
        weights.gram * t.weight * idf(partition.gramDf, t.id) * (k1 + 1);
    }
    const asked = new Uint16Array(width);
    for (const id of question.content) asked[stemAt[id]! - 1]!++;
    const titleWeight = Float64Array.from(
      stems,
      (t, n) => weights.title * asked[n]! * idf(partition.titleDf, t.id) * (k1 + 1),
    );
    let contentIdf = 0;
    for (let s = 0; s < width; s++) if (asked[s]! > 0) contentIdf += stemIdf[s]!;
    const pairOf = new Map<number, number>();
    let pairsIdf = 0;
    for (let n = 1; n < question.content.length; n++) {
      const one = stemAt[question.content[n - 1]!]! - 1;
      const two = stemAt[question.content[n]!]! - 1;
      if (pairOf.has(one * width + two)) continue;
      pairOf.set(one * width + two, stemIdf[one]! + stemIdf[two]!);
      pairsIdf += stemIdf[one]! + stemIdf[two]!;
    }
    const { stemOf, secondOf, prefixOf, gramsFrom, gramIds } = vocabulary;
    const means = (word: number): number => {
      const stem = stemAt[stemOf[word]!]! - 1;
      const second = stemAt[secondOf[word]!]! - 1;
      const prefix = prefixAt[prefixOf[word]!]!;
      let pieces: number[] = nothing;
      const end = gramsFrom[word + 1]!;
      for (let g = gramsFrom[word]!; g < end; g++) {
        const gram = gramAt[gramIds[g]!]!;
        if (gram === 0) continue;
        if (pieces === nothing) pieces = [];
        pieces.push(gram - 1);
      }
      if (stem < 0 && second < 0 && prefix === 0 && pieces === nothing) return 0;
      const own = stem >= 0 ? [stem] : [];
      if (prefix > 0) own.push(prefix - 1);
      return meanings.push({ counts: own.concat(pieces), stem, second }) - 1;
    };
    const { tokens, from: starts, length: lengths, titles, langs } = partition;

    const averages = {
      words: partition.words / partition.chunks,
      titled: partition.titled / partition.chunks,
      grams: partition.gramCount / partition.chunks,
    };
    const norm = (length: number, average: number, b: number) => k1 * (1 - b + (b * length) / (average || 1));

    /** BM of each stem in a slot, for context; the candidates' own are filled in as they are scored. */
    const stemScores = new Map<number, Float64Array>();
    const places: number[] = [];
    const placedStems: number[] = [];
    const inWindow = new Uint16Array(width);

    const count = (slot: number): void => {
      counts.fill(0);
      titleCounts.fill(0);
      places.length = 0;
      placedStems.length = 0;
      const from = starts[slot]!;
      const length = lengths[slot]!;
      const titled = titles[slot]!;
      const lang = langs[slot];
      const seconds = lang != null && hasSecondStems(lang);
      for (let n = 0; n < length; n++) {
        const word = tokens[from + n]!;
        if (found[word * 2] !== round) {
          found[word * 2] = round;
          found[word * 2 + 1] = means(word);
        }
        const number = found[word * 2 + 1]!;
        if (number === 0) continue;
        const meaning = meanings[number]!;
        const own = meaning.counts;
        for (let c = 0; c < own.length; c++) counts[own[c]!]!++;
        let { stem } = meaning;
        if (seconds && meaning.second >= 0) {
          counts[meaning.second]!++;
          if (stem < 0) stem = meaning.second;
          else if (n < titled) titleCounts[meaning.second]!++;
        }
        if (stem < 0) continue;
        if (n < titled) titleCounts[stem]!++;
        if (asked[stem]! > 0) {
          places.push(n);
          placedStems.push(stem);
        }
      }
    };

    /** The counts of stems alone: all that a neighbour is looked at for. */
    const countStems = (slot: number): void => {
      counts.fill(0, 0, width);
      const from = starts[slot]!;
      const end = from + lengths[slot]!;
      const lang = langs[slot];
      const seconds = lang != null && hasSecondStems(lang);
      for (let n = from; n < end; n++) {
        const word = tokens[n]!;
        const stem = stemAt[stemOf[word]!]!;
        if (stem > 0) counts[stem - 1]!++;
        if (!seconds) continue;
        const second = stemAt[secondOf[word]!]!;
        if (second > 0) counts[second - 1]!++;
      }
    };

    const scoresOfStems = (slot: number): Float64Array => {
      const scores = new Float64Array(width);
      const wordNorm = norm(partition.length[slot]!, averages.words, lengthNorm.whole);
      for (let s = 0; s < width; s++) {
        const tf = counts[s]!;
        if (tf > 0) scores[s] = (stemWeight[s]! * tf) / (tf + wordNorm);
      }
      stemScores.set(slot, scores);
      return scores;
    };

    /** The idf of the pairs that stand side by side but for stop words. */
    const pairsFound = (slot: number): number => {
      if (pairsIdf === 0 || places.length < 2) return 0;
      const from = partition.from[slot]!;
      const { stop } = vocabulary;
      const found = new Set<number>();
      let sum = 0;
      for (let n = 1; n < places.length; n++) {
        const key = placedStems[n - 1]! * width + placedStems[n]!;
        const pair = pairOf.get(key);
        if (pair === undefined || found.has(key)) continue;
        let between = places[n - 1]! + 1;
        while (between < places[n]! && stop[partition.tokens[from + between]!] === 1) between++;
        if (between < places[n]!) continue;
        found.add(key);
        sum += pair;
      }
      return sum / pairsIdf;
    };

    const bestWindow = (): number => {
      if (contentIdf === 0) return 0;
      inWindow.fill(0);
      let best = 0;
      let sum = 0;
      let first = 0;
      for (let n = 0; n < places.length; n++) {
        const stem = placedStems[n]!;
        if (inWindow[stem]!++ === 0) sum += stemIdf[stem]!;
        while (places[n]! - places[first]! >= windowWords) {
          const gone = placedStems[first++]!;
          if (--inWindow[gone]! === 0) sum -= stemIdf[gone]!;
        }
        if (sum > best) best = sum;
      }
      return best / contentIdf;
    };

    const titleAsked = (slot: number): number => {
      const from = partition.from[slot]!;
      const end = from + partition.titles[slot]!;
      let found = 0;
      let all = 0;
      for (let n = from; n < end; n++) {
        const word = partition.tokens[n]!;
        if (vocabulary.stop[word] === 1 || partition.tokens.indexOf(word, from) < n) continue;
        const stem = vocabulary.stemOf[word]!;
        const weight = idf(partition.stemDf, stem);
        all += weight;
        const place = stemAt[stem]!;
        if (place > 0 && asked[place - 1]! > 0) found += weight;
      }
      return all === 0 ? 0 : found / all;
    };

    const ranked: Ranked[] = [];
    for (const slot of slots) {
      count(slot);
      const scores = scoresOfStems(slot);
      let bm25 = 0;
      const titleNorm = norm(partition.titles[slot]!, averages.titled, lengthNorm.title);
      for (let s = 0; s < width; s++) {
        bm25 += scores[s]!;
        const tf = titleCounts[s]!;
        if (tf > 0) bm25 += (titleWeight[s]! * tf) / (tf + titleNorm);
      }
      const prefixNorm = norm(partition.length[slot]!, averages.words, lengthNorm.whole);
      const gramNorm = norm(partition.gramLength[slot]!, averages.grams, lengthNorm.whole);
      const gramsFrom = width + prefixes.length;
      for (let p = width; p < counts.length; p++) {
        const tf = counts[p]!;
        if (tf > 0) bm25 += (pieceWeight[p]! * tf) / (tf + (p < gramsFrom ? prefixNorm : gramNorm));
      }
      ranked.push({
        slot,
        score: 0,
        bm25,
        pairs: pairsFound(slot),
        window: bestWindow(),
        title: titleAsked(slot),
      });
    }

    for (const candidate of ranked) {
      const own = stemScores.get(candidate.slot)!;
      const docId = partition.documents[candidate.slot]!;
      const near: { scores: Float64Array; distance: number }[] = [];
      for (let offset = -contextDistance; offset <= contextDistance; offset++) {
        const slot = candidate.slot + offset;
        if (offset === 0 || slot < 0 || partition.documents[slot] !== docId) continue;
        let scores = stemScores.get(slot);
        if (scores === undefined) {
          countStems(slot);
          scores = scoresOfStems(slot);
        }
        near.push({ scores, distance: Math.abs(offset) });
      }
      for (let s = 0; s < width && near.length > 0; s++) {
        if (own[s]! > 0) continue;
        let best = 0;
        for (const { scores, distance } of near) best = Math.max(best, scores[s]! / distance);
        candidate.bm25 += weights.context * best;
      }
    }

    const top = Math.max(0, ...ranked.map((candidate) => candidate.bm25)) || 1;
    for (const c of ranked) {
      c.score = c.bm25 / top + weights.pairs * c.pairs + weights.window * c.window + weights.asked * c.title;
    }
    for (const t of stems) stemAt[t.id] = 0;
    for (const t of prefixes) prefixAt[t.id] = 0;
    for (const t of grams) gramAt[t.id] = 0;
    return ranked.sort((a, b) => b.score - a.score || a.slot - b.slot);
  }
}
