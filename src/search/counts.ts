/** The number of chunks in a scope that contain each term, for the terms looked up so far. */

import type { Language } from '../domain/events.ts';
import type { ChunkSearch, SearchScope, TermCounts, Terms } from '../ports/chunk-search.ts';

/** The inverse document frequency (Okapi BM25) of a term that occurs in `df` of `chunks` chunks. */
export const inverseFrequency = (df: number, chunks: number): number =>
  Math.log(1 + (chunks - df + 0.5) / (df + 0.5));

/** The weight of a prefix of a word, relative to its stem. */
export const prefixWeight = 0.7;

type ByTerm = Map<string, readonly number[]>;

export class ScopeCounts {
  readonly #search: ChunkSearch;
  readonly #scope: SearchScope;
  #languages: TermCounts[] = [];
  /** By term, one number per language. */
  readonly #stems: ByTerm = new Map();
  readonly #prefixes: ByTerm = new Map();

  constructor(search: ChunkSearch, scope: SearchScope) {
    this.#search = search;
    this.#scope = scope;
  }

  /** Looks up the size of a scope and the counts of these terms. */
  static async of(search: ChunkSearch, scope: SearchScope, terms: Terms): Promise<ScopeCounts> {
    const counts = new ScopeCounts(search, scope);
    const distinct = { stems: [...new Set(terms.stems)], prefixes: [...new Set(terms.prefixes)] };
    counts.#take(distinct, await search.counts(scope, distinct));
    return counts;
  }

  /** Looks up the counts of additional terms. */
  async add(terms: Partial<Terms>): Promise<void> {
    const { stems = [], prefixes = [] } = terms;
    const unknown = {
      stems: [...new Set(stems)].filter((name) => !this.#stems.has(name)),
      prefixes: [...new Set(prefixes)].filter((name) => !this.#prefixes.has(name)),
    };
    if (unknown.stems.length + unknown.prefixes.length > 0)
      this.#take(unknown, await this.#search.counts(this.#scope, unknown));
  }

  #take(terms: Terms, counts: TermCounts[]): void {
    this.#languages = counts;
    for (const [n, name] of terms.stems.entries())
      this.#stems.set(
        name,
        counts.map(({ stems }) => stems[n]!),
      );
    for (const [n, name] of terms.prefixes.entries())
      this.#prefixes.set(
        name,
        counts.map(({ prefixes }) => prefixes[n]!),
      );
  }

  get languages(): Language[] {
    return this.#languages.map(({ lang }) => lang);
  }

  chunksIn(lang: Language): number {
    return this.#languages.find((one) => one.lang === lang)?.chunks ?? 0;
  }

  get chunks(): number {
    return this.#languages.reduce((sum, { chunks }) => sum + chunks, 0);
  }

  /** The average number of words in a chunk, and in its title and headings. */
  get averages(): { words: number; titled: number } {
    const mean = (of: 'words' | 'titled') =>
      this.#languages.reduce((sum, counts) => sum + counts[of], 0) / (this.chunks || 1);
    return { words: mean('words'), titled: mean('titled') };
  }

  stem(name: string): number {
    return total(this.#stems.get(name));
  }

  prefix(name: string): number {
    return total(this.#prefixes.get(name));
  }

  /** The number of chunks in a language that contain the stem. */
  stemIn(name: string, lang: Language): number {
    const at = this.#languages.findIndex((one) => one.lang === lang);
    return this.#stems.get(name)?.[at] ?? 0;
  }

  /** The most frequent of the stems; null if none occurs. */
  mostFrequent(names: readonly string[]): string | null {
    let best: string | null = null;
    for (const name of names) if (this.stem(name) > (best === null ? 0 : this.stem(best))) best = name;
    return best;
  }
}

const total = (counts: readonly number[] = []): number => counts.reduce((sum, n) => sum + n, 0);
