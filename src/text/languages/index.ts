/**
 * The languages there are, and what is asked of all their packs at once. Every look-up is made from the packs
 * alone: at once, or when it is first asked where that takes long (when-asked.ts).
 */
import { whenAsked } from '../when-asked.ts';
import { endingIn, type Forms, formsOf, type Phrases, phrasesOf, WordTable } from './forms.ts';
import type { LanguagePack, WordList } from './pack.ts';
import { packs as registered } from './registry.ts';

export type Language = keyof typeof registered;

export const packs: Readonly<Record<Language, LanguagePack>> = registered;
export const languages = Object.keys(packs) as [Language, ...Language[]];

/** Whether a value is the code of a language there is a pack for. */
export const isLanguage = (code: unknown): code is Language =>
  typeof code === 'string' && Object.hasOwn(packs, code);

type Script = LanguagePack['script'];
/** The packs with their languages, in the order of the registry. */
export const all = languages.map((language) => ({ language, pack: packs[language] }));

/** A fact of every pack in one list of forms or words. */
export const joined = (pick: (pack: LanguagePack) => Forms): Forms =>
  all.map(({ pack }) => pick(pack)).join(' ');

/** The words of a list in every pack. */
export const wordsOfAll = (pick: (pack: LanguagePack) => Forms): ReadonlySet<string> =>
  new Set(formsOf(joined(pick)));

/** The phrases of a list in every pack. */
export const phrasesOfAll = (pick: (pack: LanguagePack) => Phrases): string[] =>
  all.flatMap(({ pack }) => phrasesOf(pick(pack)));

/** A look-up of words, and of their beginnings where they end in "*", in every pack. */
export const tableOfAll = (pick: (pack: LanguagePack) => Forms): WordTable<true> =>
  new WordTable<true>().add(joined(pick), true);

/** What each letter stands for, in any pack; the first that has it. */
export function lettersOfAll(
  pick: (pack: LanguagePack) => Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const { pack } of all)
    for (const [from, to] of Object.entries(pick(pack))) if (!map.has(from)) map.set(from, to);
  return map;
}

/** The source of a class of letters: `[абв]`. */
export const classOf = (letters: Iterable<string>): string => {
  const distinct = [...new Set(letters)].map((letter) => letter.replace(/[\\\]^-]/, '\\$&'));
  return distinct.length === 0 ? '(?!)' : `[${distinct.join('')}]`;
};

/** All letters of all languages, in lower case. */
export const alphabet: string = [...new Set(all.flatMap(({ pack }) => [...pack.letters.alphabet]))].join('');

const scripts = [...new Set(all.map(({ pack }) => pack.script))];
const inScript = scripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
/** Script of every UTF-16 code unit: its place in `scripts` + 1, 0 where it is of none, 255 where nobody asked yet. */
const scriptAt = new Uint8Array(65_536).fill(255);

/** The script of a word, by its last letter, which its ending is written in; null for numbers and signs. */
export function scriptOf(word: string): Script | null {
  for (let i = word.length - 1; i >= 0; i--) {
    const unit = word.charCodeAt(i);
    if (scriptAt[unit] === 255) {
      const sign = word[i]!;
      scriptAt[unit] = /\p{L}/u.test(sign) ? inScript.findIndex((script) => script.test(sign)) + 1 : 0;
    }
    const n = scriptAt[unit]!;
    if (n > 0) return scripts[n - 1]!;
  }
  return null;
}

/** A fact made of the packs of each script, asked for by a word. */
export function byScript<Fact>(make: (packs: LanguagePack[]) => Fact): (word: string) => Fact | undefined {
  const facts = whenAsked(
    () =>
      new Map(
        scripts.map((script) => [
          script,
          make(all.map(({ pack }) => pack).filter((pack) => pack.script === script)),
        ]),
      ),
  );
  return (word) => facts().get(scriptOf(word) as Script);
}

/**
 * Whether a word ends in one of the endings that the languages of its script have for something, with at least so many
 * letters before it.
 */
export function endings(
  pick: (pack: LanguagePack) => Forms | null,
  lettersBefore = 0,
): (word: string) => boolean {
  const of = byScript((some) => endingIn(some.map((pack) => pick(pack) ?? '').join(' '), lettersBefore));
  return (word) => of(word)?.test(word) ?? false;
}

const owners = new Uint8Array(65_536);
for (const [n, { pack }] of all.entries())
  for (const letter of pack.letters.own) {
    owners[letter.charCodeAt(0)] = n + 1;
    owners[letter.toUpperCase().charCodeAt(0)] = n + 1;
  }

/** The language one of whose own letters a text holds: the first such letter decides. Null where there is none. */
export function languageByLetters(text: string): Language | null {
  for (let i = 0; i < text.length; i++) {
    const owner = owners[text.charCodeAt(i)]!;
    if (owner > 0) return languages[owner - 1]!;
  }
  return null;
}

/** Whether a word list has a word; for lists of one pack. */
export const setOf = (list: WordList): ReadonlySet<string> => new Set(formsOf(list));

export {
  anyOf,
  endingIn,
  formsOf,
  letter,
  letters,
  type Phrases,
  phrasesOf,
  WordTable,
  wholeWords,
} from './forms.ts';
export {
  type ActKind,
  type AnswerKind,
  answerKinds,
  type LanguagePack,
  type QuestionKind,
  type ReferenceUnit,
  type Role,
  referenceUnits,
} from './pack.ts';
