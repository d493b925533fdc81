/** Words that ask for the same whatever the subject, as the packs group them. */
import { FactsByStem } from './by-stem.ts';
import { all } from './languages/index.ts';
import { stem } from './words.ts';

const groups = all.flatMap(({ pack }) =>
  pack.synonyms.split('\n').map((line) => line.split(' ').filter(Boolean)),
);
const byStem = new FactsByStem(groups.flatMap((group) => group.map((word) => [word, group] as const)));

/** The stems of the group that a stem belongs to, the first that has a word of it; empty where it has none. */
export function synonymsOf(of: string): string[] {
  const [group = []] = byStem.get(of);
  return [...new Set(group.map(stem))];
}
