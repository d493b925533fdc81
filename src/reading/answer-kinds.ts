/**
 * Determines which kinds of answer a question asks for and where a sentence contains them: a number, a duration, a
 * date, an amount of money, a person or office, a place, a reason, a method, yes or no, a definition or a list. The
 * words are in the word files; the logic is the same for all languages.
 */
import {
  type AnswerKind,
  answerKinds,
  anyOf,
  formsOf,
  joined,
  languageByLetters,
  languages,
  letter,
  letters,
  listOf,
  type MeasureRow,
  type NumberRow,
  phrasesOf,
  phrasesOfAll,
  type QuestionKind,
  type QuestionRow,
  rowsOfAll,
  tableOfAll,
  textOf,
  WordTable,
  wholeWords,
  wordsOfAll,
} from '../language/index.ts';
import { whenAsked } from '../language/when-asked.ts';
import { saysHowMany, speltNumbers } from '../text/number-words.ts';
import { withoutPointNumber } from '../text/sentences.ts';
import { fieldsOf } from '../text/units.ts';
import { foldWord, isStopWord, stem, words } from '../text/words.ts';

/** Question words that ask for a kind of answer. */
const byQuestionWord: Partial<Record<AnswerKind, readonly QuestionKind[]>> = {
  date: ['when'],
  number: ['many'],
  person: ['who', 'whose'],
  place: ['where', 'whither', 'whence'],
  reason: ['why', 'what for'],
};

/** The question words of the given kinds in all languages. */
export const questionWordsOf = (kinds: readonly QuestionKind[]): string[] =>
  rowsOfAll<QuestionRow>('questionWords.kinds').flatMap(([kind, , list]) =>
    kinds.includes(kind) ? formsOf(list) : [],
  );

const questionWord = new RegExp(
  `(?<![${letters}-])${anyOf(...new Set(rowsOfAll<QuestionRow>('questionWords.kinds').flatMap(([, , list]) => formsOf(list))))}(?![${letters}-])`,
  'gu',
);
const joinedBehind = new RegExp(`(?<!${letter})${anyOf(...wordsOfAll('comparing.joins'))}\\s+$`, 'u');

/**
 * The question words that ask something: the first one and those joined to it ("who and when"). Others only link
 * clauses ("what did she do when he asked").
 */
function askingWords(low: string): string[] {
  const found = [...low.matchAll(questionWord)];
  return found.flatMap(({ 0: word, index }, n) =>
    n === 0 || joinedBehind.test(low.slice(0, index)) ? [word] : [],
  );
}

const asking = answerKinds.map((kind) => {
  const opening = phrasesOfAll(`answers.${kind}.opens`);
  const anywhere = phrasesOfAll(`answers.${kind}.asks`);
  return {
    kind,
    words: new Set(questionWordsOf(byQuestionWord[kind] ?? [])),
    opening: new RegExp(`^${anyOf(...opening)}(?!${letter})`, 'u'),
    anywhere: wholeWords(anywhere),
  };
});

/** Matches words that ask for a complete list. */
export const asksForAll = wholeWords(phrasesOfAll('answers.complete'), 'i');

/** Kinds that are replaced by a more specific kind: "how many years" asks for a duration rather than a number. */
const narrower: Partial<Record<AnswerKind, readonly AnswerKind[]>> = {
  age: ['duration', 'number', 'date', 'way', 'list'],
  fitness: ['person', 'decision', 'list'],
  duration: ['number', 'way', 'list'],
  frequency: ['duration', 'number', 'date', 'way', 'list'],
  money: ['number', 'way', 'list'],
  number: ['way', 'list'],
  date: ['list'],
  place: ['list'],
  reason: ['way'],
};

/**
 * The kinds of answer that a question asks for; empty if its words do not show this. Expects text that is trimmed and
 * folded by `foldLetters`.
 */
export function kindsAskedFor(low: string): AnswerKind[] {
  const opens = (which: AnswerKind) =>
    asking.some(({ kind, opening }) => kind === which && opening.test(low));
  const asked = opens('decision') ? [] : askingWords(low);
  // "How do I learn the price?" asks for a method rather than a price.
  const opensWithWay = opens('way');
  const found = asking
    .filter(({ kind, opening, anywhere, words: own }) => {
      if (opening.test(low) || asked.some((word) => own.has(word))) return true;
      const at = low.search(anywhere);
      return opensWithWay && kind !== 'way' ? at === 0 : at >= 0;
    })
    .map(({ kind }) => kind);
  // A question with a question word does not ask for yes or no, whatever else it contains: "when must …".
  const isOpen = asking.some(({ words: own }) => asked.some((word) => own.has(word)));
  const covered = new Set(found.flatMap((kind) => narrower[kind] ?? []));
  if (isOpen) covered.add('decision');
  // "List all prices" asks for all of them.
  if (asksForAll.test(low)) covered.delete('list');
  return found.filter((kind) => !covered.has(kind));
}

const months = anyOf(...listOf(joined('calendar.monthForms')));
const beforeYear = anyOf(...wordsOfAll('calendar.beforeYear'));
const centuries = phrasesOfAll('calendar.centuryWords');
const counted = anyOf(
  ...centuries,
  ...languages.flatMap((language) =>
    ['calendar.yearWords', 'calendar.eras'].flatMap((name) => phrasesOf(textOf(language, name))),
  ),
);
const ordinals = [
  ...new Set(rowsOfAll<NumberRow>('numbers.words').flatMap(([, , ordinal]) => formsOf(ordinal))),
];
const plainDates = [
  `(?<!${letter}|\\d)(?:1\\d{3}|20\\d{2})(?!\\d)`,
  `(?<!${letter})${beforeYear} \\d{3}(?!\\d|[.,]\\d)`,
  `\\d{1,2}\\s+${months}(?!${letter})`,
  `(?<!${letter})${months}\\s+\\d`,
  `(?<!\\d)\\d+(?:-?${letter}{1,3})?\\s*${counted}`,
  `(?<![IVX])[IVX]+(?:\\s*[—–-]\\s*[IVX]+)?\\s*${anyOf(...centuries)}`,
  '\\d{1,2}\\.\\d{1,2}\\.\\d{2,4}',
  '(?<![\\d:])\\d{1,2}:\\d{2}(?![\\d:])',
];
const ordinalCenturies = `(?<!${letter})${anyOf(...ordinals)}[\\s-]${anyOf(...centuries)}`;
const plainDate = new RegExp(plainDates.join('|'), 'giu');
const anyDate = new RegExp([...plainDates, ordinalCenturies].join('|'), 'giu');
const namesCentury = new RegExp(`[\\s-]${anyOf(...centuries)}`, 'iu');
/**
 * The expression for dates in the text. It includes ordinal numbers only if the text contains a word for "century",
 * because matching all ordinals at every letter is slow.
 */
const datesOf = (text: string): RegExp => (namesCentury.test(text) ? anyDate : plainDate);
const formsIn = (name: string) =>
  new WordTable<true>().add(
    rowsOfAll<MeasureRow>(name)
      .map(([, forms]) => forms)
      .join(' '),
    true,
  );
const timeUnits = tableOfAll('answers.units.time');
const moneyUnits = tableOfAll('answers.units.money');
const currencies = formsIn('entities.money');
const partUnits = tableOfAll('answers.units.part');
const moneySigns = /[$€£₽₸¥]|%/u;
const otherUnits = formsIn('entities.units');
const yearNames = tableOfAll('calendar.years');

/**
 * The dates in the text. A number that looks like a year is not a date if it counts something or is in a column for
 * other values.
 */
function datesIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(datesOf(text))].filter(
    ({ 0: found, index }) => !/^\d{4}$/.test(found) || !countsSomething(text, index, index + found.length),
  );
}

function countsSomething(text: string, start: number, end: number): boolean {
  if (/[$€£₽₸¥]\s?$/u.test(text.slice(0, start)) || /^\s?[$€£₽₸¥%]/u.test(text.slice(end))) return true;
  const next = /^\s(\p{L}+)/u.exec(text.slice(end))?.[1];
  const unit = next === undefined ? '' : foldWord(next);
  const isUnit = isMeasure(unit) || otherUnits.has(unit);
  if (unit !== '' && isUnit && !timeUnits.has(unit)) return true;
  const field = fieldsOf(text).find((one) => one.start === start && one.end === end);
  if (field === undefined) return false;
  const label = words(field.label);
  return !label.some((word) => yearNames.has(word)) && !kindsAskedFor(label.join(' ')).includes('date');
}

function withoutDates(text: string): string {
  let left = '';
  let end = 0;
  for (const { 0: found, index } of datesIn(text)) {
    left += `${text.slice(end, index)} `;
    end = index + found.length;
  }
  return left + text.slice(end);
}

const shows = Object.fromEntries(
  answerKinds.map((kind) => [kind, wholeWords(phrasesOfAll(`answers.${kind}.shows`), 'gi')]),
) as Record<AnswerKind, RegExp>;
const things = whenAsked(() => new Set([...wordsOfAll('answers.things')].map(stem)));
/** Stems of words for offices and bodies, which are not names of persons. */
const offices = whenAsked(
  () =>
    new Set([...wordsOfAll('answers.bodies', 'entities.offices')].flatMap((name) => words(name).map(stem))),
);
/** Matches capitalised words that are not at the beginning of a sentence. */
const capitals = /(?<=[\p{L}\p{N},;:)»"”-] ?[«"“(]? ?)\p{Lu}[\p{L}-]+/gu;
/** Matches addresses that say where something is: email addresses, URLs and file paths. */
const addresses =
  /[^\s@]@[^\s@]*\.\p{L}|https?:\/\/|(?<![\p{L}\p{N}/.])~?(?:\/[\p{L}\p{N}_.{}$-]+){2}|(?<!\p{L})[A-Z]:\\\S/u;

/** Maximum number of words after a number among which its unit may be: "24 календарных дня". */
const unitReach = 3;
/** Minimum number of commas, semicolons, colons and line breaks in an enumeration. */
const enumerated = 2;

/** A sentence in the form used for detecting kinds of answer. `words`: the result of `words()`. */
export interface KindText {
  text: string;
  words: readonly string[];
  /** For a row: its column names. */
  head?: string;
}

/** A value in a row, as a range of words (`to` is exclusive). `label`: the words of the column name. */
interface FieldWords {
  label: readonly string[];
  from: number;
  to: number;
}

const fieldsIn = ({ text, head }: KindText): FieldWords[] =>
  fieldsOf(text, head).map(({ label, start, end }) => ({
    label: words(label),
    from: words(text.slice(0, start)).length,
    to: words(text.slice(0, end)).length,
  }));

/**
 * The numbers in a row whose column name contains a unit, asks for the kind of answer, or contains a word of the
 * question: "Price (tenge)", "Price", or "Weight" if the question asks for a weight.
 */
function labelledNumbers(
  kind: AnswerKind,
  units: readonly WordTable<true>[],
  row: KindText,
  asked: (word: string) => boolean,
): number[] {
  const numbers = numbersIn(row.words);
  return fieldsIn(row).flatMap(({ label, from, to }) =>
    label.some((word) => units.some((table) => table.has(word)) || (!isStopWord(word) && asked(word))) ||
    kindsAskedFor(label.join(' ')).includes(kind)
      ? numbers.filter((n) => n >= from && n < to)
      : [],
  );
}

/** The words of the column name for a word in a row; empty if there is none. */
export const labelOf = (row: KindText, at: number): readonly string[] =>
  fieldsIn(row).find(({ from, to }) => from <= at && at < to)?.label ?? [];

/** The indexes of the words that are numbers, in figures or words. */
export function numbersIn(list: readonly string[]): number[] {
  const language = languageByLetters(list.join(' '));
  return list.flatMap((word, n) => (/^\d/.test(word) || saysHowMany(word, language) ? [n] : []));
}

/**
 * The indexes of the words in a sentence that can be an answer of the given kind. `asked`: whether a word is in the
 * question and therefore cannot be the answer.
 */
export function positionsOf(
  kind: AnswerKind,
  sentence: KindText,
  asked: (word: string) => boolean,
): number[] {
  const { words: list } = sentence;
  const shown = () => positionsOfPhrases(shows[kind], sentence);
  switch (kind) {
    case 'number':
      return numbersIn(list).filter((n) => !asked(list[n]!));
    case 'duration':
      return [...spansIn(sentence, asked), ...shown()];
    case 'age':
      return shown().length > 0 ? numbersIn(list) : [];
    case 'money': {
      const sign = moneySigns.test(sentence.text);
      return [
        ...numbersIn(list).filter((n) => sign || hasUnit(list, n, moneyUnits)),
        ...labelledNumbers(kind, [moneyUnits, currencies], sentence, asked),
        ...shown(),
      ];
    }
    case 'date':
      return datesIn(sentence.text).map(({ index }) => words(sentence.text.slice(0, index)).length);
    case 'person':
      return [
        ...capitalised(sentence, asked).filter((n) => !things().has(stem(list[n]!))),
        ...list.flatMap((word, n) => (offices().has(stem(word)) && !asked(word) ? [n] : [])),
      ];
    case 'place':
      return [
        ...capitalised(sentence, asked),
        ...(addresses.test(sentence.text) ? [0] : []),
        ...shown().filter((n) => n > 0),
      ];
    case 'list':
      return (sentence.text.match(/[,;:\n]/g)?.length ?? 0) >= enumerated ? [0] : [];
    default:
      return shown();
  }
}

/**
 * Whether text contains a person's name: two capitalised words that do not name an office or thing and are not in the
 * question, according to `asked`.
 */
export function holdsName(text: string, asked: (word: string) => boolean): boolean {
  return [...text.matchAll(/\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu)].some((found) =>
    found[0]
      .toLowerCase()
      .split(' ')
      .every((word) => !offices().has(stem(word)) && !things().has(stem(word)) && !asked(word)),
  );
}

/** Whether text contains a number, in figures or words, that is not part of a date. */
export function holdsCount(text: string): boolean {
  const left = withoutDates(withoutPointNumber(text));
  const list = words(left);
  const language = languageByLetters(left);
  return (
    /\d/.test(left) ||
    list.some((word) => saysHowMany(word, language)) ||
    speltNumbers(list, language).length > 0
  );
}

/** Whether text contains a count: a number that is not part of a date, duration, amount of money or percentage. */
export function countsThings(text: string): boolean {
  const list = words(withoutDates(withoutPointNumber(text)));
  const numbers = numbersIn(list);
  const measures = (at: number): boolean => {
    const next = list.slice(at + 1, at + 1 + unitReach);
    const end = next.findIndex((word) => isStopWord(word));
    // A percentage sign may consist of two words: "five per cent".
    return (end < 0 ? next : next.slice(0, end)).some(isMeasure) || next.slice(0, 2).some(isPart);
  };
  return numbers.some((at) => !measures(at) && !numbers.includes(at + 1));
}

/** Whether a word after a number makes it a measure of time, money or percentage. */
export const isMeasure = (word: string): boolean =>
  [timeUnits, moneyUnits, currencies, partUnits].some((units) => units.has(word));

/** Whether one of the words is a unit of time. */
export const namesTime = (list: readonly string[]): boolean => list.some((word) => timeUnits.has(word));

/** Whether a word makes a number a percentage. */
export const isPart = (word: string): boolean => partUnits.has(word);

/** Whether text contains an amount of money in any currency, or states that something is free. */
export function holdsSum(text: string, head = '', asked: (word: string) => boolean = () => false): boolean {
  const list = words(text);
  return (
    positionsOf('money', { text, words: list, head }, asked).length > 0 ||
    numbersIn(list).some((at) => hasUnit(list, at, currencies))
  );
}

/** The numbers with a unit of time that are not an age ("not younger than forty years"). */
function spansIn(sentence: KindText, asked: (word: string) => boolean): number[] {
  const { words: list } = sentence;
  const behind = numbersIn(list).filter((n) => hasUnit(list, n, timeUnits));
  const labelled = labelledNumbers('duration', [timeUnits], sentence, asked);
  const spans = [...new Set([...behind, ...labelled])];
  if (spans.length === 0) return spans;
  const ages = positionsOfPhrases(shows.age, sentence);
  return spans.filter((n) => !ages.some((at) => at <= n && n - at <= unitReach));
}

const hasUnit = (list: readonly string[], at: number, units: WordTable<true>): boolean =>
  list.slice(at, at + 1 + unitReach).some((word) => units.has(word));

/** The indexes of the words at which matches of an expression begin. */
function positionsOfPhrases(expression: RegExp, { text }: KindText): number[] {
  return [...text.matchAll(expression)].map(({ index }) => words(text.slice(0, index)).length);
}

function capitalised({ text, words: list }: KindText, asked: (word: string) => boolean): number[] {
  return [...text.matchAll(capitals)].flatMap(([name]) => {
    const [word] = words(name);
    if (word === undefined || asked(word)) return [];
    const at = list.indexOf(word);
    return at < 0 ? [] : [at];
  });
}
