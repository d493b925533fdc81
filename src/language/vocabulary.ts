/** Access to the words of all languages by section name. Throws if no language has a section with that name. */
import { type Language, languages } from '../domain/languages.ts';
import { formsOf, phrasesOf, type WordForms, WordTable } from './forms.ts';
import { lettersIn, rowsIn, type Sections } from './sections.ts';

/** Builds a value for every language. */
export const ofEach = <Fact>(make: (language: Language) => Fact): Readonly<Record<Language, Fact>> =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, Fact>;

export type Vocabulary = ReturnType<typeof vocabularyOf>;

export function vocabularyOf(sections: Readonly<Record<Language, Sections>>) {
  const rows = new Map<string, readonly string[][]>();

  /** The content of a language's section; '' if only other languages have this section. */
  function textOf(language: Language, name: string): string {
    const text = sections[language].get(name);
    if (text === undefined && !languages.some((other) => sections[other].has(name)))
      throw new Error(`No language has a section "${name}"`);
    return text ?? '';
  }

  function rowsOf<Row extends readonly string[]>(language: Language, name: string): readonly Row[] {
    const key = `${language} ${name}`;
    const made = rows.get(key) ?? rowsIn(textOf(language, name));
    rows.set(key, made);
    return made as unknown as readonly Row[];
  }

  /** The sections of all languages, joined into one list of forms. */
  const joined = (...names: readonly string[]): WordForms =>
    languages.flatMap((language) => names.map((name) => textOf(language, name))).join(' ');
  /** Whether the content of a language's section is "yes". */
  const isSo = (language: Language, name: string): boolean => textOf(language, name) === 'yes';
  const rowsOfAll = <Row extends readonly string[]>(name: string): Row[] =>
    languages.flatMap((language) => rowsOf<Row>(language, name));
  /** The words in the given sections of all languages. */
  const wordsOfAll = (...names: readonly string[]): ReadonlySet<string> => new Set(formsOf(joined(...names)));
  const phrasesOfAll = (name: string): string[] =>
    languages.flatMap((language) => phrasesOf(textOf(language, name)));
  /** A table of the words, and of the prefixes marked by "*", in the given sections of all languages. */
  const tableOfAll = (...names: readonly string[]): WordTable<true> =>
    new WordTable<true>().add(joined(...names), true);
  const lettersOf = (language: Language, name: string): ReadonlyMap<string, string> =>
    lettersIn(textOf(language, name));
  /** The letter pairs of all languages; for each letter, the first language that contains it wins. */
  const lettersOfAll = (name: string): ReadonlyMap<string, string> =>
    new Map(languages.toReversed().flatMap((language) => [...lettersOf(language, name)]));

  return {
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
  };
}
