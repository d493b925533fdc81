/**
 * Orders sentences by the dates of their documents if a question asks for the latest, the earliest or the present.
 */

import type { Span } from '../../../domain/span.ts';
import { phrasesOfAll, tableOfAll, wholeWords } from '../../../language/index.ts';
import { bodyStart, type Found, type Holder, type StatedHolder } from '../../../reading/passages.ts';
import type { ScoredSentence } from '../../../reading/sentence-model.ts';
import { splitSentences } from '../../../text/sentences.ts';
import { words } from '../../../text/words.ts';
import type { AskedDocuments } from './asked-documents.ts';
import { nameWord, sameName } from './stated-facts.ts';

/** Minimum word matches of a sentence that counts as equally relevant, as a share of the best sentence's. */
const alike = { ordered: 0.5, present: 0.6, unasked: 0.85 };
/** Maximum score difference from the best sentence, unless the question asks for the latest or earliest document. */
const margins = { present: 0.45, unasked: 0.12 };
/**
 * Larger than the preference for a language (writing/sentences.ts), because a question about the latest document must
 * be answered only from that document.
 */
const orderedMargin = 0.5;

type DateOrder = Pick<AskedDocuments, 'order' | 'present' | 'changes' | 'preferred' | 'only'>;

const reports = tableOfAll('speech.reports');
const stances = tableOfAll('speech.stances');
const formerly = wholeWords(phrasesOfAll('dating.formerly'), 'i');

/** Whether text contains a phrase such as "three years ago" or "once". */
export const mentionsPast = (text: string): boolean => formerly.test(text);

/** Whether text recalls an earlier statement: "three years ago I said …", "in 2020 I promised …". */
export const recalls = (text: string): boolean =>
  (mentionsPast(text) || /(?<!\d)(?:19|20)\d{2}(?!\d)/.test(text)) &&
  words(text).some((word) => reports.has(word) || stances.has(word));

/**
 * Moves the sentences of the newest document, or of the oldest if the question asks for it, before equally relevant
 * ones. Sentences that recall an earlier statement are not moved. `sentences`: best first.
 */
export function byDate(
  sentences: readonly ScoredSentence[],
  hits: readonly Found[],
  { order, present, changes, preferred, only }: DateOrder,
): readonly ScoredSentence[] {
  /** The date of the document, or of its edition if it has none. */
  const dateOf = ({ passage }: ScoredSentence) => {
    const { event_date, edition } = hits[passage]!.facts;
    return event_date ?? edition ?? null;
  };
  const kind = order ? 'ordered' : present ? 'present' : 'unasked';
  const [best] = sentences;
  // If the question asks for changes, for a period, or for what someone said, all statements count equally.
  const isOpen = changes || (order === null && (preferred.size > 0 || (only !== null && !present)));
  if (!best || isOpen || (kind === 'unasked' && dateOf(best) === null)) return sentences;
  const near = (one: ScoredSentence) => kind === 'ordered' || one.score >= best.score - margins[kind];
  const most = Math.max(...sentences.filter(near).map(({ own }) => own));
  const states = ({ passage, start, end }: ScoredSentence) => !recalls(hits[passage]!.text.slice(start, end));
  const rivals = sentences.filter(
    (one) => dateOf(one) !== null && one.own > 0 && one.own >= alike[kind] * most && near(one) && states(one),
  );
  if (rivals.length === 0) return sentences;
  const dates = rivals.map((one) => dateOf(one)!).sort();
  const wanted = order === 'earliest' ? dates[0] : dates.at(-1);
  const first = rivals.filter((one) => dateOf(one) === wanted);
  const lift = best.score + (order ? orderedMargin : 0.001) - first[0]!.score;
  return sentences
    .map((one) => (first.includes(one) ? { ...one, score: one.score + lift } : one))
    .sort((a, b) => b.score - a.score);
}

const openingWords = 6;

/**
 * For a question that asks for documents as a whole, returns the first statement of each document after any salutation.
 * The order of `hits` determines the scores.
 */
export function openings(hits: readonly Found[]): ScoredSentence[] {
  return hits.flatMap((hit, passage) => {
    const from = bodyStart(hit);
    const all = splitSentences(hit.text.slice(from)).map(({ start, end }) => ({
      start: start + from,
      end: end + from,
    }));
    const states = ({ start, end }: Span) => {
      const text = hit.text.slice(start, end);
      return !/[!?:]\s*$/.test(text) && words(text).length >= openingWords;
    };
    const found = all.find(states) ?? all[0];
    return found
      ? [{ passage, ...found, score: 2 - orderedMargin * passage, share: 1, own: 1, named: true }]
      : [];
  });
}

/** The sentence that names both the person and the office; null if there is none. */
export function sentenceNaming(text: string, { person, office }: Holder): { quote: StatedHolder['quote'] } {
  const wanted = [person, office].map((name) => words(name).map(nameWord));
  const quote = splitSentences(text).find(({ start, end }) => {
    const there = words(text.slice(start, end)).map(nameWord);
    return wanted.every((name) => name.every((one) => there.some((word) => sameName(one, word))));
  });
  return { quote: quote ? { start: quote.start, end: quote.end } : null };
}
