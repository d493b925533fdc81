/**
 * Words that answer each other without being the same, as the thesauri group them: who asks about a house finds
 * "dwelling". They are no evidence that two questions ask the same (text/synonyms.ts is stricter); here they let a
 * passage speak of what a question asks in other words.
 */
import { FactsByStem } from './by-stem.ts';
import { type Language, languages, listOf, textOf } from './languages/index.ts';
import { synonymsOf } from './synonyms.ts';
import { whenAsked } from './when-asked.ts';
import { detached, stem, stemIn } from './words.ts';

interface Group {
  language: Language;
  words: readonly string[];
  /** Of all its words, once somebody has asked for one. */
  stems?: readonly string[];
}

// A word whose letters tell no language is stemmed as its script's default, its forms that tell it as their own.
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

/** What was asked for before, each thread its own. Forgotten all at once when there are too many. */
const known = new Map<string, readonly string[]>();
const maxKnown = 5_000;

/** Stems of words that may answer a word of this stem, its synonyms included; never itself. */
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
