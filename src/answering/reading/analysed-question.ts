/**
 * Analyses a question for evidence and extraction: its content terms with their weights, its numbers, names, and the
 * kind of answer it asks for.
 */

import type { Correction } from '../../search/understand.ts';
import {
  type AnswerKind,
  anyOf,
  formsOf,
  isSo,
  joined,
  type Language,
  languageByLetters,
  languages,
  letter,
  lettersOfAll,
  listOf,
  ofEach,
  phrasesOfAll,
  type QuestionRow,
  rowsOf,
  textOf,
  wholeWords,
  wordsOfAll,
} from '../../text/languages/index.ts';
import { datesOf, type NamedNumber, numbersOf } from '../../text/numbers.ts';
import { parsePeriods } from '../../text/periods.ts';
import { parseReferences } from '../../text/references/parse.ts';
import { relatedStems } from '../../text/related.ts';
import { withoutEnd } from '../../text/trimming.ts';
import { whenAsked } from '../../text/when-asked.ts';
import { foldLetters, foldWord, isQuestionWord, isStopWord, stem, stemIn, words } from '../../text/words.ts';
import { kindsAskedFor, questionWordsOf } from './answer-kinds.ts';

export interface Term {
  /** The stem as typed, the stem in the question's language, and replacements if the index does not know it. */
  stems: string[];
  /** Stems of related words that may be the answer; they count less. */
  related: readonly string[];
  /** The term is a number. It matches by value, regardless of its words (see `named`). */
  byValue?: true;
  /** Inverse document frequency as in BM25: ln(1 + (N − df + .5) / (df + .5)). */
  weight: number;
}

export interface AnalysedQuestion {
  text: string;
  /** Its words, as `words()` yields them. */
  words: readonly string[];
  /** It contains a negation. */
  negated: boolean;
  /** Stems without stop words and question words, without duplicates, in order; all words if nothing else remains. */
  terms: Term[];
  numbers: NamedNumber[];
  /** Those of its numbers that count what follows them ("42 days"). */
  counts: NamedNumber[];
  /** Identifying numbers ("Sort 257"): not years or hours. */
  labels: NamedNumber[];
  /** Its numbers and complete dates, with the indexes of their terms. */
  named: { keys: readonly string[]; terms: number[] }[];
  /**
   * Stems of its names: capitalised words other than the first. In a language with the subject first, also a first word
   * that the index does not know.
   */
  names: string[];
  /** Stems of the two parts of its hyphenated words. */
  compounds: [first: string, last: string][];
  /** The kinds of answer it asks for; empty if its words do not indicate any. */
  kinds: AnswerKind[];
  /** It asks what something is, explicitly or by naming only the term. */
  asksWhatIs: boolean;
  /** Stem of what "how many" counts; null if there is none. */
  counted: string | null;
  /** It asks for a person's name ("who is the President now?"); a description of the office is not an answer. */
  asksName: boolean;
}

/** What the searched index knows about the question's stems. */
export interface Frequencies {
  documents: number;
  df: ReadonlyMap<string, number>;
  /** Known stems that replace unknown ones (misspelt words, names in the other script). */
  corrections?: readonly Correction[];
}

const who = anyOf(...questionWordsOf(['who']));
/** "Who may be …" asks for qualifications, not for a person. */
const mayBe = new RegExp(
  `^(?:\\p{L} )?${who}[^\\p{L}]+${anyOf(...phrasesOfAll('answers.fitness'))}(?!${letter})`,
  'u',
);
const whoFirst = new RegExp(`^${who}(?!${letter})`, 'u');
const mayBeAtEnd = new RegExp(`${anyOf(...phrasesOfAll('answers.fitnessAtEnd'))}$`, 'u');
const isAboutFitness = (low: string) =>
  mayBe.test(low) || (whoFirst.test(low) && mayBeAtEnd.test(withoutEnd(low, /[\s?]/)));

const namesAsked = wholeWords(phrasesOfAll('answers.names'));
const whoAnywhere = wholeWords(questionWordsOf(['who']));
const now = wholeWords(listOf(joined('calendar.now')));
const asksForName = (low: string) => namesAsked.test(low) || (whoAnywhere.test(low) && now.test(low));

const reporting = whenAsked(() => new Set([...wordsOfAll('stopWords.reporting')].map(stem)));

/** Words that negate or reverse a statement. */
const negations = new Set([...wordsOfAll('grammar.negations'), ...wordsOfAll('grammar.opposing')]);
const splitNegations = lettersOfAll('grammar.splitNegations');

/** Question words of one language that are negations in another: "не" is a question word in Kazakh. */
const asksIn = ofEach(
  (language) =>
    new Set(rowsOf<QuestionRow>(language, 'questionWords.inOwnTexts').flatMap(([, , list]) => formsOf(list))),
);

/**
 * Whether the words contain a negation (including "n't": words() yields its "t" after "don", "isn", …). `language`: the
 * text's, if known.
 */
export function isNegated(list: readonly string[], language: Language | null = null): boolean {
  const asks = language === null ? undefined : asksIn[language];
  return list.some((word, n) => {
    const ending = splitNegations.get(word);
    return (
      (negations.has(word) && !asks?.has(word)) ||
      (ending !== undefined && (list[n - 1] ?? '').endsWith(ending))
    );
  });
}

const counting = new Set([...questionWordsOf(['many']), ...wordsOfAll('questionWords.counting')]);

const existence = wordsOfAll('stopWords.existence');

/**
 * The stem of the noun that is counted: "How many chambers are there", "сколько существует палат". The verb is not
 * counted.
 */
function counted(list: readonly string[]): string | null {
  const at = list.findIndex((word) => counting.has(word));
  const next = at < 0 ? undefined : list.slice(at + 1).find((word) => !existence.has(word));
  return next === undefined || isStopWord(next) ? null : stem(next);
}

/** The numbers of a question that are not provision numbers. */
function numbersIn(text: string, lang: Language | null): NamedNumber[] {
  const named = parseReferences(text);
  return numbersOf(text, lang).filter(
    (number) => !named.some(({ start, end }) => number.start >= start && number.start < end),
  );
}

/** Numbers followed by what they count. */
const numbersThatCount = (text: string, numbers: readonly NamedNumber[]): NamedNumber[] =>
  numbers.filter(
    ({ start, end, isSpelt }) =>
      !isSpelt && !/[\p{L}\p{N}.,-]$/u.test(text.slice(0, start)) && /^\s+\p{L}/u.test(text.slice(end)),
  );

/** Identifying numbers: not part of a date, a time or a name. */
function labels(text: string, numbers: readonly NamedNumber[]): NamedNumber[] {
  const periods = parsePeriods(text);
  return numbers.filter(
    ({ start, end, isSpelt }) =>
      !isSpelt &&
      !periods.some((period) => start >= period.start && start < period.end) &&
      !/[\p{L}\p{N}:][-–:]?$/u.test(text.slice(0, start)) &&
      !/^[-–:]?[\p{L}\p{N}]/u.test(text.slice(end)),
  );
}

const adjective = anyOf(
  ...languages.flatMap((language) =>
    isSo(language, 'grammar.nameBeginsWithAdjective') ? listOf(textOf(language, 'acts.adjectives')) : [],
  ),
);
const capitalisedWords = new RegExp(
  `(?<=[\\p{L}\\p{N}»”",;)] +[«“"(]?)\\p{Lu}(?:\\p{L}|\\u0301|-)+(?:(?<=\\p{Ll}{3}${adjective}) \\p{Ll}{3,})?`,
  'gu',
);

/**
 * The names in a question: capitalised words after the first, no one-letter acronyms, and the noun after a capitalised
 * adjective ("Конституционный суд").
 */
function capitalised(text: string, stemOf: (word: string) => string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(capitalisedWords)) {
    for (const word of words(match[0])) if (!isStopWord(word)) found.push(stemOf(word));
  }
  return [...new Set(found)];
}

/**
 * A longer first part of a hyphenated word is a word of its own: an "application-authenticator" may be called either.
 */
const longestPrefix = 5;

/** Stems of hyphenated words, because a text on a president does not answer a question about a vice-president. */
const compounds = (text: string, stemOf: (word: string) => string): [first: string, last: string][] =>
  [...text.matchAll(/(?<![\p{L}\p{M}\p{N}-])(?:\p{L}|\u0301)+-(?:\p{L}|\u0301)+(?![\p{L}\p{N}-])/gu)]
    .map(([whole]) => words(whole))
    .filter((parts) => parts.length === 2 && parts[0]!.length <= longestPrefix && !parts.some(isStopWord))
    .map(([first, last]) => [stemOf(first!), stemOf(last!)]);

/** The last sentence of a question, because askers may introduce themselves first. */
const askingIn = (text: string): string =>
  text
    .trim()
    .split(/(?<=[.!?])\s+/u)
    .at(-1)!;

/** The question without its reporting verbs ("tell me", "explain"), unless nothing else remains. */
export function withoutReportingVerbs(text: string): string {
  const left = text.replace(/(?:\p{L}|\u0301)+/gu, (word) =>
    reporting().has(stem(foldWord(word))) ? '' : word,
  );
  return words(left).some((word) => !isStopWord(word)) ? left : text;
}

/** The stems searched for a question, for which document frequencies are needed. */
export function questionStems(text: string): string[] {
  const all = words(text);
  const content = all.filter((word) => !isStopWord(word)).map(stem);
  const named = content.filter((one) => !reporting().has(one));
  return [...new Set(named.length > 0 ? named : content.length > 0 ? content : all.map(stem))];
}

/** Possible replacements for the stems of a question. Their document frequencies are needed too. */
export function standIns(text: string): string[] {
  return [...new Set(questionStems(text).flatMap(relatedStems))];
}

/** The stemmer for a text of a known language. It also covers words without letters unique to that language. */
export const stemmerOf = (lang: Language | null): ((word: string) => string) =>
  lang === null ? stem : (word) => stemIn(word, lang);

const lowWeightTerms = whenAsked(
  () => new Set([...wordsOfAll('stopWords.lowWeight')].map((word) => stem(foldWord(word)))),
);
const lowWeight = 0.3;
/** "How long" and "how often" ask for a measure, and an answer gives it without repeating the word. */
const measureWords = wordsOfAll('questionWords.measureAdverbs');
const how = new Set(questionWordsOf(['how']));
/** Languages with the topic first. */
const subjectFirst = ofEach((language) => isSo(language, 'grammar.subjectFirst'));

/**
 * A shorter word with a similar spelling may be another word (space, spare). It therefore affects ranking but is not
 * evidence.
 */
const surelyMisspelt = 6;

/** Maximum number of words of a question that is only a term. */
const longestTerm = 4;

/**
 * Whether a question asks what something is, explicitly or by naming only a term. A term alone asks for its definition,
 * if the documents contain one.
 */
export function asksWhatIs(text: string, kinds: readonly AnswerKind[] = kindsOf(text)): boolean {
  const list = words(text);
  const isTerm = list.length <= longestTerm && !text.includes('?') && !list.some(isQuestionWord);
  return kinds.includes('definition') || (kinds.length === 0 && isTerm);
}

/** The kinds of answer asked for; "who may become …" asks for conditions, not for a person. */
export function kindsOf(text: string): AnswerKind[] {
  const low = foldLetters(text).trim();
  const kinds = kindsAskedFor(low);
  if (!kinds.includes('person') || !isAboutFitness(low)) return kinds;
  return [...kinds.filter((kind) => kind !== 'person' && kind !== 'decision'), 'fitness'];
}

/**
 * Analyses a question against an index. `about`: stems of the corpus's name, which is the subject of all its documents;
 * `lang`: the question's language, if known.
 */
export function analyseQuestion(
  text: string,
  frequencies: Frequencies,
  about: ReadonlySet<string> = new Set(),
  lang: Language | null = null,
): AnalysedQuestion {
  const given = words(text);
  const measured = new Set(
    given.filter((word, n) => measureWords.has(word) && how.has(given[n - 1] ?? '')).map(stem),
  );
  const stemOf = stemmerOf(lang);
  const inLanguage = new Map(given.map((word) => [stem(word), stemOf(word)]));
  const low = foldLetters(text).trim();
  const kinds = kindsOf(text);
  const numbers = numbersIn(text, lang);
  const stemsAt = (start: number, end: number) => words(text.slice(start, end)).map(stem);
  const values = numbers.map(({ start, end, keys }) => ({ keys, stems: stemsAt(start, end) }));
  /** A number in words also matches figures, but its individual words match nothing. */
  const numberOf = (one: string) => values.find(({ stems }) => stems.includes(one));
  const wanted = questionStems(text).filter((one, n, all) => {
    const number = numberOf(one);
    return number === undefined || all.findIndex((other) => number.stems.includes(other)) === n;
  });
  const terms = wanted.map((one): Term => {
    const number = numberOf(one);
    const own = [...new Set([one, inLanguage.get(one) ?? one])];
    const related = relatedStems(one);
    const known = (frequencies.corrections ?? []).flatMap((correction) =>
      correction.stem === one &&
      !related.includes(correction.known) &&
      (correction.isSame || one.length >= surelyMisspelt)
        ? correction.known
        : [],
    );
    const frequency = (name: string) => frequencies.df.get(name) ?? 0;
    const df = Math.min(
      number === undefined
        ? Math.max(...[one, ...known].map(frequency)) || Math.max(0, ...related.map(frequency))
        : Math.min(...number.stems.map(frequency)),
      frequencies.documents,
    );
    const weight = Math.log(1 + (frequencies.documents - df + 0.5) / (df + 0.5));
    const hasLowWeight = lowWeightTerms().has(one) || measured.has(one) || about.has(one);
    const byValue = number !== undefined && (number.stems.length > 1 || /^\d/.test(one));
    return {
      stems: number === undefined ? [...own, ...known] : [...new Set([...own, ...number.stems])],
      related: byValue ? [] : related,
      ...(byValue && { byValue: true as const }),
      weight: hasLowWeight ? lowWeight * weight : weight,
    };
  });
  const dates = datesOf(text).map(({ start, end, keys }) => ({ keys, stems: stemsAt(start, end) }));
  // In languages with the topic first, an unknown word there may be a name.
  const [first = ''] = given;
  const spoken = languageByLetters(text);
  const isSubject = spoken !== null && subjectFirst[spoken] && !isQuestionWord(first);
  const isKnown = (word: string) =>
    isStopWord(word) ||
    (frequencies.df.get(stem(word)) ?? 0) > 0 ||
    (frequencies.corrections ?? []).some((one) => one.stem === stem(word));
  const unknown = isSubject && first.length >= surelyMisspelt && !isKnown(first) ? [stemOf(first)] : [];
  const names = [...new Set([...capitalised(askingIn(text), stemOf), ...unknown])];
  return {
    text,
    words: given,
    negated: isNegated(given, lang),
    terms,
    numbers,
    counts: numbersThatCount(text, numbers),
    labels: labels(text, numbers),
    named: [...values, ...dates].map(({ keys, stems }) => ({
      keys,
      terms: terms.flatMap((term, n) => (term.stems.some((one) => stems.includes(one)) ? [n] : [])),
    })),
    names,
    compounds: compounds(text, stemOf),
    kinds,
    asksWhatIs: asksWhatIs(text, kinds),
    counted: counted(given),
    asksName: asksForName(low),
  };
}
