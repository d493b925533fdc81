/**
 * The parts of an ask, in this order: meta, sources, alternating text and citations, at most one replace, and either
 * done or error. The fields are those of the public stream, where `type` is the name of the event.
 */

import type { Citation, Language, Mode, RecordedSource } from '../domain/events.ts';
import { atPage } from '../domain/marks.ts';
import type { Span } from '../domain/span.ts';
import type { FailureCode } from '../failures.ts';

/** The public form of a source. Fields that are not in the specification come last. */
export interface SourceRef {
  ref: string;
  doc_key: string;
  heading: string;
  chunk_index: string;
  /** The document's own address or, if it has none, `page_url`. It can always be opened. */
  url: string;
  title: string | null;
  event_date: string | null;
  source_url: string | null;
  layer: string;
  /** The title in the language of the passage; absent if the layer has no title. */
  layer_title?: string;
  lang: Language;
  revision: number;
  /** The number of the page that contains the quotation; absent if the document has no pages. */
  page?: number;
  /** The address of the service's page that shows the passage with the quotation highlighted. */
  page_url: string;
}

/** A passage as identified in an address. */
export interface SourceLocation {
  corpus_id: string;
  doc_id: number;
  revision: number;
  chunk_index: string;
}

/** Creates addresses of the service's source pages: absolute if the service knows its own address, otherwise paths. */
export interface SourcePages {
  /**
   * The page with the quotations highlighted. Anyone with the address can open it; if questions need a key, it is valid
   * only for some days.
   */
  page(source: SourceLocation, quotes?: readonly Span[]): string;
  /** An address for use in the text of an answer, which is stored; null if addresses are valid only for some days. */
  permanent(source: SourceLocation): string | null;
}

export type Part =
  | { type: 'meta'; request_id: string; mode: Mode; lang: Language; corpus_id: string }
  | { type: 'sources'; source_refs: string[]; sources: SourceRef[] }
  /** `label`: the text only names a source and can be omitted if the sources are listed. */
  | { type: 'text'; text: string; label?: boolean }
  /** Offsets are in UTF-16 units of the answer so far. */
  | ({ type: 'citation' } & Citation)
  /** Replaces everything sent so far. */
  | { type: 'replace'; answer: string; reason: string }
  | {
      type: 'done';
      request_id: string;
      latency_ms: number;
      answer: string;
      mode: Mode;
      finish_reason: 'stop' | 'length';
      cached: boolean;
      /** Whether a model should have written the answer but failed. */
      degraded?: true;
      /** Whether a model wrote the answer and part of it was not checked by a second reading. */
      unverified?: true;
      /** Whether the answer is from a private file of the conversation. */
      private_file?: true;
    }
  | { type: 'error'; request_id: string; code: FailureCode; detail: string; retryable: boolean };

/** Converts recorded sources to their public form, with addresses that highlight the cited text. */
export function publicSources(
  sources: readonly RecordedSource[],
  { corpus_id, citations, pages }: { corpus_id: string; citations: readonly Citation[]; pages: SourcePages },
): SourceRef[] {
  return sources.map((source) => {
    const { ref, doc_id, doc_key, heading, chunk_index, title, event_date, source_url } = source;
    const { layer, layer_title, lang, revision, page } = source;
    const page_url = pages.page({ corpus_id, doc_id, revision, chunk_index }, quotesOf(source, citations));
    const url = isWebAddress(source.url) ? atPage(source.url, page) : page_url;
    const place = { ref, doc_key, heading, chunk_index, url, title, event_date };
    return {
      ...place,
      source_url: source_url === null ? null : atPage(source_url, page),
      layer,
      ...(layer_title !== undefined && { layer_title }),
      lang,
      revision,
      ...(page !== undefined && { page }),
      page_url,
    };
  });
}

/** The ranges of the quotations in the revision, in order and without duplicates. */
function quotesOf({ ref, revision }: RecordedSource, citations: readonly Citation[]): Span[] {
  const quotes = new Map<number, Span>();
  for (const { ref: of, revision: at, source_start: start, quote } of citations)
    if (of === ref && at === revision && start !== undefined) {
      const end = Math.max(start + quote.length, quotes.get(start)?.end ?? 0);
      quotes.set(start, { start, end });
    }
  return [...quotes.values()].sort((a, b) => a.start - b.start);
}

/** The address stated by a document, if it is a web address. Documents may state anything. */
const isWebAddress = (url: string | null): url is string =>
  url !== null && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
