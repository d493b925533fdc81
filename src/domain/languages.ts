/**
 * The languages of the service by their ISO 639-1 codes. If nothing else distinguishes two, the earlier one is chosen.
 * A new language needs a line here, a folder of words (src/language/) and its functions
 * (src/text/languages/registry.ts).
 */
export const languages = ['ru', 'kk', 'en'] as const;

export type Language = (typeof languages)[number];

/** Whether a value is the code of a language of the service. */
export const isLanguage = (code: unknown): code is Language =>
  languages.some((language) => language === code);
