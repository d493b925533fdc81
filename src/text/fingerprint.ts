/**
 * Stores keep the words of each chunk for ranking as a fingerprint: two numbers per word, in text order, one for its
 * stem and one for its prefix. Ranking therefore does not have to tokenise and stem the text of chunks. The numbers are
 * hashes, so no dictionary is stored.
 *
 * Source: 32-bit FNV-1a with the finalizer of MurmurHash3. If the index has 500,000 stems, about one in ten thousand
 * stems of questions has the same hash as another stem, which then counts as a match.
 */
import type { Language } from '../domain/events.ts';
import { cachedByWord, hasSecondStems, isStopWord, prefix, secondStem, stem } from './words.ts';

function hash(text: string, seed: number): number {
  let h = seed;
  for (let n = 0; n < text.length; n++) h = Math.imul(h ^ text.charCodeAt(n), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Values that replace the prefix: for a stop word, which has no prefix term, and for the second stem of the previous
 * word.
 */
export const marks = { stopWord: 0, secondStem: 1 };

export const stemId = (name: string): number => hash(name, 0x811c9dc5);
export const prefixId = (name: string): number => Math.max(2, hash(name, 0x9dc5811c));

interface Analysed {
  /** The cached copy of the word, and its stem. */
  word: string;
  name: string;
  stem: number;
  prefix: number;
  second: number | null;
}

const analysed = cachedByWord(50_000, (word): Analysed => {
  const second = secondStem(word);
  const name = stem(word);
  return {
    word,
    name,
    stem: stemId(name),
    prefix: isStopWord(word) ? marks.stopWord : prefixId(prefix(word)),
    second: second === null ? null : stemId(second),
  };
});

export interface Fingerprint {
  /** Pairs of numbers; those for the title and headings come first. */
  tokens: Uint32Array;
  /** Number of pairs that belong to the title and headings. */
  titled: number;
}

/**
 * Computes the fingerprint of a chunk from the words of its title and headings (`title`) and of its text (`body`). Adds
 * the stems of the words to `stems`, and replaces the words by their cached copies, which are faster to look up later.
 */
export function fingerprint(
  title: string[],
  body: string[],
  lang: Language,
  stems: Set<string> = new Set(),
): Fingerprint {
  const hasSeconds = hasSecondStems(lang);
  const tokens: number[] = [];
  const add = (list: string[]) => {
    for (let n = 0; n < list.length; n++) {
      const { word, name, stem, prefix, second } = analysed(list[n]!);
      list[n] = word;
      stems.add(name);
      tokens.push(stem, prefix);
      if (hasSeconds && second !== null) tokens.push(second, marks.secondStem);
    }
  };
  add(title);
  const titled = tokens.length / 2;
  add(body);
  return { tokens: Uint32Array.from(tokens), titled };
}

/** Converts a stored fingerprint to numbers. */
export const toTokens = (bytes: Uint8Array): Uint32Array =>
  bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : // The copy is aligned. `Buffer.slice` would share the memory and keep the offset.
      new Uint32Array(new Uint8Array(bytes).buffer);
