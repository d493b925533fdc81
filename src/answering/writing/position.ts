/**
 * Quotes what a dated document says about a subject. This takes several sentences if the best one only introduces the
 * subject, asks a question or recalls an earlier statement.
 */

import { tableOfAll } from '../../language/index.ts';
import { splitSentences } from '../../text/sentences.ts';
import { words } from '../../text/words.ts';
import { mentionsPast, recalls } from '../retrieval/documents/by-date.ts';
import type { ChosenSentence } from './sentences.ts';

/**
 * A sentence of fewer than `openingWords` words is only an introduction. The quotation is continued until `saidWords`
 * words are added, but to at most `mostWords` words in total.
 */
const openingWords = 7;
const saidWords = 16;
const mostWords = 60;
/** Minimum share of the best sentence's matching words in another sentence of the document that is also quoted. */
const further = 0.75;

const asks = tableOfAll('speech.asks');

/**
 * Returns the best sentence about the subject. It is continued if it is only an introduction, or if it reports a
 * question or an earlier statement. If the next sentence recalls the past, that is added. Otherwise another sentence of
 * the document is added if it is nearly as relevant.
 */
export function position(best: ChosenSentence, sentences: readonly ChosenSentence[]): ChosenSentence[] {
  const { text } = best.hit;
  const countOf = (from: number, to: number) => words(text.slice(from, to)).length;
  const isOpen = (from: number, to: number) => {
    const said = text.slice(from, to);
    return /[?:]$/.test(said) || recalls(said) || words(said).some((word) => asks.has(word));
  };
  const after = splitSentences(text.slice(best.end)).map((span) => ({
    ...best,
    start: best.end + span.start,
    end: best.end + span.end,
  }));
  if (countOf(best.start, best.end) < openingWords || isOpen(best.start, best.end)) {
    const chosen = [best];
    let said = 0;
    for (const one of after) {
      const count = countOf(one.start, one.end);
      if (said >= saidWords || countOf(best.start, one.end) > mostWords) break;
      chosen.push(one);
      if (!isOpen(one.start, one.end)) said += count;
    }
    return chosen;
  }
  const [next] = after;
  if (next && mentionsPast(text.slice(next.start, next.end))) return [best, next];
  const other = sentences.find(
    (one) => one !== best && one.hit.id === best.hit.id && one.own > 0 && one.own >= further * best.own,
  );
  return other ? [best, other] : [best];
}
