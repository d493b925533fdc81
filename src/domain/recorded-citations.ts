/**
 * Citations in the record of an answer. A quotation is already in the answer and in its revision, so it is not stored a
 * third time: for one 23-character question about provisions, that copy took 100 kB.
 */
import type { Citation, RecordedCitation } from './events.ts';

/** The recorded form of an answer's citations. */
export function recordCitations(answer: string, citations: readonly Citation[]): RecordedCitation[] {
  return citations.map(({ quote, ...citation }) =>
    answer.slice(citation.start, citation.end) === quote ? citation : { ...citation, quote },
  );
}

/** The original citations of an answer. */
export function citationsOf({
  answer,
  citations = [],
}: {
  answer: string;
  citations?: readonly RecordedCitation[];
}): Citation[] {
  return citations.map(({ start, end, ref, quote, ...source }) => ({
    start,
    end,
    ref,
    quote: quote ?? answer.slice(start, end),
    ...source,
  }));
}
