/** The words of a store in numbers: stems, prefixes and 4-grams of each word id. Numbers begin at 1; 0 means none. */
import type { AnalysedWord } from '../ports/chunk-search.ts';
import { grams, isStopWord, prefix } from '../text/words.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** The same numbers in an array with room for `length`, at least doubled when it has to grow. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const made = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2, 1024));
  made.set(array);
  return made;
}

/**
 * The numbers of some terms, from `first` on, by their ids; 0 for all other ids. In the array given, which is all zero,
 * where every id of the kind has room in it.
 */
export function numbered(
  array: Uint16Array<ArrayBuffer>,
  ids: number,
  terms: readonly { id: number }[],
  first: number,
): Uint16Array<ArrayBuffer> {
  const at = array.length < ids ? new Uint16Array(ids * 2) : array;
  for (const [n, { id }] of terms.entries()) at[id] = first + n;
  return at;
}

/** Strings numbered in the order they came, from 1. */
export class Names {
  readonly list: string[] = [''];
  readonly #ids = new Map<string, number>();

  /** The number of a name, 0 where there is none. */
  find(name: string): number {
    return this.#ids.get(name) ?? 0;
  }

  add(name: string): number {
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.list.length;
      this.list.push(name);
      this.#ids.set(name, id);
    }
    return id;
  }
}

/** The words that have a term in common, by its id. */
export class WordsByTerm {
  /** The newest word of a term, and of each word the one before it. */
  #newest = new Uint32Array(1024);
  #before = new Uint32Array(1024);

  add(term: number, word: number): void {
    if (term === 0) return;
    this.#newest = grown(this.#newest, term + 1);
    this.#before = grown(this.#before, word + 1);
    this.#before[word] = this.#newest[term]!;
    this.#newest[term] = word;
  }

  /** The newest word of a term, 0 where there is none. */
  newest(term: number): number {
    return this.#newest[term] ?? 0;
  }

  /** The word of the same term before this one, 0 where it was the first. */
  before(word: number): number {
    return this.#before[word] ?? 0;
  }
}

/** The words of a store and what they are made of; shared by all its partitions. */
export class Vocabulary {
  readonly words: string[] = [''];
  readonly stems = new Names();
  readonly prefixes = new Names();
  readonly grams = new Names();
  stemOf = new Uint32Array(1024);
  /** The Kazakh stem of a word that also has a Russian one; counts in Kazakh chunks. */
  secondOf = new Uint32Array(1024);
  prefixOf = new Uint32Array(1024);
  /** The same the other way round. */
  readonly withStem = new WordsByTerm();
  readonly withSecond = new WordsByTerm();
  readonly withPrefix = new WordsByTerm();
  /** 1 for stop and question words. */
  stop = new Uint8Array(1024);
  /** The first UTF-16 unit of a word an acronym may stand for: of three letters and more, no stop word; else 0. */
  initials = new Uint16Array(1024);
  /** The grams of word n stand in `gramIds` from `gramsFrom[n]` to `gramsFrom[n + 1]`. */
  gramsFrom = new Uint32Array(1024);
  gramIds = new Uint32Array(8192);

  add(words: readonly AnalysedWord[]): void {
    const room = this.words.length + words.length + 1;
    this.stemOf = grown(this.stemOf, room);
    this.secondOf = grown(this.secondOf, room);
    this.prefixOf = grown(this.prefixOf, room);
    this.stop = grown(this.stop, room);
    this.initials = grown(this.initials, room);
    this.gramsFrom = grown(this.gramsFrom, room);
    for (const { word, stem, second } of words) {
      const id = this.words.length;
      this.words.push(word);
      this.stemOf[id] = this.stems.add(stem);
      this.secondOf[id] = second === null ? 0 : this.stems.add(second);
      this.prefixOf[id] = this.prefixes.add(prefix(word));
      this.withStem.add(this.stemOf[id], id);
      this.withSecond.add(this.secondOf[id], id);
      this.withPrefix.add(this.prefixOf[id], id);
      this.stop[id] = isStopWord(word) ? 1 : 0;
      this.initials[id] = word.length > 2 && this.stop[id] === 0 ? word.charCodeAt(0) : 0;
      let at = this.gramsFrom[id]!;
      const pieces = grams(word);
      this.gramIds = grown(this.gramIds, at + pieces.length);
      for (const piece of pieces) this.gramIds[at++] = this.grams.add(piece);
      this.gramsFrom[id + 1] = at;
    }
  }
}
