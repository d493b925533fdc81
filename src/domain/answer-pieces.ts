/**
 * An answer in reading order: its text, split at the start and end of each label, with each citation after the text
 * that it supports.
 */
import type { AnswerLabel, Citation } from './events.ts';

export type AnswerPiece =
  /** `label` means that the text only names a source. */
  { type: 'text'; text: string; label?: true } | { type: 'citation'; citation: Citation };

/** Together, the texts form the answer. Citations keep the given order. */
export function* answerPieces({
  answer,
  labels,
  citations,
}: {
  answer: string;
  labels: readonly AnswerLabel[];
  citations: readonly Citation[];
}): Generator<AnswerPiece, void> {
  let at = 0;
  function* upTo(end: number): Generator<AnswerPiece, void> {
    while (at < end) {
      const next = labels.find(([, labelEnd]) => labelEnd > at);
      const isLabel = next !== undefined && next[0] <= at;
      const until = Math.min(end, next === undefined ? end : next[isLabel ? 1 : 0]);
      yield { type: 'text', text: answer.slice(at, until), ...(isLabel && { label: true }) };
      at = until;
    }
  }
  for (const citation of citations) {
    yield* upTo(citation.end);
    yield { type: 'citation', citation };
  }
  yield* upTo(answer.length);
}
