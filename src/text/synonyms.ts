/** Words that ask for the same whatever the subject, as the packs group them. */
import { FactsByStem } from './by-stem.ts';
import { all } from './languages/index.ts';
import { stem } from './words.ts';

const byWord = new Map<string, string>();
/** The words of each group. */
const groups = new Map<string, string[]>();
const entries: [word: string, group: string][] = [];
for (const { pack } of all) {
  for (const line of pack.synonyms.split('\n')) {
    const list = line.split(' ').filter(Boolean);
    const [first] = list;
    if (first === undefined) continue;
    for (const word of list) {
      entries.push([word, first]);
      if (byWord.has(word)) continue;
      byWord.set(word, first);
      groups.set(first, [...(groups.get(first) ?? []), word]);
    }
  }
}
const byStem = new FactsByStem(entries);

/** The name of each word's group: the first word of it, which stays when groups come and go. Read models store it. */
export const synonymGroups: ReadonlyMap<string, string> = byWord;

/** The group of a stem: the first that has a word of it. */
const groupOf = (of: string): string | null => byStem.get(of).values().next().value ?? null;

/** The group a word (as `words()` yields it) belongs to, by itself or by its stem, named by its first word. */
export function synonymGroup(word: string): string | null {
  return byWord.get(word) ?? groupOf(stem(word));
}

/** The stems of the group that a stem belongs to; empty where it has none. */
export function synonymsOf(of: string): string[] {
  const group = groupOf(of);
  return group === null ? [] : [...new Set((groups.get(group) ?? []).map(stem))];
}
