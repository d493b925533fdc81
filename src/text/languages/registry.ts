/** The location of each language's word files, and the part of its grammar that is implemented in code. */
import type { Language } from '../../domain/languages.ts';
import { en } from './en.ts';
import type { Grammar } from './grammar.ts';
import { kk } from './kk.ts';
import { ru } from './ru.ts';

export const grammars: Readonly<Record<Language, Grammar>> = { ru, kk, en };

const data = new URL('../../language/', import.meta.url);

/** The folder that contains a language's word files. */
export const folderOf = (language: Language): URL => new URL(`${language}/`, data);

/** The word file that only one module uses for a language. `room`: the URL of a file in that module. */
export const roomFile = (room: string, language: Language): URL => new URL(`words/${language}.txt`, room);
