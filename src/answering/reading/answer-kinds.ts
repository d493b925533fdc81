/**
 * What kinds of answer a question asks for, and where a sentence holds one: a number with its unit, a span of time, a
 * date, a sum, a person or office, a place, a reason, a way, a yes or no, a definition, a list. The words stand in the
 * files of the languages; what is done with them is the same for every language. How much each kind counts was learned from
 * data (see sentence-model.ts): nothing here weighs anything.
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
} from '../../text/languages/index.ts';
import { saysHowMany, speltNumbers } from '../../text/number-words.ts';
import { withoutPointNumber } from '../../text/sentences.ts';
import { fieldsOf } from '../../text/units.ts';
import { whenAsked } from '../../text/when-asked.ts';
import { foldWord, isStopWord, stem, words } from '../../text/words.ts';

/** Question words that ask for a kind, wherever they stand. */
const byQuestionWord: Partial<Record<AnswerKind, readonly QuestionKind[]>> = {
  date: ['when'],
  number: ['many'],
  person: ['who', 'whose'],
  place: ['where', 'whither', 'whence'],
  reason: ['why', 'what for'],
};

/** The question words of some kinds, in all languages. */
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
 * The words a question asks with: the first of its question words and those joined to it ("who and when"). The others
 * only link its clauses: "what did she do when he asked".
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

/** A kind that another one makes more exact: "how many years" asks for a span of time, not for a number alone. */
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

/** The kinds a question asks for; none where its words tell nothing. Takes it folded (`foldLetters`), trimmed. */
export function kindsAskedFor(low: string): AnswerKind[] {
  const opens = (which: AnswerKind) =>
    asking.some(({ kind, opening }) => kind === which && opening.test(low));
  const asked = opens('decision') ? [] : askingWords(low);
  // "How do I learn the price?" asks for no price: behind the way that is asked for stands what it is the way to.
  const opensWithWay = opens('way');
  const found = asking
    .filter(({ kind, opening, anywhere, words: own }) => {
      if (opening.test(low) || asked.some((word) => own.has(word))) return true;
      const at = low.search(anywhere);
      return opensWithWay && kind !== 'way' ? at === 0 : at >= 0;
    })
    .map(({ kind }) => kind);
  // Who asks with such a word does not ask for yes or no, whatever else is said: "when must …".
  const isOpen = asking.some(({ words: own }) => asked.some((word) => own.has(word)));
  const covered = new Set(found.flatMap((kind) => narrower[kind] ?? []));
  if (isOpen) covered.add('decision');
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
/** An expression for the dates in a text. All ordinals are tried at every letter: only where a century is named. */
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

/** The dates of a text. Figures like a year's are none where they count something, or stand in a column of other things. */
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
/** Offices and bodies, whose words are nobody's name. */
const offices = whenAsked(
  () =>
    new Set([...wordsOfAll('answers.bodies', 'entities.offices')].flatMap((name) => words(name).map(stem))),
);
/** A word with a capital letter that does not begin its sentence. */
const capitals = /(?<=[\p{L}\p{N},;:)»"”-] ?[«"“(]? ?)\p{Lu}[\p{L}-]+/gu;
/** Where something is reached or kept: a mail address, a page, a file's path. */
const addresses =
  /[^\s@]@[^\s@]*\.\p{L}|https?:\/\/|(?<![\p{L}\p{N}/.])~?(?:\/[\p{L}\p{N}_.{}$-]+){2}|(?<!\p{L})[A-Z]:\\\S/u;

/** How far behind a number its unit may stand, in words: "24 календарных дня". */
const unitReach = 3;
/** Items of an enumeration are parted so often. */
const enumerated = 2;

/** A sentence as kinds are looked for in it; `words` as `words()` yields them. */
export interface KindText {
  text: string;
  words: readonly string[];
  /** Of a row the columns it stands under. */
  head?: string;
}

/** A value of a row as its words stand in it, `to` exclusive, under the words of its column's name. */
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
 * Numbers of a row whose column is named by a unit, by what asks for the kind, or by a word of the question: "Price
 * (tenge)", "Price", "Weight" of what something weighs.
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

/** Of a row the words that name the column of a number; none elsewhere. */
export const labelOf = (row: KindText, at: number): readonly string[] =>
  fieldsIn(row).find(({ from, to }) => from <= at && at < to)?.label ?? [];

/** Places of the words that are numbers, in figures or spelt out. */
export function numbersIn(list: readonly string[]): number[] {
  const language = languageByLetters(list.join(' '));
  return list.flatMap((word, n) => (/^\d/.test(word) || saysHowMany(word, language) ? [n] : []));
}

/**
 * Where a sentence holds what could be an answer of a kind: places among its words, none where it does not.
 * `asked`: whether the question itself has a word, which is no answer to it.
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
 * Whether a text holds a person's name: two words with capital letters that are no offices and, by `asked`, not of the
 * question.
 */
export function holdsName(text: string, asked: (word: string) => boolean): boolean {
  return [...text.matchAll(/\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu)].some((found) =>
    found[0]
      .toLowerCase()
      .split(' ')
      .every((word) => !offices().has(stem(word)) && !things().has(stem(word)) && !asked(word)),
  );
}

/** Whether a text says how many: by a number, in figures or words, that is no part of a date. */
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

/** Whether a text counts things: by a number that is no part of a date, and counts no time, money or parts of a hundred. */
export function countsThings(text: string): boolean {
  const list = words(withoutDates(withoutPointNumber(text)));
  const numbers = numbersIn(list);
  const measures = (at: number): boolean => {
    const next = list.slice(at + 1, at + 1 + unitReach);
    const end = next.findIndex((word) => isStopWord(word));
    // "Five per cent": a part may be said in two words.
    return (end < 0 ? next : next.slice(0, end)).some(isMeasure) || next.slice(0, 2).some(isPart);
  };
  return numbers.some((at) => !measures(at) && !numbers.includes(at + 1));
}

/** Whether a word behind a number makes it a measure of time, of money or of parts. */
export const isMeasure = (word: string): boolean =>
  [timeUnits, moneyUnits, currencies, partUnits].some((units) => units.has(word));

/** Whether one of the words is a unit of time. */
export const namesTime = (list: readonly string[]): boolean => list.some((word) => timeUnits.has(word));

/** Whether a word makes a number a part of a hundred. */
export const isPart = (word: string): boolean => partUnits.has(word);

/** Whether a text holds a sum of money in any currency, or says that there is nothing to pay. */
export function holdsSum(text: string, head = '', asked: (word: string) => boolean = () => false): boolean {
  const list = words(text);
  return (
    positionsOf('money', { text, words: list, head }, asked).length > 0 ||
    numbersIn(list).some((at) => hasUnit(list, at, currencies))
  );
}

/** Numbers with a unit of time; "not younger than forty years" is an age and no span. */
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

/** Places of the words at which the matches of an expression begin. */
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
