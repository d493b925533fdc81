/**
 * Citations in the record of an answer. A quotation stands in the answer and in the revision it is from, and is not
 * written a third time: of 23 characters' worth of provisions that alone made a hundred kilobytes.
 */
import type { Citation, RecordedCitation } from './events.ts';

/** What is recorded of an answer's citations. */
export function recordCitations(answer: string, citations: readonly Citation[]): RecordedCitation[] {
  return citations.map(({ quote, ...citation }) =>
    answer.slice(citation.start, citation.end) === quote ? citation : { ...citation, quote },
  );
}

/** An answer's citations as they were given. */
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
