/**
 * What the words of the documents say of the language of a short question: a handful of look-ups. Kazakh typed without
 * its own letters, a name in Latin letters, two words that any language of a script may have: where the question's own
 * words tell nothing, those who wrote the documents have used them in one language more than in others.
 */
import type { Language } from '../domain/events.ts';
import type { LanguageEvidence, Wording } from '../text/language.ts';
import { packs, scriptOf } from '../text/languages/index.ts';
import { stem, stemIn, words } from '../text/words.ts';
import { asMeant } from './known-layout.ts';
import type { ScopeTerms } from './retrieve.ts';

export type { LanguageEvidence, Wording } from '../text/language.ts';

/** Words that are looked up. */
const wordsMax = 8;
/**
 * What a word counts that stands in documents; that only sounds like one of theirs; and what is left of it for a language
 * of another script, whose texts borrow names and terms.
 */
const weights = { word: 1, alike: 0.7, borrowed: 0.4 };

type Terms = Pick<ScopeTerms, 'languages' | 'chunks' | 'frequency' | 'soundAlike' | 'meant'>;

/** A question as its writer meant it, and what the documents of a scope say for each language that it may be in. */
export function wording(terms: Terms, question: string): Wording {
  const knows = (word: string) =>
    terms.languages.some((lang) =>
      [stem(word), stemIn(word, lang)].some((one) => terms.frequency(one, lang) > 0),
    );
  const typed = asMeant(question, knows);
  return { typed, evidence: languageEvidence(terms, typed) };
}

/** What the documents say for each language. */
export function languageEvidence(terms: Terms, text: string): LanguageEvidence {
  const evidence: Partial<Record<Language, number>> = {};
  const distinct = [...new Set(words(text).filter((word) => scriptOf(word) !== null))];
  for (const word of distinct.slice(0, wordsMax)) {
    const direct = ratesOf(terms, (lang) => [stem(word), stemIn(word, lang)]);
    const alike = direct.total > 0 ? null : (terms.soundAlike(stem(word)) ?? terms.meant(word));
    const { total, rates } = alike === null ? direct : ratesOf(terms, () => [alike]);
    if (total === 0) continue;
    const script = scriptOf(alike ?? word);
    for (const [lang, rate] of rates) {
      const much = (alike === null ? weights.word : weights.alike) * (rate / total);
      const own = packs[lang].script === script ? much : weights.borrowed * much;
      if (own > 0) evidence[lang] = (evidence[lang] ?? 0) + own;
    }
  }
  return evidence;
}

/** In what part of a language's chunks one of the stems stands, by language, and the sum. */
function ratesOf({ languages, chunks, frequency }: Terms, stems: (lang: Language) => string[]) {
  const rates = languages.map((lang): [Language, number] => {
    const most = Math.max(...stems(lang).map((one) => frequency(one, lang)));
    return [lang, most / Math.max(1, chunks(lang))];
  });
  return { rates, total: rates.reduce((sum, [, rate]) => sum + rate, 0) };
}
