/**
 * Words as numbers, in the form in which stores keep them for ranking. A fingerprint has two numbers per word, in text
 * order: one for its stem and one for its prefix. Ranking a chunk therefore needs no tokenising and stemming of its
 * text, and no dictionary of numbers is stored.
 *
 * Source: FNV-1a with the finalizer of MurmurHash3, 32 bits. One in ten thousand stems of a question collides with
 * one of 500,000 other stems, which then counts as a match.
 */
import type { Language } from './languages/index.ts';
import { detached, hasSecondStems, isStopWord, prefix, secondStem, stem } from './words.ts';

function hash(text: string, seed: number): number {
  let h = seed;
  for (let n = 0; n < text.length; n++) h = Math.imul(h ^ text.charCodeAt(n), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Special values instead of a prefix: for a stop word, which has no prefix term, and for the second stem of the
 * previous word.
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

/** Cache of analysed words, per thread; cleared when it is full. */
const known = new Map<string, Analysed>();
const maxKnown = 50_000;

function analysed(word: string): Analysed {
  const before = known.get(word);
  if (before) return before;
  const second = secondStem(word);
  const name = stem(word);
  const made = {
    word: detached(word),
    name,
    stem: stemId(name),
    prefix: isStopWord(word) ? marks.stopWord : prefixId(prefix(word)),
    second: second === null ? null : stemId(second),
  };
  if (known.size >= maxKnown) known.clear();
  known.set(made.word, made);
  return made;
}

export interface Fingerprint {
  /** Pairs of numbers, those of title and headings first. */
  tokens: Uint32Array;
  /** Number of pairs that belong to title and headings. */
  titled: number;
}

/**
 * The fingerprint of a chunk in a language, from the words of its title and headings and of its text. Adds the words'
 * stems to `stems`, and replaces the words by their cached copies, which later lookups find faster.
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

/** The numbers of a stored fingerprint. */
export const toTokens = (bytes: Uint8Array): Uint32Array =>
  bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : // A Buffer's own `slice` would share its memory, at the same offset.
      new Uint32Array(new Uint8Array(bytes).buffer);
