/**
 * Maps the stems of words to facts. Stemming a whole thesaurus takes as long as starting a thread. A word is therefore
 * stemmed only when a stem with the same first letter is looked up; stemming never changes the first letter.
 */
import { stem } from './words.ts';

type Entry<Fact> = readonly [word: string, fact: Fact];

export class FactsByStem<Fact> {
  /** Entries whose words are not stemmed yet, by first letter. */
  readonly #waiting = new Map<string, Entry<Fact>[]>();
  readonly #known = new Map<string, Set<Fact>>();
  readonly #stemsOf: (word: string, fact: Fact) => readonly string[];

  /** `stemsOf`: returns the stems of a word; by default, the result of `stem`. */
  constructor(
    entries: Iterable<Entry<Fact>>,
    stemsOf = (word: string, _: Fact): readonly string[] => [stem(word)],
  ) {
    this.#stemsOf = stemsOf;
    for (const entry of entries) {
      const letter = entry[0].charAt(0);
      const others = this.#waiting.get(letter);
      if (others === undefined) this.#waiting.set(letter, [entry]);
      else others.push(entry);
    }
  }

  /** The distinct facts of all words with this stem, in the order of the entries. */
  get(of: string): ReadonlySet<Fact> {
    const letter = of.charAt(0);
    for (const [word, fact] of this.#waiting.get(letter) ?? []) {
      for (const one of this.#stemsOf(word, fact)) {
        const facts = this.#known.get(one);
        if (facts === undefined) this.#known.set(one, new Set([fact]));
        else facts.add(fact);
      }
    }
    this.#waiting.delete(letter);
    return this.#known.get(of) ?? none;
  }
}

const none: ReadonlySet<never> = new Set();
