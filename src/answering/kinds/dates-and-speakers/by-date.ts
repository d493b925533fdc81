/**
 * Orders sentences by the dates of their documents if a question asks for the last, the first, a period or the present.
 */
import { phrasesOfAll, tableOfAll, wholeWords } from '../../../text/languages/index.ts';
import { splitSentences } from '../../../text/sentences.ts';
import { words } from '../../../text/words.ts';
import { bodyStart, type Found, type Holder, type StatedHolder } from '../../reading/passages.ts';
import type { ScoredSentence } from '../../reading/sentence-model.ts';
import type { AskedDocuments } from './asked-documents.ts';
import { nameWord, sameName } from './stated-facts.ts';

/** Minimum share of the best sentence's word matches for a sentence to be equally relevant. */
const alike = { ordered: 0.5, present: 0.6, unasked: 0.85 };
/**
 * Maximum score distance from such a sentence to the best one, if the question does not ask for a particular document.
 */
const margins = { present: 0.45, unasked: 0.12 };
/**
 * Exceeds the preference for a language (writing/sentences.ts), because a question about the last document must be
 * answered from that document only.
 */
const orderedMargin = 0.5;
/** Bonus of a document from the time asked about. */
const timely = 0.3;

/** Penalty of a sentence that recalls earlier statements instead of describing its document's time. */
const recalled = 0.3;
/** In documents selected by name, a sentence's own words count more than the title, which all sentences share. */
const ownWeight = 0.5;

type Asked = Pick<AskedDocuments, 'order' | 'present' | 'changes' | 'preferred' | 'only'>;

const reports = tableOfAll('speech.reports');
const stances = tableOfAll('speech.stances');
const formerly = wholeWords(phrasesOfAll('dating.formerly'), 'i');

/** "Three years ago", "once". */
export const mentionsPast = (text: string): boolean => formerly.test(text);

/** "Three years ago I said …", "in 2020 I promised …". */
export const recalls = (text: string): boolean =>
  (mentionsPast(text) || /(?<!\d)(?:19|20)\d{2}(?!\d)/.test(text)) &&
  words(text).some((word) => reports.has(word) || stances.has(word));

/** Rescores sentences, given and returned best first; `passage` is the index among `hits`. */
export function byDate(
  sentences: readonly ScoredSentence[],
  hits: readonly Found[],
  { order, present, changes, preferred, only }: Asked,
): ScoredSentence[] {
  const dateOf = ({ passage }: ScoredSentence) => hits[passage]!.facts.event_date;
  /** The date of the document, or of its edition if it has none. */
  const editionOf = (one: ScoredSentence) => dateOf(one) ?? hits[one.passage]!.facts.edition ?? null;
  const isAboutPast = ({ passage, start, end }: ScoredSentence) =>
    recalls(hits[passage]!.text.slice(start, end));
  const given = changes ? sentences : withHeirs(sentences, (one) => dateOf(one) !== null && isAboutPast(one));
  const scored = given
    .map((one) => ({
      ...one,
      score:
        one.score +
        (preferred.has(hits[one.passage]!.facts.doc_id) ? timely : 0) +
        (only === null ? 0 : ownWeight * one.own) -
        (dateOf(one) !== null && isAboutPast(one) ? recalled : 0),
    }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (!best || changes || (preferred.size > 0 && order === null)) return scored;
  const most = Math.max(
    ...scored.filter(({ score }) => score >= best.score - margins.present).map(({ own }) => own),
  );
  const kind = order ? 'ordered' : present ? 'present' : 'unasked';
  // If the question asks what somebody said, every statement counts.
  if (kind === 'unasked' && only !== null) return scored;
  const speaking = scored.filter(
    (one) =>
      editionOf(one) !== null &&
      one.own > 0 &&
      one.own >= alike[kind] * most &&
      (kind === 'ordered' || one.score >= best.score - margins[kind]),
  );
  if (speaking.length === 0 || (kind === 'unasked' && editionOf(best) === null)) return scored;
  const dates = speaking.map((one) => editionOf(one)!).sort();
  const wanted = order === 'earliest' ? dates[0]! : dates.at(-1)!;
  const lift =
    best.score +
    (kind === 'ordered' ? orderedMargin : 0.001) -
    Math.max(...speaking.filter((one) => editionOf(one) === wanted).map(({ score }) => score));
  return scored
    .map((one) =>
      speaking.includes(one) && editionOf(one) === wanted ? { ...one, score: one.score + lift } : one,
    )
    .sort((a, b) => b.score - a.score);
}

/**
 * A sentence about the past is often followed by one about the present on the same subject, which inherits its score.
 */
function withHeirs(
  sentences: readonly ScoredSentence[],
  isAboutPast: (one: ScoredSentence) => boolean,
): ScoredSentence[] {
  const inPlace = sentences.toSorted((a, b) => a.passage - b.passage || a.start - b.start);
  const before = new Map(inPlace.map((one, n) => [one, inPlace[n - 1]]));
  return sentences.map((one) => {
    const last = before.get(one);
    if (last?.passage !== one.passage || !isAboutPast(last) || isAboutPast(one)) return one;
    return { ...one, score: Math.max(one.score, last.score), own: Math.max(one.own, last.own) };
  });
}

const openingWords = 6;

/**
 * The beginnings of documents asked for as a whole, one sentence each, by date: the first statement after any
 * salutation.
 */
export function openings(hits: readonly Found[]): ScoredSentence[] {
  return hits.flatMap((hit, passage) => {
    const from = bodyStart(hit);
    const all = splitSentences(hit.text.slice(from)).map(({ start, end }) => ({
      start: start + from,
      end: end + from,
    }));
    const states = ({ start, end }: { start: number; end: number }) => {
      const text = hit.text.slice(start, end);
      return !/[!?:]\s*$/.test(text) && words(text).length >= openingWords;
    };
    const found = all.find(states) ?? all[0];
    return found
      ? [{ passage, ...found, score: 2 - orderedMargin * passage, share: 1, own: 1, named: true }]
      : [];
  });
}

/** The sentence of a text that names both the person and the office, if any. */
export function sentenceNaming(text: string, { person, office }: Holder): { quote: StatedHolder['quote'] } {
  const wanted = [person, office].map((name) => words(name).map(nameWord));
  const quote = splitSentences(text).find(({ start, end }) => {
    const there = words(text.slice(start, end)).map(nameWord);
    return wanted.every((name) => name.every((one) => there.some((word) => sameName(one, word))));
  });
  return { quote: quote ? { start: quote.start, end: quote.end } : null };
}
