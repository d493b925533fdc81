/**
 * An embedder without a model. It hashes word fragments, so that texts with common words or roots have similar vectors,
 * and makes it possible to use the vector path without an API key. It does not capture meaning, so its weight in the
 * ranking is small.
 */
import type { Embedder } from '../ports/models.ts';
import { detached, grams, isStopWord, stem, words } from '../text/words.ts';

const dimension = 256;
/** Weight of a stem relative to one of its 4-grams. */
const stemWeight = 3;

/** FNV-1a over code units, with a final mix so that all bits vary. */
function hash(piece: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < piece.length; i++) value = Math.imul(value ^ piece.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return value ^ (value >>> 13);
}

/**
 * The contributions of words to a vector, concatenated: the number of dimensions, followed by each dimension and its
 * value. Words repeat, so their contributions are cached. A small array per word would take many times as much memory.
 */
let parts = new Int16Array(65_536);
let used = 0;
/** Offset of each word's contributions; -1 for stop words, which have none. */
const known = new Map<string, number>();
const maxKnown = 50_000;

function partsOf(word: string): number {
  const before = known.get(word);
  if (before !== undefined) return before;
  if (known.size >= maxKnown) {
    known.clear();
    used = 0;
  }
  const own = detached(word);
  if (isStopWord(own)) {
    known.set(own, -1);
    return -1;
  }
  const pieces = [stem(own), ...grams(own)];
  const needed = used + 1 + 2 * pieces.length;
  if (needed > parts.length) {
    const larger = new Int16Array(2 * needed);
    larger.set(parts);
    parts = larger;
  }
  const at = used;
  parts[used++] = pieces.length;
  for (const [n, piece] of pieces.entries()) {
    const value = hash(piece);
    const weight = n === 0 ? stemWeight : 1;
    parts[used++] = value & (dimension - 1);
    parts[used++] = value & 0x10000 ? weight : -weight;
  }
  known.set(own, at);
  return at;
}

/**
 * The vector of a text's words, as yielded by `words`: 256 dimensions, unit length (all zeros if there are only stop
 * words), deterministic.
 */
export function embedWords(list: readonly string[]): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of list) {
    const at = partsOf(word);
    if (at < 0) continue;
    for (let i = at + 1, end = i + 2 * parts[at]!; i < end; i += 2)
      vector[parts[i]!] = vector[parts[i]!]! + parts[i + 1]!;
  }
  let square = 0;
  for (let i = 0; i < dimension; i++) {
    vector[i] = Math.sign(vector[i]!) * Math.sqrt(Math.abs(vector[i]!));
    square += vector[i]! * vector[i]!;
  }
  if (square > 0) {
    const length = Math.sqrt(square);
    for (let i = 0; i < dimension; i++) vector[i] = vector[i]! / length;
  }
  return vector;
}

/** The vector of a text's words. */
export const embedOffline = (text: string): Float32Array => embedWords(words(text));

/** The embedder of a service without an API key. */
export const offlineEmbedder: Embedder = {
  name: 'offline-grams-1',
  dimension,
  deterministic: true,
  async embed(texts) {
    return texts.map(embedOffline);
  },
};
