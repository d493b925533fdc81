/**
 * The supported languages, and lookup functions for their words. Lookup tables are built from the word files when the
 * module is loaded, or on first use if building them is slow (when-asked.ts).
 */
import { type Language, languages } from '../domain/languages.ts';
import { endingIn, formsOf, type WordForms } from './forms.ts';
import { folderOf, ownFile } from './registry.ts';
import { filesOf, readSections } from './sections.ts';
import { ofEach, type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { whenAsked } from './when-asked.ts';

/** Words used by several modules. */
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

/** Words used by only one module, from the files in its folder words/. `module`: the URL of one of its files. */
export const ownWords = (module: string): Vocabulary =>
  vocabularyOf(ofEach((language) => readSections([ownFile(module, language)])));

/** The regular expression source of a character class, such as `[абв]`. */
export const classOf = (letters: Iterable<string>): string => {
  const distinct = [...new Set(letters)].map((letter) => letter.replace(/[\\\]^-]/, '\\$&'));
  return distinct.length === 0 ? '(?!)' : `[${distinct.join('')}]`;
};

/** The lower-case letters of all languages. */
export const alphabet: string = [...new Set(joined('letters.alphabet').replaceAll(' ', ''))].join('');

/** The Unicode name of each language's script. */
export const scripts = ofEach((language) => textOf(language, 'letters.script'));
const distinctScripts = [...new Set(Object.values(scripts))];
/**
 * Whether a language is the default of its script. Each script has one default language, in which all words without a
 * letter unique to another language are stemmed.
 */
export const isDefaultOfScript = ofEach((language) => isSo(language, 'letters.isDefaultOfScript'));
const inScript = distinctScripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
/** The script of every UTF-16 code unit: its index in `distinctScripts` + 1; 0 for none; 255 if not determined yet. */
const scriptAt = new Uint8Array(65_536).fill(255);

/** The script of a word's last letter, which determines how the word is inflected; null for numbers and signs. */
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
 * Returns a function that tests whether a word has one of the endings listed in the given section for the languages of
 * its script, after a minimum number of letters. `of`: the vocabulary; by default the shared one.
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

/** The language of the first letter that is unique to one language; null if there is none. */
export function languageByLetters(text: string): Language | null {
  for (let i = 0; i < text.length; i++) {
    const owner = owners[text.charCodeAt(i)]!;
    if (owner > 0) return languages[owner - 1]!;
  }
  return null;
}

export const setOf = (list: WordForms): ReadonlySet<string> => new Set(formsOf(list));

export { isLanguage, type Language, languages } from '../domain/languages.ts';
export {
  anyOf,
  endingIn,
  formsOf,
  letter,
  letters,
  listOf,
  longestFirst,
  phrasesOf,
  WordTable,
  wholeWords,
} from './forms.ts';
export { grammars } from './registry.ts';
export { ofEach } from './vocabulary.ts';
export * from './word-rows.ts';
