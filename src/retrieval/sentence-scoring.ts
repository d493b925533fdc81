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

import { languageByLetters } from '../text/languages/index.ts';
import { speltNumbers } from '../text/number-words.ts';
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

const months =
  'январ|феврал|март|апрел|ма[йяею](?!\\p{L})|июн|июл|август|сентябр|октябр|ноябр|декабр|қаңтар|ақпан|наурыз|сәуір|мамыр|маусым|шілде|тамыз|қыркүйек|қазан|қараша|желтоқсан|january|february|march|april|may|june|july|august|september|october|november|december';
const dates = new RegExp(
  `(?<!\\p{L}|\\d)(?:1\\d{3}|20\\d{2})(?!\\d)|(?<!\\p{L})(?:in|since|by|until|from|circa|в|к|с|до) \\d{3}(?![\\d,.])|\\d{1,2}\\s+(?:${months})|(?:${months})[\\p{L}]*\\s+\\d|\\d+(?:-?\\p{L}{1,3})?\\s*(?:год|гг?\\.|век|вв?\\.|столет|жыл|ғасыр|century|bc|ad|до н)|[IVX]+(?:\\s*[—–-]\\s*[IVX]+)?\\s*(?:век|вв?\\.|столет|ғасыр)|\\d{1,2}\\.\\d{1,2}\\.\\d{2,4}`,
  'iu',
);
const numbers =
  /\d|(?<!\p{L})(?:один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|двадцать|тридцать|сорок|сто|тысяч\p{L}*|миллион\p{L}*|миллиард\p{L}*|двух|трёх|трех|четырёх|пяти|шести|семи|восьми|девяти|десяти|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|dozen|half|twice|бір|екі|үш|төрт|бес|алты|жеті|сегіз|тоғыз|он|жүз|мың)(?!\p{L})/iu;
const capital = /\p{Lu}\p{Ll}[\p{L}-]*/gu;

/** Words of offices and bodies that are written with capital letters and are nobody's name. */
const offices = new Set(
  (
    'president vice prime minister ministers deputy chair chairman court supreme constitutional chamber house representatives regions council national bank ' +
    'republic general prosecutor commissioner human rights state parliament government assembly senate cabinet constitution article the governor ' +
    'президент премьер министр председатель суд палата республика генеральный прокурор уполномоченный парламент правительство конституция статья совет сенат ' +
    'президенттің төраға төрағасы сот палатасы республикасы бас прокурор уәкіл үкімет кеңес министрлер жоғарғы конституциялық'
  )
    .split(' ')
    .map(stem),
);

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
  if (type === 'number') return numbers.test(text);
  const asked = question.terms.flatMap((term) => term.stems);
  for (const found of text.matchAll(capital)) {
    if (type === 'place' && found.index === 0) continue;
    const word = stem(found[0].toLowerCase());
    if (found.index > 0 && !asked.some((term) => covers(term, word))) return true;
  }
  return false;
}

/** Whether a text says how many: by a number, in figures or words, that is no part of a date. */
export function holdsCount(text: string): boolean {
  const left = text.replace(listNumber, '').replace(new RegExp(dates.source, 'giu'), ' ');
  if (numbers.test(left)) return true;
  const list = words(left);
  return speltNumbers(list, languageByLetters(left)).length > 0;
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
  return list.some(
    (word, n) =>
      (n > 0 && covers(counted, stem(word)) && numbers.test(list[n - 1]!)) ||
      (n > 1 && covers(counted, stem(word)) && numbers.test(list[n - 2]!)),
  );
}

function bigramShare(question: Question, list: readonly string[]): number {
  if (question.bigrams.length === 0) return 0;
  const there = new Set<string>();
  for (let n = 1; n < list.length; n++) there.add(`${stem(list[n - 1]!)} ${stem(list[n]!)}`);
  return question.bigrams.filter((pair) => there.has(pair)).length / question.bigrams.length;
}
