/**
 * The languages supported by the service, by ISO 639-1 code. On a tie, the earlier language is chosen. A new language
 * needs a line here, a folder of words and functions (src/language/<code>/), and a line in src/language/registry.ts.
 */
export const languages = ['ru', 'kk', 'en'] as const;

export type Language = (typeof languages)[number];

/** Whether a value is the code of a supported language. */
export const isLanguage = (code: unknown): code is Language =>
  languages.some((language) => language === code);
