/**
 * An embedder that needs no model: hashed pieces of words, so that texts with words in common, or of one root, lie
 * near each other. It keeps the vector path real without a key; it knows no meaning, and its weight in the ranking
 * is small accordingly.
 *
 * Source: feature hashing with signs (Weinberger and others, 2009) over 4-letter pieces and stems of the words
 * without stop words; the square root of each sum, then unit length.
 */
import type { Embedder } from '../ports/models.ts';
import { grams, isStopWord, stem, words } from '../text/words.ts';

const dimension = 256;
/** A stem counts as much as so many of its pieces. */
const stemWeight = 3;

/** FNV-1a over code units, mixed at the end so that all bits vary. */
function hash(piece: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < piece.length; i++) value = Math.imul(value ^ piece.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return value ^ (value >>> 13);
}

/** Places in the vector with what is added there, one after the other, by word: running text repeats its words. */
const known = new Map<string, Int16Array>();
const maxKnown = 50_000;

function partsOf(word: string): Int16Array {
  const before = known.get(word);
  if (before !== undefined) return before;
  const pieces: [piece: string, weight: number][] = [[stem(word), stemWeight]];
  for (const piece of grams(word)) pieces.push([piece, 1]);
  const parts = Int16Array.from(
    pieces.flatMap(([piece, weight]) => {
      const value = hash(piece);
      return [value & (dimension - 1), value & 0x10000 ? weight : -weight];
    }),
  );
  if (known.size >= maxKnown) known.clear();
  known.set(word, parts);
  return parts;
}

/** The vector of a text: 256 dimensions, of unit length (all zeros for a text without words), always the same. */
export function embedOffline(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of words(text)) {
    if (isStopWord(word)) continue;
    const parts = partsOf(word);
    for (let i = 0; i < parts.length; i += 2) vector[parts[i]!] = vector[parts[i]!]! + parts[i + 1]!;
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

/** The embedder of a service without a key. */
export const offlineEmbedder: Embedder = {
  name: 'offline-grams-1',
  dimension,
  deterministic: true,
  async embed(texts) {
    return texts.map(embedOffline);
  },
};
