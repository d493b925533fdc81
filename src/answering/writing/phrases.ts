/** The fixed sentences of answers, as the language packs have them; dates and languages come by their names. */
import type { Language } from '../../domain/events.ts';
import { all, formsOf, type LanguagePack, languages } from '../../text/languages/index.ts';
import { whenAsked } from '../../text/when-asked.ts';

type Fixed = LanguagePack['phrases'];

export interface Phrases extends Omit<Fixed, 'date' | 'otherLanguage' | 'meta'> {
  meta: (corpus: string, description: string) => string;
  otherLanguage: (other: Language) => string;
  /** What a language is called. */
  language: (other: Language) => string;
  /** An ISO date, or what of one is known. */
  date: (iso: string) => string;
}

export const phrases = Object.fromEntries(
  all.map(({ language, pack }) => [language, phrasesIn(language, pack)]),
) as Record<Language, Phrases>;

function phrasesIn(language: Language, { phrases: fixed, calendar }: LanguagePack): Phrases {
  const months = formsOf(calendar.months);
  const names = whenAsked(() => new Intl.DisplayNames([language], { type: 'language' }));
  const nameOf = (other: Language) => names().of(other) ?? other;
  return {
    ...fixed,
    meta: (corpus, description) => fixed.meta(corpus, description, languages.map(nameOf).join(', ')),
    otherLanguage: (other) => fixed.otherLanguage(nameOf(other)),
    language: nameOf,
    date: (iso) => {
      const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? [];
      return year ? fixed.date(Number(day), months[Number(month) - 1] ?? '', year) : iso;
    },
  };
}
