/**
 * The languages there are, and what is asked of the words of all of them. Every look-up is made from the files alone: at
 * once, or when it is first asked where that takes long (when-asked.ts).
 */
import { type Language, languages } from '../../domain/languages.ts';
import { whenAsked } from '../when-asked.ts';
import { endingIn, type Forms, formsOf } from './forms.ts';
import { folderOf, roomFile } from './registry.ts';
import { filesOf, readSections } from './sections.ts';
import { ofEach, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** The words that several rooms use. */
export const {
  textOf,
  rowsOf,
  isSo,
  lettersOf,
  joined,
  rowsOfAll,
  wordsOfAll,
  phrasesOfAll,
  tableOfAll,
  lettersOfAll,
} = vocabularyOf(ofEach((language) => readSections(filesOf(folderOf(language)))));

/** The words of a room that no other uses, in the files of its folder words/; `room`: the address of one of its modules. */
export const roomWords = (room: string): Vocabulary =>
  vocabularyOf(ofEach((language) => readSections([roomFile(room, language)])));

/** The source of a class of letters: `[абв]`. */
export const classOf = (letters: Iterable<string>): string => {
  const distinct = [...new Set(letters)].map((letter) => letter.replace(/[\\\]^-]/, '\\$&'));
  return distinct.length === 0 ? '(?!)' : `[${distinct.join('')}]`;
};

/** All letters of all languages, in lower case. */
export const alphabet: string = [...new Set(joined('letters.alphabet').replaceAll(' ', ''))].join('');

/** The script a language is written in, by its name in Unicode. */
export const scripts = ofEach((language) => textOf(language, 'letters.script'));
const distinctScripts = [...new Set(Object.values(scripts))];
/** Words of a script that no letter gives to another language are stemmed as those of its default: one language a script. */
export const isDefaultOfScript = ofEach((language) => isSo(language, 'letters.isDefaultOfScript'));
const inScript = distinctScripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
/** Script of every UTF-16 code unit: its place in `distinctScripts` + 1, 0 where it is of none, 255 where nobody asked yet. */
const scriptAt = new Uint8Array(65_536).fill(255);

/** The script of a word, by its last letter, which its ending is written in; null for numbers and signs. */
export function scriptOf(word: string): string | null {
  for (let i = word.length - 1; i >= 0; i--) {
    const unit = word.charCodeAt(i);
    if (scriptAt[unit] === 255) {
      const sign = word[i]!;
      scriptAt[unit] = /\p{L}/u.test(sign) ? inScript.findIndex((script) => script.test(sign)) + 1 : 0;
    }
    const n = scriptAt[unit]!;
    if (n > 0) return distinctScripts[n - 1]!;
  }
  return null;
}

/**
 * Whether a word ends in one of the endings that the languages of its script have for something, with at least so many
 * letters before it. `of`: whose words are meant where they are a room's own.
 */
export function endings(name: string, lettersBefore = 0, of = { textOf }): (word: string) => boolean {
  const texts = ofEach((language) => of.textOf(language, name));
  const expressions = whenAsked(
    () =>
      new Map(
        distinctScripts.map((script) => {
          const ofScript = languages.filter((language) => scripts[language] === script);
          return [script, endingIn(ofScript.map((language) => texts[language]).join(' '), lettersBefore)];
        }),
      ),
  );
  return (word) =>
    expressions()
      .get(scriptOf(word) ?? '')
      ?.test(word) ?? false;
}

const owners = new Uint8Array(65_536);
for (const [n, language] of languages.entries())
  for (const letter of textOf(language, 'letters.own')) {
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

/** Whether a list has a word; for lists of one language. */
export const setOf = (list: Forms): ReadonlySet<string> => new Set(formsOf(list));

export { isLanguage, type Language, languages } from '../../domain/languages.ts';
export {
  anyOf,
  endingIn,
  formsOf,
  letter,
  letters,
  listOf,
  phrasesOf,
  WordTable,
  wholeWords,
} from './forms.ts';
export * from './kinds.ts';
export { grammars } from './registry.ts';
export { ofEach } from './vocabulary.ts';
