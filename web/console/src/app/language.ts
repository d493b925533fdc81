/** The console's language: the browser's, or the one the user chose. Only the texts of that language are loaded. */
import { createContext, useContext, useMemo } from 'react';
import type { Texts } from '../texts/en.ts';

export const languages = ['en', 'ru', 'kk'] as const;
export type Language = (typeof languages)[number];

const key = 'docent-language';
const isLanguage = (value: unknown): value is Language => languages.includes(value as Language);

export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(key);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

export const keepLanguage = (language: Language): void => localStorage.setItem(key, language);

const loaders: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('../texts/en.ts')).en,
  ru: async () => (await import('../texts/ru.ts')).ru,
  kk: async () => (await import('../texts/kk.ts')).kk,
};
export const loadTexts = (language: Language): Promise<Texts> => loaders[language]();

export interface Spoken {
  language: Language;
  texts: Texts;
  choose(language: Language): void;
}

export const SpokenContext = createContext<Spoken | null>(null);

export function useSpoken(): Spoken {
  const spoken = useContext(SpokenContext);
  if (spoken === null) throw new Error('The language context is missing.');
  return spoken;
}

export const useTexts = (): Texts => useSpoken().texts;

/** Formats numbers, percentages, durations and times in the console's language. */
export function useFormat() {
  const { language } = useSpoken();
  return useMemo(() => {
    // Chromium has no Kazakh formats and writes "M11"; the Russian ones are the same if months are numbers.
    const [locale, month] = language === 'kk' ? (['ru', '2-digit'] as const) : ([language, 'short'] as const);
    const number = new Intl.NumberFormat(locale);
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
    const moment = new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month,
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
    const short = new Intl.DateTimeFormat(locale, {
      day: '2-digit',
      month,
      hour: '2-digit',
      minute: '2-digit',
    });
    const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' });
    const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month, timeZone: 'UTC' });
    const [milliseconds, seconds] = ([0, 1] as const).map(
      (digits) =>
        new Intl.NumberFormat(locale, {
          style: 'unit',
          unit: digits === 0 ? 'millisecond' : 'second',
          maximumFractionDigits: digits,
        }),
    ) as [Intl.NumberFormat, Intl.NumberFormat];
    const dated = (format: Intl.DateTimeFormat) => (time: string | null | undefined) =>
      time ? format.format(new Date(time)) : '—';
    return {
      number: (n: number) => number.format(n),
      percent: (share: number) => percent.format(share),
      money: (usd: number) => money.format(usd),
      /** A complete time with its zone, for details. */
      moment: dated(moment),
      /** A short time, for lists. */
      short: dated(short),
      /** A day (UTC) with its year. */
      date: dated(date),
      day: dated(day),
      /** The zone of all times. */
      zone: () =>
        moment.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC',
      /** Milliseconds. */
      duration: (ms: number | null) =>
        ms === null ? '—' : ms < 1000 ? milliseconds.format(ms) : seconds.format(ms / 1000),
    };
  }, [language]);
}
