/**
 * The parts of an ask, in this order: meta, sources, then text and citations in turn, at most one replace, and exactly
 * one of done and error. The fields are those of the public stream, with the event's name as `type`.
 */
import type { Citation, Language, Mode, RecordedSource } from '../domain/events.ts';
import { atPage } from '../domain/marks.ts';
import type { FailureCode } from '../failures.ts';

/** The public form of a source. Additional fields follow those of the specification. */
export interface SourceRef {
  ref: string;
  doc_key: string;
  heading: string;
  chunk_index: string;
  /** The document's own address, or else `page_url`. It can always be opened. */
  url: string;
  title: string | null;
  event_date: string | null;
  source_url: string | null;
  layer: string;
  /** In the passage's language; absent if the layer has none. */
  layer_title?: string;
  lang: Language;
  revision: number;
  /** The page of the quotation; absent if the document has no pages. */
  page?: number;
  /** The service's own page of the passage, with the quotation highlighted. */
  page_url: string;
}

/** A passage as identified by an address. */
export interface SourceLocation {
  corpus_id: string;
  doc_id: number;
  revision: number;
  chunk_index: string;
}

/** A range of a revision's text, in UTF-16 units. */
export interface Quoted {
  start: number;
  end: number;
}

/** Addresses of the service's own source pages: absolute if the service knows its own address, otherwise paths. */
export interface SourcePages {
  /**
   * The page with the quotes highlighted. Anyone with the address can open it, but only for some days if questions need
   * a key.
   */
  page(source: SourceLocation, quotes?: readonly Quoted[]): string;
  /** For the text of an answer, which is kept; null if addresses are valid only for some days. */
  permanent(source: SourceLocation): string | null;
}

export type Part =
  | { type: 'meta'; request_id: string; mode: Mode; lang: Language; corpus_id: string }
  | { type: 'sources'; source_refs: string[]; sources: SourceRef[] }
  /** `label`: it only names a source, and can be omitted if the sources are listed. */
  | { type: 'text'; text: string; label?: boolean }
  /** Offsets are UTF-16 units into the answer so far. */
  | ({ type: 'citation' } & Citation)
  /** Everything sent before is void: this is the answer now. */
  | { type: 'replace'; answer: string; reason: string }
  | {
      type: 'done';
      request_id: string;
      latency_ms: number;
      answer: string;
      mode: Mode;
      finish_reason: 'stop' | 'length';
      cached: boolean;
      /** A model should have written it, but could not or broke off. */
      degraded?: true;
      /** A model wrote it, and a part of it had no second reading. */
      unverified?: true;
      /** It is from a private file of the conversation. */
      private_file?: true;
    }
  | { type: 'error'; request_id: string; code: FailureCode; detail: string; retryable: boolean };

/** The public form of recorded sources, with addresses that highlight the cited text. */
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

/** The ranges of the quotes in the revision, ordered, without duplicates. */
function quotesOf({ ref, revision }: RecordedSource, citations: readonly Citation[]): Quoted[] {
  const quotes = new Map<number, Quoted>();
  for (const { ref: of, revision: at, source_start: start, quote } of citations)
    if (of === ref && at === revision && start !== undefined) {
      const end = Math.max(start + quote.length, quotes.get(start)?.end ?? 0);
      quotes.set(start, { start, end });
    }
  return [...quotes.values()].sort((a, b) => a.start - b.start);
}

/** Documents may state anything as their address; only web addresses are used. */
const isWebAddress = (url: string | null): url is string =>
  url !== null && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
