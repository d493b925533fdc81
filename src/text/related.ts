/**
 * Words that are related without being the same, grouped by the thesauri: a question about a house finds "dwelling".
 * Related words are not evidence that two questions are the same (text/synonyms.ts is stricter). They let a passage
 * match a question that uses other words.
 */
import { FactsByStem } from './by-stem.ts';
import { type Language, languages, listOf, textOf } from './languages/index.ts';
import { synonymsOf } from './synonyms.ts';
import { whenAsked } from './when-asked.ts';
import { detached, stem, stemIn } from './words.ts';

interface Group {
  language: Language;
  words: readonly string[];
  /** The stems of all its words, once needed. */
  stems?: readonly string[];
}

// A word without a letter unique to one language is stemmed in its script's default language; a form with such a
// letter, in its own language.
const stemsOf = (word: string, { language }: Group) => [stem(word), stemIn(word, language)];

const byStem = whenAsked(() => {
  const groups: Group[] = languages.flatMap((language) =>
    textOf(language, 'thesaurus.related')
      .split('\n')
      .map((line) => ({ language, words: listOf(line) })),
  );
  return new FactsByStem(
    groups.flatMap((group) => group.words.map((word) => [word, group] as const)),
    stemsOf,
  );
});

/** Cache of earlier results, per thread; cleared when it is full. */
const known = new Map<string, readonly string[]>();
const maxKnown = 5_000;

/** Stems of words related to this stem, including synonyms, excluding itself. */
export function relatedStems(of: string): readonly string[] {
  const before = known.get(of);
  if (before !== undefined) return before;
  const made = related(of);
  if (known.size >= maxKnown) known.clear();
  known.set(detached(of), made);
  return made;
}

function related(of: string): string[] {
  const grouped = [...byStem().get(of)].flatMap((group) => {
    group.stems ??= group.words.flatMap((word) => stemsOf(word, group));
    return group.stems;
  });
  return [...new Set([...grouped, ...synonymsOf(of)])].filter((one) => one !== of);
}
