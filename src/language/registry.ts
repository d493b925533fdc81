/** The location of each language's word files, and the part of its grammar that is implemented in code. */
import type { Language } from '../domain/languages.ts';
import { en } from './en/grammar.ts';
import type { Grammar } from './grammar.ts';
import { kk } from './kk/grammar.ts';
import { ru } from './ru/grammar.ts';

export const grammars: Readonly<Record<Language, Grammar>> = { ru, kk, en };

/** The folder that contains a language's word files. */
export const folderOf = (language: Language): URL => new URL(`${language}/`, import.meta.url);

/** The word file that only one module uses for a language. `module`: the URL of one of its files. */
export const ownFile = (module: string, language: Language): URL => new URL(`words/${language}.txt`, module);
