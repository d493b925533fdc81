/** Words that ask for the same whatever the subject, as the thesauri group them. */
import { FactsByStem } from './by-stem.ts';
import { languages, listOf, textOf } from './languages/index.ts';
import { stem } from './words.ts';

const groups = languages.flatMap((language) =>
  textOf(language, 'thesaurus.synonyms').split('\n').map(listOf),
);
const byStem = new FactsByStem(groups.flatMap((group) => group.map((word) => [word, group] as const)));

/** The stems of the group that a stem belongs to, the first that has a word of it; empty where it has none. */
export function synonymsOf(of: string): string[] {
  const [group = []] = byStem.get(of);
  return [...new Set(group.map(stem))];
}
