/**
 * Builds the posting lists of a complete segment (see postings.ts) by sorting one number per token. This takes half the
 * time of collecting them in a map of arrays.
 */
import type { SQLOutputValue } from 'node:sqlite';
import { marks, toTokens } from '../../text/fingerprint.ts';

export type Row = Record<string, SQLOutputValue>;

/** Number of chunk ids in the range of a segment. */
export const span = 4_096;
/** The bits of an entry: the chunk's offset, whether the term is in its title, and the term's frequency. */
export const inTitle = 1 << 12;
export const countShift = 13;
export const countMax = 7;

/** The bits of a sorted number: the term, the chunk's offset, and these two. */
const tokenBits = 2;
const titleToken = 1;
const prefixToken = 2;
const termStep = span << tokenBits;

export class SegmentBuilder {
  readonly partition: SQLOutputValue;
  readonly lang: SQLOutputValue;
  readonly lengths = new Uint16Array(span);
  chunks = 0;
  words = 0;
  titled = 0;
  #tokens = new Float64Array(65_536);
  #used = 0;

  constructor({ partition, lang }: Row) {
    this.partition = partition!;
    this.lang = lang!;
  }

  /** Adds a chunk from its row of `tokens`, with its offset in the segment. */
  add(at: number, row: Row): void {
    const titled = Number(row.titled);
    const tokens = toTokens(row.tokens as Uint8Array);
    if (this.#used + tokens.length > this.#tokens.length) {
      const larger = new Float64Array(2 * (this.#used + tokens.length));
      larger.set(this.#tokens);
      this.#tokens = larger;
    }
    for (let n = 0; n < tokens.length; n += 2) {
      const bits = (at << tokenBits) | (n < titled * 2 ? titleToken : 0);
      this.#tokens[this.#used++] = tokens[n]! * termStep + bits;
      const prefix = tokens[n + 1]!;
      if (prefix > marks.secondStem)
        this.#tokens[this.#used++] = prefix * termStep + (at << tokenBits) + prefixToken;
    }
    this.chunks++;
    this.words += tokens.length / 2;
    this.titled += titled;
    this.lengths[at] = Math.min(65_535, tokens.length / 2);
  }

  /** The terms in order, each with its entries. */
  *lists(): Generator<[term: number, entries: Uint16Array]> {
    const tokens = this.#tokens.subarray(0, this.#used).sort();
    const entries = new Uint16Array(span);
    for (let n = 0; n < tokens.length; ) {
      const term = Math.floor(tokens[n]! / termStep);
      let length = 0;
      let last = -1;
      for (; n < tokens.length && tokens[n]! < (term + 1) * termStep; n++) {
        const bits = tokens[n]! - term * termStep;
        const at = bits >>> tokenBits;
        if (at !== last) entries[length++] = at | (1 << countShift);
        else if ((bits & prefixToken) === 0 && entries[length - 1]! >>> countShift < countMax)
          entries[length - 1]! += 1 << countShift;
        if (bits & titleToken) entries[length - 1]! |= inTitle;
        last = at;
      }
      yield [term, entries.slice(0, length)];
    }
  }
}
