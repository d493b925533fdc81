/** The words of a store in numbers: stems, prefixes and 4-grams of each word id. Numbers begin at 1; 0 means none. */
import type { AnalysedWord } from '../ports/chunk-search.ts';
import { grams, isStopWord, prefix } from '../text/words.ts';

type Ints = Uint8Array | Uint16Array | Uint32Array;

/** The same numbers in an array with room for `length`, at least doubled when it has to grow. */
export function grown<T extends Ints>(array: T, length: number): T {
  if (length <= array.length) return array;
  const made = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2, 1024));
  made.set(array);
  return made;
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

/** The words of a store and what they are made of; shared by all its spaces. */
export class Vocabulary {
  readonly words: string[] = [''];
  readonly stems = new Names();
  readonly prefixes = new Names();
  readonly grams = new Names();
  stemOf = new Uint32Array(1024);
  /** The Kazakh stem of a word that also has a Russian one; counts in Kazakh chunks. */
  secondOf = new Uint32Array(1024);
  prefixOf = new Uint32Array(1024);
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
