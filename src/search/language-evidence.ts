/**
 * Estimates the language of a short question from the vocabulary of the documents. This is used if the question alone
 * does not identify its language: for example, if it is Kazakh typed without the special letters, a name in Latin
 * letters, or one or two words that exist in several languages. Documents in the right language usually contain these
 * words more often than other documents.
 */

import { type Language, scriptOf, scripts } from '../language/index.ts';
import type { ChunkSearch, SearchScope } from '../ports/chunk-search.ts';
import type { Wording } from '../text/language.ts';
import { stem, stemIn, words } from '../text/words.ts';
import { ScopeCounts } from './counts.ts';
import { asMeant, wordsInOtherLayouts } from './known-layout.ts';
import { standIn } from './unknown-words.ts';

/** Maximum number of words to look up. */
const wordsMax = 8;
/**
 * Weight of a word found in the documents, weight of a word replaced by a similar one, and the factor for languages in
 * another script, in which documents contain borrowed names and terms.
 */
const weights = { word: 1, alike: 0.7, borrowed: 0.4 };

/**
 * Returns the question in the intended keyboard layout and the evidence for each language, or null if the scope is
 * empty.
 */
export async function wording(
  search: ChunkSearch,
  scope: SearchScope,
  question: string,
): Promise<Wording | null> {
  const counts = await ScopeCounts.of(search, scope, { stems: [], prefixes: [] });
  const { languages } = counts;
  if (languages.length === 0) return null;
  const formsOf = (word: string) => [stem(word), ...languages.map((lang) => stemIn(word, lang))];
  await counts.add({ stems: [...words(question), ...wordsInOtherLayouts(question)].flatMap(formsOf) });
  const knows = (word: string) => formsOf(word).some((one) => counts.stem(one) > 0);
  const typed = asMeant(question, knows);
  await counts.add({ stems: words(typed).flatMap(formsOf) });
  const evidence: Partial<Record<Language, number>> = {};
  const distinct = [...new Set(words(typed).filter((word) => scriptOf(word) !== null))];
  for (const word of distinct.slice(0, wordsMax)) {
    const alike = knows(word) ? null : await standIn(word, search, counts);
    const rates = languages.map((lang): [Language, number] => {
      const stems = alike === null ? [stem(word), stemIn(word, lang)] : [alike.stem];
      const most = Math.max(...stems.map((one) => counts.stemIn(one, lang)));
      return [lang, most / Math.max(1, counts.chunksIn(lang))];
    });
    const total = rates.reduce((sum, [, rate]) => sum + rate, 0);
    if (total === 0) continue;
    const script = scriptOf(alike?.stem ?? word);
    for (const [lang, rate] of rates) {
      const much = (alike === null ? weights.word : weights.alike) * (rate / total);
      const own = scripts[lang] === script ? much : weights.borrowed * much;
      if (own > 0) evidence[lang] = (evidence[lang] ?? 0) + own;
    }
  }
  return { typed, evidence };
}
