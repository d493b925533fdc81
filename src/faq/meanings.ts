/**
 * Which of several questions asks the same as another in other words, told by the vectors of a model. Only questions
 * that nothing forbids are held against each other (`mayAskTheSame`), so that nearly all questions cost nothing; and what
 * is asked must lie very near: a wrong hit is worse than a miss.
 */
import type { HeldEntry } from './entries.ts';

/** One vector of unit length for each text. Rejects with Failure. */
export type QuestionVectors = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * The least cosine of two questions that ask the same. A choice, not measured: there are no real embeddings here. What
 * keeps wrong hits out are the vetoes before it.
 */
const nearest = 0.93;
/** Maximum number of questions compared with one, those that share most with it first. */
const heldMax = 20;
const keptMax = 2_000;

export class Meanings {
  readonly #vectors: QuestionVectors;
  /** By question; the oldest first. */
  readonly #kept = new Map<string, Float32Array>();

  constructor(vectors: QuestionVectors) {
    this.#vectors = vectors;
  }

  /** The entries that ask the same, the nearest alone; none where the model does not answer. */
  async same(query: string, entries: readonly HeldEntry[]): Promise<HeldEntry[]> {
    if (entries.length === 0) return [];
    const held = entries.slice(0, heldMax);
    const vectors = await this.#of([query, ...held.map(({ record }) => record.question)]).catch(() => null);
    if (vectors === null) return [];
    const [asked, ...others] = vectors;
    const near = others.map((vector) => vector.reduce((sum, value, i) => sum + value * asked![i]!, 0));
    const best = Math.max(...near);
    return best < nearest ? [] : held.filter((_, n) => near[n] === best);
  }

  async #of(texts: readonly string[]): Promise<Float32Array[]> {
    const missing = [...new Set(texts.filter((text) => !this.#kept.has(text)))];
    const made = missing.length === 0 ? [] : await this.#vectors(missing);
    for (const [n, text] of missing.entries()) this.#kept.set(text, made[n]!);
    const wanted = texts.map((text) => this.#kept.get(text)!);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptMax) break;
      this.#kept.delete(oldest);
    }
    return wanted;
  }
}
