/** The languages of the service: a new one is a file beside these and a line here. */
import { en } from './en.ts';
import { kk } from './kk.ts';
import type { LanguagePack } from './pack.ts';
import { ru } from './ru.ts';

/** By the code of the language (ISO 639-1); where nothing else decides between two, the first has it. */
export const packs = { ru, kk, en } satisfies Record<string, LanguagePack>;
