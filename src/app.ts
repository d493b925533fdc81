/**
 * The use cases every door calls. openApp(config) is the one place where adapters are chosen.
 */
import type { Part } from './ask/parts.ts';
import type { Channel, HistoryMessage, Language, Mode, Style } from './domain/events.ts';

/** Who asks, as a door knows it. */
export interface Caller {
  /** `key:<id>`, `public`, `admin:<account>`: the actor of what is appended. */
  actor: string;
  key_id: number | null;
  /** Opaque; the request id where there is no other. */
  subject: string | null;
}

export interface AskInput {
  /** Given from outside where it is derived from a platform's delivery or an Idempotency-Key. */
  request_id?: string;
  query: string;
  /** Absent: the configured default corpus. */
  corpus_id?: string | null;
  style?: Style | null;
  history?: HistoryMessage[];
  channel: Channel;
  caller: Caller;
  /** SHA-256 of the request's body where an Idempotency-Key came with it. */
  body_hash?: string | null;
}

/** The public SourceRef of the specification, with additive fields. */
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
  lang: Language;
  revision: number;
}

export interface SourceRefsInput {
  request_id?: string;
  query: string;
  corpus_id?: string | null;
  /** 1 to 20, default 5. */
  limit?: number;
  caller: Caller;
}

export interface SourceRefsResult {
  request_id: string;
  query: string;
  mode: Mode;
  lang: Language;
  latency_ms: number;
  sources: SourceRef[];
}

export interface PublicCorpus {
  corpus_id: string;
  title: string;
  description: string | null;
  languages: Language[];
  styles: Style[];
  is_default: boolean;
  document_count: number;
  chunk_count: number;
  updated_at: string | null;
}

export type ComponentState = 'ok' | 'degraded' | 'down';

export interface Health {
  status: ComponentState;
  version: string;
  uptime_s: number;
  components: { event_log: ComponentState; read_models: ComponentState; models: ComponentState };
  projections: Record<string, { position: string | null; lag_ms: number; lag_events: number | null }>;
}

export interface App {
  /**
   * The answer as a sequence of parts that ends in exactly one `done` or `error`. Rejects with Failure before the
   * first part for an unknown corpus (`not_found`), read models that are behind (`unavailable`) or a history that
   * cannot be written (`unavailable`, `storage_full`): nothing was asked then.
   */
  ask(input: AskInput, signal: AbortSignal): AsyncIterable<Part>;
  sourceRefs(input: SourceRefsInput, signal: AbortSignal): Promise<SourceRefsResult>;
  corpora(): Promise<PublicCorpus[]>;
  health(): Promise<Health>;
  close(): Promise<void>;
}
