/**
 * Facts of words, looked up by the stems of the words. Stemming a thesaurus takes as long as starting a thread does, so
 * no word is stemmed before one is asked for that begins with its letter: a stem begins as its word does.
 */
import { stem } from './words.ts';

type Entry<Fact> = readonly [word: string, fact: Fact];

export class FactsByStem<Fact> {
  /** By the letter they begin with: entries whose words are not stemmed yet. */
  readonly #waiting = new Map<string, Entry<Fact>[]>();
  readonly #known = new Map<string, Set<Fact>>();
  readonly #stemsOf: (word: string, fact: Fact) => readonly string[];

  /** `stemsOf`: the stems of a word, where it has others than its own. */
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

  /** The facts of all words of a stem, each once, in the order of the entries. */
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
