/**
 * Scores candidates for a question by their fingerprints.
 *
 * Source: Okapi BM25 (Robertson et al., TREC-3), applied to three kinds of terms. The weights were measured on Russian
 * and English question sets. k1 is 1.2, idf = ln(1 + (N − df + .5) / (df + .5)), and a term that is repeated in the
 * question counts repeatedly.
 *   A = BM(stems, title and body; b .75) + .4 BM(stems, title; b .3) + .7 BM(5-letter prefixes; b .75)
 *   Context: if a chunk lacks a stem of the question, add half the best score of its neighbours (two on either side)
 *   for this stem, where each neighbour's score is divided by its distance.
 *   B = A / max A + .1 (idf share of the question's adjacent word pairs that are adjacent here, ignoring stop words)
 *     + .2 (largest idf share within 20 words) + .1 (idf share of the title's words that are in the question)
 * Title words that are not in the question are given the average idf of the question's words. In addition, search.ts
 * adds small bonuses to B for vector similarity, language and layer.
 */
import type { IndexedChunk } from '../ports/chunk-search.ts';
import { marks } from '../text/fingerprint.ts';
import { prefixWeight } from './counts.ts';

const k1 = 1.2;
const weights = { title: 0.4, context: 0.5, pairs: 0.1, window: 0.2, asked: 0.1 };
const lengthNorm = { whole: 0.75, title: 0.3 };
const windowWords = 20;
export const contextDistance = 2;
const maskSize = 4_096;

/** `weight`: the frequency of the term in the question multiplied by the weight of its kind. */
export interface RankedTerm {
  id: number;
  weight: number;
  idf: number;
}

export interface RankedQuestion {
  /** The distinct stems. */
  stems: readonly RankedTerm[];
  /** Indexes into `stems` of the content words, in question order, with repetitions. */
  content: readonly number[];
  prefixes: readonly RankedTerm[];
  /** Average number of words in a chunk, and in its title and headings. */
  averages: { words: number; titled: number };
}

export interface Features {
  /** A (see above), including context. It can be compared only within one question. */
  bm25: number;
  /** Shares from 0 to 1. */
  pairs: number;
  window: number;
  title: number;
}

export interface Ranked extends Features {
  chunk: IndexedChunk;
  /** B (see above), from 0 to 1.4. */
  score: number;
}

interface ScoredChunk {
  chunk: IndexedChunk;
  features: Features;
  /** The BM25 score of each of the question's stems. */
  stems: Float64Array;
}

/**
 * An occurrence of a content word of the question in a chunk. `at`: its index among all words of the chunk; `content`:
 * its index among those that are not stop words.
 */
interface Occurrence {
  at: number;
  content: number;
  stem: number;
}

const norm = (length: number, average: number, b: number): number =>
  k1 * (1 - b + (b * length) / (average || 1));

/** Ranks chunks for one question. The constructor computes everything that does not depend on the chunks. */
export class Ranking {
  readonly #question: RankedQuestion;
  readonly #width: number;
  /** The index of each term by its id: stems first, then prefixes. */
  readonly #places = new Map<number, number>();
  /** 1 at the last bits of each of these ids, so that most words of a chunk can be skipped without a map lookup. */
  readonly #mask = new Uint8Array(maskSize);
  readonly #most: Float64Array;
  /** The frequency of each stem as a content word in the question. */
  readonly #asked: Uint16Array;
  readonly #contentIdf: number;
  readonly #pairs = new Map<number, number>();
  readonly #pairsIdf: number;
  readonly #scored: ScoredChunk[] = [];

  constructor(question: RankedQuestion) {
    const { stems, prefixes, content } = question;
    this.#question = question;
    this.#width = stems.length;
    for (const [n, { id }] of [...stems, ...prefixes].entries()) {
      this.#places.set(id, n);
      this.#mask[id % maskSize] = 1;
    }
    this.#most = Float64Array.from(
      [...stems, ...prefixes],
      ({ weight, idf }, n) => (n < stems.length ? 1 : prefixWeight) * weight * idf * (k1 + 1),
    );
    this.#asked = new Uint16Array(stems.length);
    for (const at of content) this.#asked[at]!++;
    this.#contentIdf = stems.reduce((sum, { idf }, n) => sum + (this.#asked[n]! > 0 ? idf : 0), 0);
    for (let n = 1; n < content.length; n++) {
      const [one, two] = [content[n - 1]!, content[n]!];
      this.#pairs.set(one * this.#width + two, stems[one]!.idf + stems[two]!.idf);
    }
    this.#pairsIdf = [...this.#pairs.values()].reduce((sum, idf) => sum + idf, 0);
  }

  read(chunks: readonly IndexedChunk[]): void {
    for (const chunk of chunks) this.#scored.push(this.#scoreOf(chunk));
  }

  /** The best candidates read so far. */
  best(limit: number): IndexedChunk[] {
    return this.#scored
      .toSorted((a, b) => b.features.bm25 - a.features.bm25)
      .slice(0, limit)
      .map(({ chunk }) => chunk);
  }

  /** Returns the candidates with their scores. `neighbours`: chunks next to candidates, which provide context. */
  ranked(neighbours: readonly IndexedChunk[]): Ranked[] {
    const byPlace = new Map<string, Float64Array>();
    const placeOf = (docId: number, ordinal: number) => `${docId}/${ordinal}`;
    for (const one of neighbours) byPlace.set(placeOf(one.doc_id, one.ordinal), this.#stemsIn(one));
    for (const { chunk, stems } of this.#scored) byPlace.set(placeOf(chunk.doc_id, chunk.ordinal), stems);
    const found = this.#scored.map(({ chunk, features, stems }) => {
      const near: { stems: Float64Array; distance: number }[] = [];
      for (let offset = -contextDistance; offset <= contextDistance; offset++) {
        const one = offset !== 0 && byPlace.get(placeOf(chunk.doc_id, chunk.ordinal + offset));
        if (one) near.push({ stems: one, distance: Math.abs(offset) });
      }
      let context = 0;
      for (let s = 0; s < this.#width && near.length > 0; s++)
        if (stems[s] === 0) context += Math.max(...near.map((one) => one.stems[s]! / one.distance));
      return { chunk, ...features, bm25: features.bm25 + weights.context * context };
    });
    const top = Math.max(0, ...found.map(({ bm25 }) => bm25)) || 1;
    return found.map((one) => ({
      ...one,
      score:
        one.bm25 / top + weights.pairs * one.pairs + weights.window * one.window + weights.asked * one.title,
    }));
  }

  #placeOf(id: number): number {
    return this.#mask[id % maskSize] === 1 ? (this.#places.get(id) ?? -1) : -1;
  }

  /** The BM25 score of each stem in a chunk, which is all that is needed for a neighbour. */
  #stemsIn({ tokens }: IndexedChunk): Float64Array {
    const stems = new Float64Array(this.#width);
    for (let n = 0; n < tokens.length; n += 2) {
      const stem = this.#placeOf(tokens[n]!);
      if (stem >= 0 && stem < this.#width) stems[stem]!++;
    }
    const wholeNorm = norm(tokens.length / 2, this.#question.averages.words, lengthNorm.whole);
    return stems.map((tf, n) => (this.#most[n]! * tf) / (tf + wholeNorm));
  }

  #scoreOf(chunk: IndexedChunk): ScoredChunk {
    const { tokens, titled } = chunk;
    const width = this.#width;
    const counts = new Uint16Array(this.#most.length);
    const titleCounts = new Uint16Array(width);
    const found: Occurrence[] = [];
    let at = -1;
    let content = 0;
    for (let n = 0; n < tokens.length; n += 2) {
      const prefix = tokens[n + 1]!;
      if (prefix !== marks.secondStem) at++;
      if (prefix > marks.secondStem) content++;
      const stem = this.#placeOf(tokens[n]!);
      if (stem >= 0 && stem < width) {
        counts[stem]!++;
        if (n < titled * 2) titleCounts[stem]!++;
        if (this.#asked[stem]! > 0 && found.at(-1)?.at !== at) found.push({ at, content, stem });
      }
      const place = this.#placeOf(prefix);
      if (place >= width) counts[place]!++;
    }
    const stems = new Float64Array(width);
    const { averages } = this.#question;
    const wholeNorm = norm(tokens.length / 2, averages.words, lengthNorm.whole);
    const titleNorm = norm(titled, averages.titled, lengthNorm.title);
    let bm25 = 0;
    for (let n = 0; n < counts.length; n++) {
      const tf = counts[n]!;
      if (tf === 0) continue;
      const earned = (this.#most[n]! * tf) / (tf + wholeNorm);
      bm25 += earned;
      if (n >= width) continue;
      stems[n] = earned;
      const inTitle = titleCounts[n]!;
      const { idf } = this.#question.stems[n]!;
      if (inTitle > 0)
        bm25 += (weights.title * this.#asked[n]! * idf * (k1 + 1) * inTitle) / (inTitle + titleNorm);
    }
    return {
      chunk,
      stems,
      features: {
        bm25,
        pairs: this.#pairsIn(found),
        window: this.#windowIn(found),
        title: this.#titleAsked(chunk, titleCounts),
      },
    };
  }

  #pairsIn(found: readonly Occurrence[]): number {
    const seen = new Set<number>();
    let sum = 0;
    for (let n = 1; n < found.length; n++) {
      const [one, two] = [found[n - 1]!, found[n]!];
      const pair = one.stem * this.#width + two.stem;
      // Only stop words may occur between the two words.
      if (two.content > one.content + 1 || seen.has(pair)) continue;
      seen.add(pair);
      sum += this.#pairs.get(pair) ?? 0;
    }
    return sum / (this.#pairsIdf || 1);
  }

  #windowIn(found: readonly Occurrence[]): number {
    const inWindow = new Uint16Array(this.#width);
    const idf = (stem: number) => this.#question.stems[stem]!.idf;
    let best = 0;
    let sum = 0;
    let first = 0;
    for (const { at, stem } of found) {
      if (inWindow[stem]!++ === 0) sum += idf(stem);
      while (at - found[first]!.at >= windowWords) {
        const gone = found[first++]!.stem;
        if (--inWindow[gone]! === 0) sum -= idf(gone);
      }
      best = Math.max(best, sum);
    }
    return best / (this.#contentIdf || 1);
  }

  #titleAsked({ tokens, titled }: IndexedChunk, titleCounts: Uint16Array): number {
    let words = 0;
    for (let n = 0; n < titled * 2; n += 2)
      if (tokens[n + 1]! > marks.secondStem && isFirst(tokens, n)) words++;
    let asked = 0;
    let found = 0;
    for (const [n, count] of titleCounts.entries()) {
      if (count === 0 || this.#asked[n] === 0) continue;
      asked++;
      found += this.#question.stems[n]!.idf;
    }
    if (asked === 0) return 0;
    const mean = this.#contentIdf / this.#asked.reduce((sum, n) => sum + Math.min(1, n), 0);
    return found / (found + Math.max(0, words - asked) * mean);
  }
}

/** Whether this token is the first occurrence of its stem. */
function isFirst(tokens: Uint32Array, at: number): boolean {
  for (let n = 0; n < at; n += 2) if (tokens[n] === tokens[at]) return false;
  return true;
}
