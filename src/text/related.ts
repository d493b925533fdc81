/**
 * Related words from the thesauri of the languages. They let a passage match a question that uses different words: a
 * question about a house finds "dwelling". Synonyms hold for any subject; other related words only in some.
 */

import { type Language, languages, listOf, textOf } from '../language/index.ts';
import { whenAsked } from '../language/when-asked.ts';
import { FactsByStem } from './by-stem.ts';
import { cachedByWord, stem, stemIn } from './words.ts';

interface Group {
  language: Language;
  words: readonly string[];
  /** The stems of all words in the group; computed on first use. */
  stems?: readonly string[];
}

// Forms of the same word may be stemmed in different languages: a form with a letter unique to one language is stemmed
// in that language, other forms in the default language of the script.
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

/** The stems of words related to this stem, including synonyms but excluding the stem itself. */
export const relatedStems = cachedByWord(5_000, (of): readonly string[] => {
  const grouped = [...byStem().get(of)].flatMap((group) => {
    group.stems ??= group.words.flatMap((word) => stemsOf(word, group));
    return group.stems;
  });
  return [...new Set([...grouped, ...synonymsOf(of)])].filter((one) => one !== of);
});

const synonyms = languages.flatMap((language) =>
  textOf(language, 'thesaurus.synonyms').split('\n').map(listOf),
);
const synonymsByStem = new FactsByStem(
  synonyms.flatMap((group) => group.map((word) => [word, group] as const)),
);

/** The stems of the first group of synonyms that contains this stem; empty if there is none. */
function synonymsOf(of: string): string[] {
  const [group = []] = synonymsByStem.get(of);
  return [...new Set(group.map(stem))];
}
