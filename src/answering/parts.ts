/**
 * The parts an ask consists of, in this order: meta, sources, then text and citations in turn, at most one replace,
 * and exactly one of done and error. Fields are those of the public stream, with the event's name as `type`.
 */
import type { Citation, Language, Mode, RecordedSource } from '../domain/events.ts';
import type { FailureCode } from '../failures.ts';

/** The public form of a source, with additive fields after those of the specification. */
export interface SourceRef {
  ref: string;
  doc_key: string;
  heading: string;
  chunk_index: string;
  url: string | null;
  title: string | null;
  event_date: string | null;
  source_url: string | null;
  layer: string;
  /** In the passage's language; absent where the layer has none. */
  layer_title?: string;
  lang: Language;
  revision: number;
}

export type Part =
  | { type: 'meta'; request_id: string; mode: Mode; lang: Language; corpus_id: string }
  | { type: 'sources'; source_refs: string[]; sources: SourceRef[] }
  | { type: 'text'; text: string }
  /** Offsets are UTF-16 units into the answer so far. */
  | ({ type: 'citation' } & Citation)
  /** What was sent before is void: this is the answer now. */
  | { type: 'replace'; answer: string; reason: string }
  | {
      type: 'done';
      request_id: string;
      latency_ms: number;
      answer: string;
      mode: Mode;
      finish_reason: 'stop' | 'length';
      cached: boolean;
    }
  | { type: 'error'; request_id: string; code: FailureCode; detail: string; retryable: boolean };

/** What of a recorded source is shown to everybody. */
export function publicSource(source: RecordedSource): SourceRef {
  const { ref, doc_key, heading, chunk_index, url, title, event_date, source_url } = source;
  const { layer, layer_title, lang, revision } = source;
  const place = { ref, doc_key, heading, chunk_index, url, title, event_date, source_url };
  return { ...place, layer, ...(layer_title !== undefined && { layer_title }), lang, revision };
}
