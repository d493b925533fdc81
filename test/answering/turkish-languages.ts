/** The languages of the service plus one. */
import { languages as own } from '../../src/domain/languages.ts';

export const languages = [...own, 'tr'];
export const isLanguage = (code: unknown) => languages.some((language) => language === code);
