/**
 * Candidates for a question over a store without a full-text index of its own: for each word a list of the places it
 * stands in, made from the words that forward-index.ts holds, in memory like these and in each thread that searches.
 *
 * A stem or a prefix of a question is the union of the lists of its words. The chunks in them are scored by Okapi BM25,
 * without the 4-grams, pairs and neighbours that rank.ts looks at: enough to say which to score in full.
 *
 * Hot path of every question, several times in some: what it costs is a pass over the lists of the terms. They take
 * 4 bytes a word of text. Chunks that have come since they were made are read word by word, until there are an eighth
 * as many: so lists are made seldom, and never for a partition of a thousand chunks.
 */
import { hasSecondStems } from '../text/words.ts';
import type { PartitionTerms } from './forward-index.ts';
import { inverseFrequency } from './rank.ts';
import { grown, numbered, type WordsByTerm } from './term-dictionary.ts';

const k1 = 1.2;
const b = 0.75;
/** A word of the title counts as so many; a prefix counts once a chunk. */
const weights = { title: 3, prefix: 0.6 };
/** Chunks read word by word before lists are made of them: at least, and as a share of those in lists. */
const unlisted = { least: 1024, share: 1 / 8 };

/** Where a word stands: twice the slot, plus one in a title. */
const postingOf = (slot: number, inTitle: boolean): number => slot * 2 + (inTitle ? 1 : 0);

/** Stems (looked for in title and text) and prefixes, each once. */
export interface AskedTerms {
  stems: readonly { id: number }[];
  prefixes: readonly { id: number }[];
}

/** The lists of one partition, which they follow by themselves; one for each thread. */
export class InvertedIndex {
  readonly #partition: PartitionTerms;
  /** The places of word n stand in `#places` from `#starts[n]` to `#starts[n + 1]`, in order. */
  #starts = new Uint32Array(1);
  #postings = new Uint32Array(0);
  /** Slots below this one are in lists, by the numbers they had when the partition had been compacted so many times. */
  #listed = 0;
  #compactions = 0;
  readonly #tally: Tally;
  /** By id, zero between questions: the number of a term asked for, from 1. */
  #stemAt = new Uint16Array(0);
  #prefixAt = new Uint16Array(0);

  constructor(partition: PartitionTerms) {
    this.#partition = partition;
    this.#tally = new Tally(partition);
  }

  /** The slots that hold most of the terms, best first, equal ones in their order; at most `limit`. */
  best({ stems, prefixes }: AskedTerms, limit: number): number[] {
    this.#follow();
    const partition = this.#partition;
    const { withStem, withSecond, withPrefix } = partition.vocabulary;
    const tally = this.#tally;
    tally.begin();
    const recent = this.#recent({ stems, prefixes });
    const count = (words: WordsByTerm, term: number, only?: (slot: number) => boolean) => {
      for (let word = words.newest(term); word !== 0; word = words.before(word)) {
        const end = this.#starts[word + 1];
        if (end !== undefined) tally.count(this.#postings, this.#starts[word]!, end, only);
      }
    };
    const countRecent = (term: number) => tally.count(recent[term]!, 0, recent[term]!.length);
    const hasSeconds = [...partition.languages].some(([lang, own]) => own.chunks > 0 && hasSecondStems(lang));
    for (const [n, { id }] of stems.entries()) {
      count(withStem, id);
      if (hasSeconds) count(withSecond, id, (slot) => hasSecondStems(partition.langs[slot]!));
      countRecent(n);
      tally.score(partition.stemDf[id] ?? 0, 1, 'place');
    }
    for (const [n, { id }] of prefixes.entries()) {
      count(withPrefix, id);
      countRecent(stems.length + n);
      tally.score(partition.prefixDf[id] ?? 0, weights.prefix, 'chunk');
    }
    return tally.end(limit);
  }

  /** The places of each term, stems first, in slots that are not in lists. */
  #recent({ stems, prefixes }: AskedTerms): number[][] {
    const { slots, vocabulary, from, length, tokens, titles, langs } = this.#partition;
    const postings: number[][] = [...stems, ...prefixes].map(() => []);
    if (this.#listed === slots) return postings;
    const { stemOf, secondOf, prefixOf } = vocabulary;
    const stemAt = numbered(this.#stemAt, vocabulary.stems.list.length, stems, 1);
    const prefixAt = numbered(this.#prefixAt, vocabulary.prefixes.list.length, prefixes, stems.length + 1);
    for (let slot = this.#listed; slot < slots; slot++) {
      const first = from[slot]!;
      const titled = titles[slot]!;
      const lang = langs[slot];
      const seconds = lang !== undefined && hasSecondStems(lang);
      for (let n = 0; n < length[slot]!; n++) {
        const word = tokens[first + n]!;
        const posting = postingOf(slot, n < titled);
        const stem = stemAt[stemOf[word]!]!;
        if (stem > 0) postings[stem - 1]!.push(posting);
        const second = seconds ? stemAt[secondOf[word]!]! : 0;
        if (second > 0) postings[second - 1]!.push(posting);
        const prefix = prefixAt[prefixOf[word]!]!;
        if (prefix > 0) postings[prefix - 1]!.push(posting);
      }
    }
    for (const { id } of stems) stemAt[id] = 0;
    for (const { id } of prefixes) prefixAt[id] = 0;
    this.#stemAt = stemAt;
    this.#prefixAt = prefixAt;
    return postings;
  }

  /** Makes the lists anew where slots have other numbers, or too many of them are in no list. */
  #follow(): void {
    const { slots, compactions } = this.#partition;
    if (compactions !== this.#compactions) {
      this.#compactions = compactions;
      this.#starts = new Uint32Array(1);
      this.#listed = 0;
    }
    if (slots - this.#listed > Math.max(unlisted.least, this.#listed * unlisted.share)) this.#make();
  }

  #make(): void {
    const { slots, vocabulary, documents, from, length, tokens, titles } = this.#partition;
    // A counting sort of all places by their words: how many there are of each, where its list begins, then the places.
    const starts = new Uint32Array(vocabulary.words.length + 1);
    let all = 0;
    for (let slot = 0; slot < slots; slot++) {
      if (documents[slot] === 0) continue;
      const first = from[slot]!;
      const end = first + length[slot]!;
      for (let at = first; at < end; at++) starts[tokens[at]! + 1]!++;
      all += end - first;
    }
    for (let word = 1; word < starts.length; word++) starts[word]! += starts[word - 1]!;
    const postings = new Uint32Array(all);
    const next = starts.slice();
    for (let slot = 0; slot < slots; slot++) {
      if (documents[slot] === 0) continue;
      const first = from[slot]!;
      const end = first + length[slot]!;
      const text = first + titles[slot]!;
      for (let at = first; at < end; at++) postings[next[tokens[at]!]!++] = postingOf(slot, at < text);
    }
    this.#starts = starts;
    this.#postings = postings;
    this.#listed = slots;
  }
}

/** Adds up what slots have of one term after the other. */
class Tally {
  /** By slot, all zero between questions: its score, and how often the term at hand stands in it. */
  #scores = new Float32Array(0);
  #counts = new Uint16Array(0);
  /** The slots that have the term at hand, and those that have any; so many of each. */
  #having = new Uint32Array(0);
  #scored = new Uint32Array(0);
  #havingCount = 0;
  #scoredCount = 0;
  #partition: PartitionTerms;

  constructor(partition: PartitionTerms) {
    this.#partition = partition;
  }

  begin(): void {
    const { slots } = this.#partition;
    this.#scores = grown(this.#scores, slots);
    this.#counts = grown(this.#counts, slots);
    this.#having = grown(this.#having, slots);
    this.#scored = grown(this.#scored, slots);
  }

  /** Places at which the term at hand stands; of some slots alone where `only` says so. */
  count(postings: ArrayLike<number>, from: number, end: number, only?: (slot: number) => boolean): void {
    const counts = this.#counts;
    const having = this.#having;
    let count = this.#havingCount;
    for (let n = from; n < end; n++) {
      const posting = postings[n]!;
      const slot = posting >>> 1;
      if (only !== undefined && !only(slot)) continue;
      if (counts[slot] === 0) having[count++] = slot;
      counts[slot]! += (posting & 1) === 1 ? weights.title : 1;
    }
    this.#havingCount = count;
  }

  /** Scores the term at hand, and is ready for the next. `each`: what is counted of it, all places or the chunk. */
  score(df: number, weight: number, each: 'place' | 'chunk'): void {
    const { documents, length, chunks, words } = this.#partition;
    const scores = this.#scores;
    const counts = this.#counts;
    const having = this.#having;
    const scored = this.#scored;
    const most = weight * inverseFrequency(df, chunks);
    const perWord = (k1 * b * chunks) / (words || 1);
    for (let n = 0; n < this.#havingCount; n++) {
      const slot = having[n]!;
      const tf = each === 'place' ? counts[slot]! : 1;
      counts[slot] = 0;
      if (documents[slot] === 0) continue;
      if (scores[slot] === 0) scored[this.#scoredCount++] = slot;
      scores[slot]! += (most * tf) / (tf + k1 * (1 - b) + perWord * length[slot]!);
    }
    this.#havingCount = 0;
  }

  /** The slots with the highest scores, best first, equal ones in their order. */
  end(limit: number): number[] {
    const scores = this.#scores;
    const scored = this.#scored.subarray(0, this.#scoredCount);
    const best = highest(scored, scores, limit);
    for (const slot of scored) scores[slot] = 0;
    this.#scoredCount = 0;
    return best;
  }
}

/** The slots with the highest scores, best first, equal ones in their order. */
function highest(slots: Uint32Array, scores: Float32Array, limit: number): number[] {
  const better = (one: number, two: number): boolean =>
    scores[one]! > scores[two]! || (scores[one] === scores[two] && one < two);
  // A heap of the best so far, the worst of them on top.
  const heap: number[] = [];
  const sink = (at: number): void => {
    const slot = heap[at]!;
    for (;;) {
      let child = at * 2 + 1;
      if (child + 1 < heap.length && better(heap[child]!, heap[child + 1]!)) child++;
      if (child >= heap.length || !better(slot, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = slot;
  };
  for (const slot of slots) {
    if (heap.length < limit) {
      heap.push(slot);
      if (heap.length === limit) for (let at = limit >> 1; at >= 0; at--) sink(at);
    } else if (better(slot, heap[0]!)) {
      heap[0] = slot;
      sink(0);
    }
  }
  return heap.sort((one, two) => (better(one, two) ? -1 : 1));
}
