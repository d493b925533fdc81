/**
 * The sentences that answer a question, verbatim.
 *
 * Source: measured on three question sets (gold contained in two sentences: .77, .70, .86 against .73, .64, .83 for
 * coverage alone). A sentence of the top 5 passages scores
 *   S′ + .5 s/s₁ + .3 T + .05 [first sentence] + .1 B
 * S′: weighted share of the question's terms in sentence and title; s: the passage's score; T: 1 where the type of
 * answer asked for is present, 0 where it is absent, .5 where none is known; B: share of the question's pairs of
 * adjacent words. Departure: + .15 where what "how many" counts follows a number (+.004 for one and two sentences on
 * the Russian set, 0 on the others). The two best sentences beat the best and its neighbour.
 */

import { all, anyOf, languageByLetters, phrasesOf, wordsOfAll } from '../text/languages/index.ts';
import { saysHowMany, speltNumbers } from '../text/number-words.ts';
import { stem, words } from '../text/words.ts';
import { covers, type MatchedPassage } from './evidence.ts';
import type { AnswerType, Question } from './question.ts';

export interface ScoredSentence {
  /** The passage's place in the list that was read. */
  passage: number;
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  score: number;
  /** Weighted share of the question's terms in the sentence with its title, and in its own words alone. */
  share: number;
  own: number;
  /** Its passage or what stands above it holds every name of the question. */
  named: boolean;
}

const calendars = all.map(({ pack }) => pack.calendar);
const months = anyOf(...calendars.flatMap(({ monthForms }) => monthForms.split(' ')));
const beforeYear = anyOf(...wordsOfAll((pack) => pack.calendar.beforeYear));
const centuries = calendars.flatMap(({ centuryWords }) => phrasesOf(centuryWords));
const counted = anyOf(
  ...centuries,
  ...calendars.flatMap(({ yearWords, eras }) => [...phrasesOf(yearWords), ...phrasesOf(eras)]),
);
const dates = new RegExp(
  [
    '(?<!\\p{L}|\\d)(?:1\\d{3}|20\\d{2})(?!\\d)',
    `(?<!\\p{L})${beforeYear} \\d{3}(?![\\d,.])`,
    `\\d{1,2}\\s+${months}(?!\\p{L})`,
    `(?<!\\p{L})${months}\\s+\\d`,
    `(?<!\\d)\\d+(?:-?\\p{L}{1,3})?\\s*${counted}`,
    `(?<![IVX])[IVX]+(?:\\s*[—–-]\\s*[IVX]+)?\\s*${anyOf(...centuries)}`,
    '\\d{1,2}\\.\\d{1,2}\\.\\d{2,4}',
  ].join('|'),
  'iu',
);
const everyDate = new RegExp(dates, 'giu');

const capital = /\p{Lu}\p{Ll}[\p{L}-]*/gu;

const offices = new Set([...wordsOfAll((pack) => pack.answers.offices)].map(stem));

/** Whether a text holds a person's name: two words with capital letters, of the question neither nor of offices. */
export function holdsName(text: string, question: Question): boolean {
  const asked = question.terms.flatMap((term) => term.stems);
  return [...text.matchAll(/\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu)].some((found) =>
    found[0]
      .toLowerCase()
      .split(' ')
      .map(stem)
      .every((word) => !offices.has(word) && !asked.some((term) => covers(term, word))),
  );
}

/** Whether a text holds what could be an answer of the type, outside the words of the question. */
export function holds(type: AnswerType, text: string, question: Question): boolean {
  if (type === 'date') return dates.test(text);
  if (type === 'number') return holdsNumber(text);
  const asked = question.terms.flatMap((term) => term.stems);
  for (const found of text.matchAll(capital)) {
    if (type === 'place' && found.index === 0) continue;
    const word = stem(found[0].toLowerCase());
    if (found.index > 0 && !asked.some((term) => covers(term, word))) return true;
  }
  return false;
}

function holdsNumber(text: string): boolean {
  if (/\d/.test(text)) return true;
  const language = languageByLetters(text);
  return words(text).some((word) => saysHowMany(word, language));
}

/** Whether a text says how many: by a number, in figures or words, that is no part of a date. */
export function holdsCount(text: string): boolean {
  const left = text.replace(listNumber, '').replace(everyDate, ' ');
  return holdsNumber(left) || speltNumbers(words(left), languageByLetters(left)).length > 0;
}

/** The number a point of a list begins with is no answer. */
const listNumber = /^\s*\(?\d{1,3}(?:\.\d{1,3})*[.)]\s+/;

/** Sentences of all matches, best first. */
export function score(question: Question, matches: readonly MatchedPassage[]): ScoredSentence[] {
  const top = matches[0]?.score || 1;
  const out: ScoredSentence[] = [];
  for (const [passage, match] of matches.entries()) {
    for (const [n, sentence] of match.sentences.entries()) {
      const type =
        question.type === null
          ? 0.5
          : holds(
                question.type,
                match.text.slice(sentence.start, sentence.end).replace(listNumber, ''),
                question,
              )
            ? 1
            : 0;
      const total =
        sentence.share +
        (0.5 * match.score) / top +
        0.3 * type +
        (n === 0 ? 0.05 : 0) +
        (counts(question, sentence.words) ? 0.15 : 0) +
        0.1 * bigramShare(question, sentence.words);
      out.push({
        passage,
        start: sentence.start,
        end: sentence.end,
        score: total,
        share: sentence.share,
        own: sentence.own,
        named: match.named,
      });
    }
  }
  return out.sort((a, b) => b.score - a.score || a.passage - b.passage || a.start - b.start);
}

/** Whether the words say how many of what is counted: a number, and the noun within two words after it. */
function counts({ counted }: Question, list: readonly string[]): boolean {
  if (counted === null) return false;
  const language = languageByLetters(list.join(' '));
  const isNumber = (word: string | undefined) =>
    word !== undefined && (/\d/.test(word) || saysHowMany(word, language));
  return list.some(
    (word, n) => covers(counted, stem(word)) && (isNumber(list[n - 1]) || isNumber(list[n - 2])),
  );
}

function bigramShare(question: Question, list: readonly string[]): number {
  if (question.bigrams.length === 0) return 0;
  const there = new Set<string>();
  for (let n = 1; n < list.length; n++) there.add(`${stem(list[n - 1]!)} ${stem(list[n]!)}`);
  return question.bigrams.filter((pair) => there.has(pair)).length / question.bigrams.length;
}
