/** Words that ask for the same whatever the subject, as the packs group them. */
import { all } from './languages/index.ts';
import { foldWord, stem } from './words.ts';

const byWord = new Map<string, string>();
const byStem = new Map<string, string>();
const stemsOf = new Map<string, Set<string>>();
for (const { pack } of all) {
  for (const line of pack.synonyms.split('\n')) {
    const group = line.split(' ').filter(Boolean).map(foldWord);
    const [first] = group;
    if (first === undefined) continue;
    for (const word of group) {
      if (!byWord.has(word)) byWord.set(word, first);
      if (!byStem.has(stem(word))) byStem.set(stem(word), first);
    }
  }
}

/** The name of each word's group: the first word of it, which stays when groups come and go. Read models store it. */
export const synonymGroups: ReadonlyMap<string, string> = byWord;

for (const [word, group] of byWord) stemsOf.set(group, (stemsOf.get(group) ?? new Set()).add(stem(word)));

/** The group a word (as `words()` yields it) belongs to, by itself or by its stem, named by its first word. */
export function synonymGroup(word: string): string | null {
  return byWord.get(word) ?? byStem.get(stem(word)) ?? null;
}

/** The stems of the group that a stem belongs to; empty where it has none. */
export function synonymsOf(of: string): string[] {
  const group = byStem.get(of);
  return group === undefined ? [] : [...stemsOf.get(group)!];
}
