/** Where each language's words are, and the part of its grammar that is code. */
import type { Language } from '../../domain/languages.ts';
import { en } from './en.ts';
import type { Grammar } from './grammar.ts';
import { kk } from './kk.ts';
import { ru } from './ru.ts';

export const grammars: Readonly<Record<Language, Grammar>> = { ru, kk, en };

const data = new URL('../../language/', import.meta.url);

/** The folder with a language's words. */
export const folderOf = (language: Language): URL => new URL(`${language}/`, data);

/** The file of words that only one module uses in a language. `room`: the address of a file in that module. */
export const roomFile = (room: string, language: Language): URL => new URL(`words/${language}.txt`, room);
