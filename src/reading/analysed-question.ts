/**
 * Analyses a question for matching and evidence: its content terms and their weights, its numbers and names, and the
 * kind of answer it asks for.
 */

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
} from '../language/index.ts';
import { whenAsked } from '../language/when-asked.ts';
import type { Correction } from '../search/correct-words.ts';
import { inverseFrequency } from '../search/counts.ts';
import { datesOf, type NamedNumber, numbersOf } from '../text/numbers.ts';
import { parsePeriods } from '../text/periods.ts';
import { parseReferences } from '../text/references/parse.ts';
import { relatedStems } from '../text/related.ts';
import { withoutEnd } from '../text/trimming.ts';
import { foldLetters, foldWord, isQuestionWord, isStopWord, stem, stemIn, words } from '../text/words.ts';
import { kindsAskedFor, questionWordsOf } from './answer-kinds.ts';

export interface Term {
  /** The default stem, the stem in the question's language, and replacements if the index does not know the term. */
  stems: string[];
  /** The stems of related words, which count less. */
  related: readonly string[];
  /** Whether the term is a number, which is matched by its value (see `named`). */
  byValue?: true;
  /** The inverse document frequency, as in BM25: ln(1 + (N − df + .5) / (df + .5)). It is lower for vague words. */
  weight: number;
}

export interface AnalysedQuestion {
  text: string;
  /** The result of `words()`. */
  words: readonly string[];
  /** Whether the question contains a negation. */
  negated: boolean;
  /** The distinct terms in order, without stop words; all words if there are only stop words. */
  terms: Term[];
  numbers: NamedNumber[];
  /** The numbers that count what follows them ("42 days"). */
  counts: NamedNumber[];
  /** The numbers that identify something ("Sort 257"), excluding years and hours. */
  labels: NamedNumber[];
  /** The numbers and complete dates, with the indexes of their terms. */
  named: { keys: readonly string[]; terms: number[] }[];
  /**
   * The stems of names: capitalised words other than the first. In languages that put the topic first, this may also be
   * a first word that the index does not know.
   */
  names: string[];
  /** The stems of the two parts of each hyphenated word. */
  compounds: [first: string, last: string][];
  /** The kinds of answer that the question asks for; empty if its words do not show this. */
  kinds: AnswerKind[];
  /** Whether the question asks what something is, either explicitly or by consisting only of a term. */
  asksWhatIs: boolean;
  /** The stem of the noun that "how many" counts; null if there is none. */
  counted: string | null;
  /** Whether the question asks for a person's name ("who is the President now?") rather than about the office. */
  asksName: boolean;
}

/** What the index knows about the stems of a question. */
export interface Frequencies {
  documents: number;
  df: ReadonlyMap<string, number>;
  /** Known stems that replace unknown ones, such as misspelt words and names in another script. */
  corrections?: readonly Correction[];
}

const who = anyOf(...questionWordsOf(['who']));
/** Matches questions such as "who may be …", which ask for qualifications rather than a person. */
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
const listing = wholeWords(phrasesOfAll('courtesy.lists'), 'gi');

/** Words that negate or reverse a statement. */
const negations = new Set([...wordsOfAll('grammar.negations'), ...wordsOfAll('grammar.opposing')]);
const splitNegations = lettersOfAll('grammar.splitNegations');

/** Question words of each language that may be negations in another: "не" is a question word in Kazakh. */
const asksIn = ofEach(
  (language) =>
    new Set(rowsOf<QuestionRow>(language, 'questionWords.inOwnTexts').flatMap(([, , list]) => formsOf(list))),
);

/**
 * Whether the words contain a negation, including "n't", which `words()` splits: "don't" becomes "don" and "t".
 * `language`: the language of the text; null if unknown.
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
 * The stem of the noun that "how many" counts, ignoring verbs of existence: "how many chambers are there", "сколько
 * существует палат".
 */
function counted(list: readonly string[]): string | null {
  const at = list.findIndex((word) => counting.has(word));
  const next = at < 0 ? undefined : list.slice(at + 1).find((word) => !existence.has(word));
  return next === undefined || isStopWord(next) ? null : stem(next);
}

/** The numbers in a question, excluding numbers of provisions. */
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

/** Numbers that are not part of a date, a time or a name. */
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
 * The stems of the names in a question: capitalised words of two or more letters after the first word, and the noun
 * after a capitalised adjective ("Конституционный суд").
 */
function capitalised(text: string, stemOf: (word: string) => string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(capitalisedWords)) {
    for (const word of words(match[0])) if (!isStopWord(word)) found.push(stemOf(word));
  }
  return [...new Set(found)];
}

/**
 * Maximum length of the first part of a compound. Longer parts are independent words: an "application-authenticator"
 * may be called either.
 */
const longestPrefix = 5;

/**
 * The stems of the parts of hyphenated words. A text about a president does not answer a question about a
 * vice-president.
 */
const compounds = (text: string, stemOf: (word: string) => string): [first: string, last: string][] =>
  [...text.matchAll(/(?<![\p{L}\p{M}\p{N}-])(?:\p{L}|\u0301)+-(?:\p{L}|\u0301)+(?![\p{L}\p{N}-])/gu)]
    .map(([whole]) => words(whole))
    .filter((parts) => parts.length === 2 && parts[0]!.length <= longestPrefix && !parts.some(isStopWord))
    .map(([first, last]) => [stemOf(first!), stemOf(last!)]);

/** The last sentence of a question, because askers may give some background first. */
const askingIn = (text: string): string =>
  text
    .trim()
    .split(/(?<=[.!?])\s+/u)
    .at(-1)!;

/** The question without its reporting verbs ("tell", "list"), unless nothing else remains. */
export function withoutReportingVerbs(text: string): string {
  const left = text
    .replace(listing, ' ')
    .replace(/(?:\p{L}|\u0301)+/gu, (word) => (reporting().has(stem(foldWord(word))) ? '' : word));
  return words(left).some((word) => !isStopWord(word)) ? left : text;
}

/** The stems of a question for which document frequencies are needed. */
export function questionStems(text: string): string[] {
  const all = words(text);
  const content = all.filter((word) => !isStopWord(word)).map(stem);
  const named = content.filter((one) => !reporting().has(one));
  return [...new Set(named.length > 0 ? named : content.length > 0 ? content : all.map(stem))];
}

/** Stems related to those of a question. Their document frequencies are also needed. */
export function standIns(text: string): string[] {
  return [...new Set(questionStems(text).flatMap(relatedStems))];
}

/** The stemmer for text in a known language. It also applies to words without letters unique to that language. */
export const stemmerOf = (lang: Language | null): ((word: string) => string) =>
  lang === null ? stem : (word) => stemIn(word, lang);

const lowWeightTerms = whenAsked(
  () => new Set([...wordsOfAll('stopWords.lowWeight')].map((word) => stem(foldWord(word)))),
);
const lowWeight = 0.3;
/** Words after "how" that ask for a measure, as in "how long". An answer states it without repeating the word. */
const measureWords = wordsOfAll('questionWords.measureAdverbs');
const how = new Set(questionWordsOf(['how']));
/** Whether a language puts the topic first. */
const subjectFirst = ofEach((language) => isSo(language, 'grammar.subjectFirst'));

/**
 * Minimum length of a word whose correction counts as evidence. A shorter word with a similar spelling may be a
 * different word ("space" and "spare"); it affects only the ranking.
 */
const surelyMisspelt = 6;

/** Maximum number of words in a question that consists only of a term. */
const longestTerm = 4;

/**
 * Whether a question asks what something is. A question that consists only of a term asks for its definition, if the
 * documents contain one.
 */
function asksWhatIs(text: string, kinds: readonly AnswerKind[]): boolean {
  const list = words(text);
  const isTerm = list.length <= longestTerm && !text.includes('?') && !list.some(isQuestionWord);
  return kinds.includes('definition') || (kinds.length === 0 && isTerm);
}

/** The kinds of answer asked for. "Who may become …" asks for conditions rather than a person. */
export function kindsOf(text: string): AnswerKind[] {
  const low = foldLetters(text).trim();
  const kinds = kindsAskedFor(low);
  if (!kinds.includes('person') || !isAboutFitness(low)) return kinds;
  return [...kinds.filter((kind) => kind !== 'person' && kind !== 'decision'), 'fitness'];
}

/**
 * Analyses a question against an index. `about`: the stems of the corpus's own name, which carry little information,
 * because all its documents are about it. `lang`: the language of the question; null if unknown. `asked`: the question
 * with its reporting verbs, such as "list", which also show the kind of answer.
 */
export function analyseQuestion(
  text: string,
  frequencies: Frequencies,
  about: ReadonlySet<string> = new Set(),
  lang: Language | null = null,
  asked = text,
): AnalysedQuestion {
  const given = words(text);
  const measured = new Set(
    given.filter((word, n) => measureWords.has(word) && how.has(given[n - 1] ?? '')).map(stem),
  );
  const stemOf = stemmerOf(lang);
  const inLanguage = new Map(given.map((word) => [stem(word), stemOf(word)]));
  const low = foldLetters(text).trim();
  const kinds = kindsOf(asked);
  const numbers = numbersIn(text, lang);
  const stemsAt = (start: number, end: number) => words(text.slice(start, end)).map(stem);
  const values = numbers.map(({ start, end, keys }) => ({ keys, stems: stemsAt(start, end) }));
  /** The number that a stem belongs to. A number in words also matches figures, but its single words match nothing. */
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
    const weight = inverseFrequency(df, frequencies.documents);
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
  // In languages that put the topic first, an unknown first word may be a name.
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
