/** Synonyms that hold for any subject, from the thesauri of the languages. */
import { FactsByStem } from './by-stem.ts';
import { languages, listOf, textOf } from './languages/index.ts';
import { stem } from './words.ts';

const groups = languages.flatMap((language) =>
  textOf(language, 'thesaurus.synonyms').split('\n').map(listOf),
);
const byStem = new FactsByStem(groups.flatMap((group) => group.map((word) => [word, group] as const)));

/** The stems of the first group of synonyms that contains this stem; empty if there is none. */
export function synonymsOf(of: string): string[] {
  const [group = []] = byStem.get(of);
  return [...new Set(group.map(stem))];
}
