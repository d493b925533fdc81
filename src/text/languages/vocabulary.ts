/** The words of all languages by section name. Throws on a name that no language has. */
import { type Language, languages } from '../../domain/languages.ts';
import { type Forms, formsOf, phrasesOf, WordTable } from './forms.ts';
import { lettersIn, rowsIn, type Sections } from './sections.ts';

/** Builds a value for every language. */
export const ofEach = <Fact>(make: (language: Language) => Fact): Readonly<Record<Language, Fact>> =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, Fact>;

export type Vocabulary = ReturnType<typeof vocabularyOf>;

export function vocabularyOf(sections: Readonly<Record<Language, Sections>>) {
  const rows = new Map<string, readonly string[][]>();

  /** The content of a section in a language; '' if only other languages have it. */
  function textOf(language: Language, name: string): string {
    const text = sections[language].get(name);
    if (text === undefined && !languages.some((other) => sections[other].has(name)))
      throw new Error(`No language has a section "${name}"`);
    return text ?? '';
  }

  /** The rows of a section, with cells of the given type. */
  function rowsOf<Row extends readonly string[]>(language: Language, name: string): readonly Row[] {
    const key = `${language} ${name}`;
    const made = rows.get(key) ?? rowsIn(textOf(language, name));
    rows.set(key, made);
    return made as unknown as readonly Row[];
  }

  /** Sections of all languages, joined into one list of forms. */
  const joined = (...names: readonly string[]): Forms =>
    languages.flatMap((language) => names.map((name) => textOf(language, name))).join(' ');
  /** Whether a language's section says "yes". */
  const isSo = (language: Language, name: string): boolean => textOf(language, name) === 'yes';
  /** The rows of a section in all languages. */
  const rowsOfAll = <Row extends readonly string[]>(name: string): Row[] =>
    languages.flatMap((language) => rowsOf<Row>(language, name));
  /** The words of some sections in all languages. */
  const wordsOfAll = (...names: readonly string[]): ReadonlySet<string> => new Set(formsOf(joined(...names)));
  /** The phrases of a section in all languages. */
  const phrasesOfAll = (name: string): string[] =>
    languages.flatMap((language) => phrasesOf(textOf(language, name)));
  /** A look-up of the words, and of prefixes marked by "*", in all languages. */
  const tableOfAll = (...names: readonly string[]): WordTable<true> =>
    new WordTable<true>().add(joined(...names), true);
  /** The pairs of letters of a section. */
  const lettersOf = (language: Language, name: string): ReadonlyMap<string, string> =>
    lettersIn(textOf(language, name));
  /** The mapping of each letter in all languages; the first language that has a letter wins. */
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
