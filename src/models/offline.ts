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

function addPiece(vector: Float32Array, piece: string, weight: number): void {
  const value = hash(piece);
  const place = value & (dimension - 1);
  vector[place] = vector[place]! + (value & 0x10000 ? weight : -weight);
}

/** The vector of a text: 256 dimensions, of unit length (all zeros for a text without words), always the same. */
export function embedOffline(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of words(text)) {
    if (isStopWord(word)) continue;
    addPiece(vector, stem(word), stemWeight);
    for (const piece of grams(word)) addPiece(vector, piece, 1);
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
