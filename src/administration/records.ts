/** What administrators are shown: the records of the read models, without what only the service itself needs. */
import type { ApiKey } from '../domain/api-keys.ts';
import type { Channel, CorpusSettings, Language, Layer, Localized, Style } from '../domain/events.ts';
import type { Passage } from '../ports/chunk-search.ts';
import type { Doc } from '../ports/read-models.ts';

export interface Page {
  limit: number;
  offset: number;
}

export interface Listed<T> extends Page {
  items: T[];
  total: number;
}

export interface Coverage {
  total_chunks: number;
  embedded_chunks: number;
  /** From 0 to 1, rounded down; 1 where there are no chunks. */
  coverage: number;
}

export function coverageOf({ chunks, embedded }: { chunks: number; embedded: number }): Coverage {
  const coverage = chunks === 0 ? 1 : Math.floor((embedded / chunks) * 1e4) / 1e4;
  return { total_chunks: chunks, embedded_chunks: embedded, coverage };
}

// Aliases, not interfaces: a record of a read model can then be taken for one.

/** null: not known yet, or not applicable. */
export type QueryRecord = {
  request_id: string;
  asked_at: string;
  channel: Channel;
  corpus_id: string;
  query: string;
  answer: string | null;
  mode: string | null;
  lang: string | null;
  style: string | null;
  source_refs: string[];
  latency_ms: number | null;
  key_id: number | null;
  error: string | null;
  cached: boolean;
  model: string | null;
  rating: 'up' | 'down' | null;
  comment: string | null;
};

export function queryRecord({ state: _, deadline: __, has_error: ___, ...entry }: Doc): QueryRecord {
  return entry as QueryRecord;
}

export type AuditRecord = {
  entry_id: string;
  occurred_at: string;
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  request_id: string;
  position: string;
};

export type DocumentRecord = {
  doc_id: number;
  doc_key: string;
  corpus_id: string;
  title: string | null;
  lang: string | null;
  layer: string | null;
  status: 'ingesting' | 'published' | 'withdrawn';
  revision: number | null;
  content_hash: string | null;
  chunk_count: number;
  embedded_count: number;
  url: string | null;
  source_url: string | null;
  event_date: string | null;
  updated_at: string | null;
};

/** A document that was registered, and of which nothing was published yet, has only its names. */
export function documentRecord(doc: Doc, embedded_count: number): DocumentRecord {
  const stored = doc as Pick<DocumentRecord, 'doc_id' | 'doc_key' | 'corpus_id'> & Partial<DocumentRecord>;
  const {
    doc_id,
    doc_key,
    corpus_id,
    title = null,
    lang = null,
    layer = null,
    status = 'ingesting',
  } = stored;
  const { revision = null, content_hash = null, chunk_count = 0 } = stored;
  const { url = null, source_url = null, event_date = null, updated_at = null } = stored;
  return {
    doc_id,
    doc_key,
    corpus_id,
    title,
    lang,
    layer,
    status,
    revision,
    content_hash,
    chunk_count,
    embedded_count,
    url,
    source_url,
    event_date,
    updated_at,
  };
}

export interface ChunkRecord {
  chunk_index: string;
  ref: string;
  heading: string;
  text: string;
  lang: Language;
  start: number;
  end: number;
  embedded: boolean;
}

export function chunkRecord({ facts, chunk, text, embedded }: Passage & { embedded: boolean }): ChunkRecord {
  const { chunk_index, heading, lang, start, end } = chunk;
  return { chunk_index, ref: `${facts.doc_key}#${chunk_index}`, heading, text, lang, start, end, embedded };
}

/** An API key as it is listed: of the key itself only its prefix. */
export type ApiKeyRecord = Omit<ApiKey, 'hash'> & { last_used_at: string | null; request_count: number };

export function apiKeyRecord({ hash: _, ...key }: ApiKey, usage: Doc | null): ApiKeyRecord {
  return {
    ...key,
    last_used_at: usage === null ? null : String(usage.last_used_at),
    request_count: Number(usage?.request_count ?? 0),
  };
}

export interface CorpusRecord {
  corpus_id: string;
  title: Localized;
  description: Localized | null;
  languages: Language[];
  styles: Style[];
  layers: Layer[];
  is_active: boolean;
  is_default: boolean;
  document_count: number;
  chunk_count: number;
  embedded_chunks: number;
  embedding_coverage: number;
  question_count: number;
  created_at: string;
  updated_at: string;
}

type StoredCorpus = Pick<CorpusSettings, keyof CorpusSettings> &
  Pick<
    CorpusRecord,
    'corpus_id' | 'is_active' | 'document_count' | 'chunk_count' | 'created_at' | 'updated_at'
  >;

export function corpusRecord(
  doc: Doc,
  known: { is_default: boolean; coverage: Coverage; question_count: number },
): CorpusRecord {
  const { corpus_id, title, description, languages, styles, layers, is_active, ...stored } =
    doc as StoredCorpus;
  const { document_count, chunk_count, created_at, updated_at } = stored;
  const { is_default, coverage, question_count } = known;
  return {
    corpus_id,
    title,
    description,
    languages,
    styles,
    layers,
    is_active,
    is_default,
    document_count,
    chunk_count,
    embedded_chunks: coverage.embedded_chunks,
    embedding_coverage: coverage.coverage,
    question_count,
    created_at,
    updated_at,
  };
}
