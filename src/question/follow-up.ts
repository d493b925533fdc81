/**
 * Completes follow-up questions ("а раньше?", "подробнее", "and the second one?", "for how long?") from the last
 * exchange before any lookup, without a model.
 *
 * A short question is completed with the topic of the last question if it has no subject of its own, contains a
 * pronoun, or has no question word. Other short questions are unchanged, but are also looked up with the context of the
 * last answer.
 */

import type { HistoryMessage, Language } from '../domain/events.ts';
import {
  anyOf,
  formsOf,
  joined,
  languages,
  letter,
  longestFirst,
  type NumberRow,
  ofEach,
  phrasesOf,
  phrasesOfAll,
  type QuestionRow,
  rowsOf,
  rowsOfAll,
  tableOfAll,
  textOf,
  wholeWords,
  wordsOfAll,
} from '../language/index.ts';
import { detectLanguage } from '../text/language.ts';
import { phrases } from '../text/phrases.ts';
import { parseReferences, type Reference } from '../text/references/parse.ts';
import { withoutEnd } from '../text/trimming.ts';
import { contentWords, foldText, foldWord, isStopWord, stem, words } from '../text/words.ts';
import { namesNoSubject } from './editions.ts';

export interface Resolved {
  /** The completed question; unchanged if it is self-contained. */
  question: string;
  /** Whether the question was completed from the history. */
  rewritten: boolean;
  /** The language in which the last question is to be answered again. */
  inLanguage?: Language;
  /** Whether the question asks for more of the same answer. Sentences that were already given are then omitted. */
  more: boolean;
  /** The new subject, which the answer must be about. */
  focus?: string;
  /** The beginning of the last answer, as context for lookups. */
  context?: string;
}

const opening = new RegExp(
  `^${anyOf(...longestFirst([...phrasesOfAll('dialogue.opens'), ...phrasesOfAll('dialogue.supposes')]))}(?!${letter})[\\s,]*`,
  'u',
);
const closing = new RegExp(`\\s${anyOf(...formsOf(joined('dialogue.closes')))}(?=[\\s?!.]*$)`, 'u');
const more = new RegExp(`^${anyOf(...phrasesOfAll('dialogue.more'))}$`, 'u');
const aboutIt = new RegExp(
  wholeWords(longestFirst([...phrasesOfAll('dialogue.about'), ...phrasesOfAll('courtesy.please')])),
  'gu',
);
const inLanguage = languages.map(
  (language) =>
    [language, wholeWords(longestFirst(phrasesOf(textOf(language, 'dialogue.inLanguage'))), 'g')] as const,
);
const again = wordsOfAll('dialogue.again');
const pointing = wordsOfAll('dialogue.pointing');
const expletive = wholeWords(phrasesOfAll('dialogue.expletives'));
/** Content words that are not a subject, such as "one", "age", "article" and "say". */
const noSubjects = [
  wordsOfAll('dialogue.standIns', 'stopWords.lowWeight', 'stopWords.reporting', 'stopWords.linking'),
  wordsOfAll('stopWords.existence'),
  tableOfAll('dialogue.owned', 'provisions.countedUnits', 'calendar.years'),
];
const caseWords = wordsOfAll('dialogue.cases');
const next = tableOfAll('dialogue.next');
const previous = tableOfAll('dialogue.previous');
const besideArticle = tableOfAll('dialogue.besideArticle');
const last = tableOfAll('dialogue.last');
const ordinals = [1, 2, 3, 4].map((value) => {
  const forms = rowsOfAll<NumberRow>('numbers.words').filter(([one]) => Number(one) === value);
  return [new Set(forms.flatMap(([, , ordinal]) => formsOf(ordinal))), value] as const;
});
const year = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g;

/** The question words of each language. */
const asking = ofEach((language) => {
  const rows = ['questionWords.kinds', 'questionWords.inOwnTexts'].flatMap((name) =>
    rowsOf<QuestionRow>(language, name),
  );
  return new Set(
    [...rows.map(([, , list]) => list), textOf(language, 'questionWords.whether')].flatMap(formsOf),
  );
});
/** Whether a word is a form of a question word, such as "қаншада" of "қанша". */
const isAsking = (word: string, language: Language) =>
  asking[language].has(word) || asking[language].has(stem(word));

const isSubject = (word: string) =>
  !isStopWord(word) && !pointing.has(word) && noSubjects.every((some) => !some.has(word));

/** Maximum number of subject words in a question that is completed from the dialogue. */
const ownMax = 4;
/** How much of the last answer is used as context, in UTF-16 units. */
const contextMax = 300;

/** Completes a question from the turns before it (oldest first). */
export function resolveFollowUp(
  question: string,
  history: readonly HistoryMessage[],
  lang: Language = detectLanguage(question),
): Resolved {
  const alone = { question, rewritten: false, more: false };
  const at = history.findLastIndex((turn) => turn.role === 'user' && contentWords(turn.content).length > 0);
  if (at < 0) return alone;
  const before = resolveFollowUp(history[at]!.content, history.slice(0, at)).question;
  const said = history.slice(at + 1).findLast((turn) => turn.role === 'assistant')?.content ?? '';
  const low = foldText(question).trim();
  const wanted = languageAskedFor(question);
  if (wanted !== null) return { question: before, rewritten: true, more: false, inLanguage: wanted };
  if (wantsMore(low)) return { question: before, rewritten: true, more: true };

  const rewritten = (whole: string): Resolved => ({ question: whole, rewritten: true, more: false });
  const references = parseReferences(question);
  if (references.length > 0) {
    const whole = ofProvisions(question, references, before, said);
    return whole === null ? alone : rewritten(whole);
  }
  if (namesNoSubject(question)) return rewritten(`${ended(before)} ${bare(question)}`);

  const list = words(low.replace(opening, ''));
  const numbered = byNumber(question, list, before, said);
  if (numbered !== null) return rewritten(numbered);
  const years = question.match(year);
  if (years && contentWords(low.replace(opening, '')).length === years.length)
    return rewritten(`${ended(before.replace(year, '')).replace(/\s\p{Ll}{1,3}$/iu, '')} ${bare(question)}`);

  const own = list.filter((word) => isSubject(word) && !isAsking(word, lang));
  if (own.length > ownMax) return alone;
  const context = said.slice(0, contextMax);
  const asks = list.some((word) => isAsking(word, lang));
  const pronoun = list.findIndex((word) => pointing.has(word));
  // A pronoun after two subject words refers to one of them.
  const points = pronoun >= 0 && !expletive.test(low) && list.slice(0, pronoun).filter(isSubject).length < 2;
  const isFragment = opening.test(low) || closing.test(low) || caseWords.has(list[0] ?? '');
  if (own.length > 0 && !points && (asks || !isFragment)) return { ...alone, context };
  return asks
    ? { ...rewritten(`${bare(question)} ${topicOf(before)}`), context }
    : {
        ...rewritten(`${ended(before)} ${bare(question)}`),
        context,
        ...(own.length > 0 && { focus: own.join(' ') }),
      };
}

/**
 * The language in which an answer is requested, if the message asks for nothing else ("in Russian, please"); null
 * otherwise.
 */
export function languageAskedFor(question: string): Language | null {
  const low = foldText(question).replace(aboutIt, ' ');
  for (const [language, phrases] of inLanguage) {
    const left = low.replace(phrases, ' ');
    if (left !== low && words(left).every((word) => again.has(word))) return language;
  }
  return null;
}

function wantsMore(low: string): boolean {
  const given = withoutEnd(low, /[\s?.!]/);
  const plain = given
    .replace(aboutIt, ' ')
    .replace(/[\s,]+/g, ' ')
    .trim();
  return more.test(given) || more.test(plain);
}

const isPart = (reference: Reference) =>
  reference.of === null && ['point', 'subpoint', 'indent', 'part', 'paragraph'].includes(reference.unit);

/**
 * Completes a question that names provisions: it may ask for a point of the last article, or repeat the last question
 * for another provision. Returns null if it is self-contained.
 */
function ofProvisions(
  question: string,
  references: readonly Reference[],
  before: string,
  said: string,
): string | null {
  const asked = parseReferences(before);
  const whole = asked.at(-1) ?? parseReferences(said)[0];
  if (references.every(isPart) && whole) return within(bare(question), whole.of ?? whole, question);
  if (references.some(isPart)) return null;
  const low = foldText(question).trim();
  if (!(opening.test(low) || closing.test(low)) || contentWords(low.replace(opening, '')).length > 3)
    return null;
  // The same question about another provision: "а статья 7?".
  const old = asked[0];
  return old ? before.slice(0, old.start) + bare(question) + before.slice(old.end) : bare(question);
}

/** Completes a question that only selects a provision ("а 7?", "следующая", "the second one"); null for others. */
function byNumber(question: string, list: readonly string[], before: string, said: string): string | null {
  const asked = parseReferences(before);
  const terms = list.filter((word) => !isStopWord(word));
  if (terms.length > 2) return null;
  const [term = ''] = terms;
  if (terms.length === 1 && /^\d{1,3}$/.test(term) && asked[0])
    return before.slice(0, asked[0].start) + nameOf(term, before) + before.slice(asked[0].end);
  const has = (table: { has(word: string): boolean }) => list.find((word) => table.has(word));
  const forward = has(next);
  const step = forward ?? has(previous);
  const from = asked.at(-1);
  if (step !== undefined && from) {
    // After a point, "следующий" is the next point, and "следующая" is the next article.
    const inside = from.of !== null && !besideArticle.has(step);
    const start = Number(inside ? from.number.split('.').at(-1) : (from.of ?? from).number);
    const number = start + (forward === undefined ? -1 : 1);
    if (Number.isInteger(number))
      return inside ? within(pointOf(number, before), from.of!, before) : nameOf(String(number), before);
  }
  const nth = has(last) === undefined ? ordinals.find(([forms]) => has(forms) !== undefined)?.[1] : -1;
  return nth === undefined ? null : pick(asked, said, nth, question);
}

/** A follow-up without its opening and closing words. */
function bare(question: string): string {
  const trimmed = question.trim();
  const start = opening.exec(trimmed.toLowerCase())?.[0].length ?? 0;
  const left = trimmed.slice(start);
  const end = closing.exec(left.toLowerCase())?.index ?? left.length;
  return withoutEnd(left.slice(0, end), /[?!.\s]/);
}

const ended = (text: string) => withoutEnd(text.replace(/\s+/g, ' '), /[?!.,\s]/).trim();

/**
 * The topic of a question: the question without its question words, their prepositions, and words without a subject.
 */
function topicOf(question: string): string {
  const language = detectLanguage(question);
  const list = [...ended(question).matchAll(/(?:[\p{L}\p{N}-]|\u0301)+/gu)].map(([text]) => text);
  const asks = list.map((text) => isAsking(foldWord(text), language));
  const left = list.filter((text, n) => {
    const word = foldWord(text);
    return !asks[n] && !(asks[n + 1] && caseWords.has(word)) && noSubjects.every((some) => !some.has(word));
  });
  const topic = left.join(' ');
  return contentWords(topic).length > 0 ? topic : ended(question);
}

/** The fixed phrases in the language of the text. */
const phrasesLike = (text: string) => phrases[detectLanguage(text)];
const nameOf = (number: string, like: string) => phrasesLike(like).article(number);
const pointOf = (number: number, like: string) => phrasesLike(like).point(number);
const within = (part: string, article: { number: string }, like: string) =>
  phrasesLike(like).partOf(part, article.number);

/** The nth (-1: last) provision in the last question, or its nth point, or the nth line of the last answer. */
function pick(asked: readonly Reference[], said: string, nth: number, like: string): string | null {
  const at = <T>(list: readonly T[]) => (nth < 0 ? list.at(-1) : list[nth - 1]);
  const distinct = asked.filter((one, n) => asked.findIndex((other) => other.number === one.number) === n);
  if (distinct.length > 1) {
    const one = at(distinct);
    return one ? nameOf(one.number, like) : null;
  }
  const article = distinct[0];
  if (article?.of && nth > 0) {
    // After a point, "the second one" is another point of the same article.
    const beside = [...article.chain.slice(0, -1), { unit: article.unit, number: String(nth) }];
    return phrasesLike(like).provision(beside);
  }
  if (article?.unit === 'article' && nth > 0) {
    // After an article, "the second one" is its second point.
    return within(pointOf(nth, like), article, like);
  }
  const lines = said
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => contentWords(line).length > 2);
  const line = lines.length > 1 ? at(lines) : undefined;
  return line ? line.slice(0, 300) : null;
}
