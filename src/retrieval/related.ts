/**
 * Words that answer each other without being the same, as the packs group them: who asks about a house finds
 * "dwelling". They are no evidence that two questions ask the same (text/synonyms.ts is stricter); here they let a
 * passage speak of what a question asks in other words.
 */
import { all } from '../text/languages/index.ts';
import { synonymsOf } from '../text/synonyms.ts';
import { stem, stemIn } from '../text/words.ts';

const byStem = new Map<string, Set<string>>();
for (const { language, pack } of all) {
  for (const line of pack.related.split('\n')) {
    // A word whose letters tell no language is stemmed as its script's default, its forms that tell it as their own.
    const group = line
      .split(' ')
      .flatMap((word) => (word === '' ? [] : [stem(word), stemIn(word, language)]));
    for (const one of group) {
      const known = byStem.get(one) ?? new Set();
      for (const other of group) if (other !== one) known.add(other);
      byStem.set(one, known);
    }
  }
}

/** Stems of words that may answer a word of this stem, its synonyms included; never itself. */
export function relatedStems(of: string): string[] {
  return [...new Set([...(byStem.get(of) ?? []), ...synonymsOf(of)])].filter((one) => one !== of);
}
