/**
 * Uses a model's vectors to find differently worded questions with the same meaning. A wrong match is worse than no
 * match, so the vectors must be very close, and a simple guard excludes questions that clearly differ.
 */
import type { FaqRecord } from '../../projections/faq.ts';
import { Lru } from '../async/lru.ts';
import { endingIn, type Language, lettersOfAll, ofEach, textOf, wordsOfAll } from '../language/index.ts';
import { numbersOf } from '../text/numbers.ts';
import { isQuestionWord, isStopWord, stemIn, words } from '../text/words.ts';

/** Returns a unit vector for each text. Rejects with Failure. */
export type QuestionVectors = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * Minimum cosine similarity of two questions with the same meaning. This value is an estimate; it was not measured,
 * because no real embeddings were available.
 */
const nearest = 0.93;
/** Maximum number of questions to compare. Those that share the most words are preferred. */
const comparedMax = 20;
const keptMax = 2_000;

const negations = wordsOfAll('grammar.negations');
const splitNegations = lettersOfAll('grammar.splitNegations');
const negatedEndings = ofEach((language) => endingIn(textOf(language, 'grammar.negatedEndings')));

/** The features of a question that the guard compares. */
interface Traits {
  /** The numbers in order, the count of negations, and the question words, as JSON. */
  guard: string;
  /** The stems of all content words (`stems`) and of the words written as names within a sentence (`names`). */
  stems: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

function traitsOf(question: string, lang: Language): Traits {
  const list = words(question);
  const ending = negatedEndings[lang];
  const denying = list.filter((word, n) => {
    const before = splitNegations.get(word);
    const isSplit = before !== undefined && (list[n - 1] ?? '').endsWith(before);
    return negations.has(word) || ending.test(word) || isSplit;
  });
  const numbers = numbersOf(question, lang).map(({ keys: [value] }) => value);
  const asking = [...new Set(list.filter(isQuestionWord))].sort();
  const stemsOf = (some: readonly string[]) =>
    new Set(some.filter((word) => !isStopWord(word)).map((word) => stemIn(word, lang)));
  const capitalised = question.match(/(?<=[\p{L}\p{N}][,:;]? )\p{Lu}[\p{L}\p{M}-]*/gu) ?? [];
  return {
    guard: JSON.stringify([numbers, denying.length, asking]),
    stems: stemsOf(list),
    names: stemsOf(capitalised.flatMap(words)),
  };
}

/** The number of content words that two questions share; 0 if the guard rejects the pair. */
function likeness(a: Traits, b: Traits): number {
  const isNamedIn = (one: Traits, other: Traits) => [...one.names].every((name) => other.stems.has(name));
  if (a.guard !== b.guard || !isNamedIn(a, b) || !isNamedIn(b, a)) return 0;
  return [...a.stems].filter((stem) => b.stems.has(stem)).length;
}

export class Meanings {
  readonly #vectors: QuestionVectors;
  /** By question. */
  readonly #known = new Lru<string, Float32Array>(keptMax);
  readonly #traits = new Lru<string, Traits>(keptMax);

  constructor(vectors: QuestionVectors) {
    this.#vectors = vectors;
  }

  /** Returns the entries closest to the question that have the same meaning, or none if the model does not respond. */
  async same<Entry extends Pick<FaqRecord, 'question'>>(
    query: string,
    lang: Language,
    entries: readonly Entry[],
  ): Promise<Entry[]> {
    const asked = traitsOf(query, lang);
    const held = entries
      .map((entry) => ({ entry, shared: likeness(asked, this.#traitsOf(entry.question, lang)) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, comparedMax)
      .map(({ entry }) => entry);
    if (held.length === 0) return [];
    const vectors = await this.#of([query, ...held.map(({ question }) => question)]).catch(() => null);
    if (vectors === null) return [];
    const [first, ...others] = vectors;
    const near = others.map((vector) => vector.reduce((sum, value, i) => sum + value * first![i]!, 0));
    const best = Math.max(...near);
    return best < nearest ? [] : held.filter((_, n) => near[n] === best);
  }

  #traitsOf(question: string, lang: Language): Traits {
    const key = `${lang} ${question}`;
    const known = this.#traits.get(key);
    if (known !== undefined) return known;
    const traits = traitsOf(question, lang);
    this.#traits.set(key, traits);
    return traits;
  }

  async #of(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = new Map(texts.map((text) => [text, this.#known.get(text)]));
    const missing = [...vectors.keys()].filter((text) => vectors.get(text) === undefined);
    const made = missing.length === 0 ? [] : await this.#vectors(missing);
    for (const [n, text] of missing.entries()) {
      vectors.set(text, made[n]!);
      this.#known.set(text, made[n]!);
    }
    return texts.map((text) => vectors.get(text)!);
  }
}
