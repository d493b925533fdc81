/** What the OpenAPI document says of the administration beyond its schemas; a test holds each example against them. */
import type { RouteOptions } from 'fastify';
import type { Docs } from './openapi.ts';

/** What all operations of the administration say of themselves. */
export function docs(
  id: string,
  summary: string,
  replies: Docs['replies'],
  more: Partial<Docs> = {},
): NonNullable<RouteOptions['config']> {
  return { docs: { id, summary, tag: 'Administration', security: 'basic', replies, ...more } };
}

const time = '2026-11-21T09:30:00.000Z';
const earlier = '2026-11-20T16:05:12.345Z';
const request_id = '019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d';
const job_id = '019aa1c2-9b1f-7a10-8c3e-5d0a7e6f4b21';
const coverage = { total_chunks: 412, embedded_chunks: 400, coverage: 0.9708 };
const question = {
  query: 'What does article 17 say?',
  corpus_id: 'krk_2026',
  count: 12,
  last_asked_at: time,
};
const listOf = <T>(item: T) => ({ items: [item], total: 1, limit: 50, offset: 0 });

export const stats = {
  questions: { today: 40, last_7_days: 310, last_30_days: 1200, all: 5400 },
  by_day: [{ date: '2026-11-21', questions: 40, errors: 0, unanswered: 3 }],
  by_corpus: { krk_2026: 5000, reestr_texts: 400 },
  by_mode: { exact: 1500, ordinary: 3300, no_answer: 600 },
  by_lang: { en: 400, kk: 1500, ru: 3500 },
  by_channel: { http: 2400, stream: 3000 },
  error_rate: 0.001,
  cache_hit_rate: 0.08,
  abstention_rate: 0.11,
  latency_ms: { p50: 45, p95: 180, p99: 420 },
  ratings: { up: 210, down: 30 },
  most_asked: [question],
  unanswered: [{ ...question, query: 'Who won the match?', count: 2 }],
  documents: 36,
  chunks: 412,
  embeddings: coverage,
  active_keys: 3,
};

export const queries = listOf({
  request_id,
  asked_at: time,
  channel: 'http',
  corpus_id: 'krk_2026',
  query: question.query,
  answer: 'Everyone may assemble peacefully and unarmed.',
  mode: 'exact',
  lang: 'en',
  style: null,
  source_refs: ['norm/constitution-en#17'],
  latency_ms: 41,
  key_id: null,
  error: null,
  cached: false,
  model: null,
  rating: 'up',
  comment: null,
});

const document = {
  doc_id: 7,
  doc_key: 'norm/constitution-en',
  corpus_id: 'krk_2026',
  title: 'Constitution',
  lang: 'en',
  layer: 'norm',
  status: 'published',
  revision: 1,
  content_hash: '5f8c0b1e0a9d4c7e8b6a3f2d1c0e9b8a7f6e5d4c3b2a19080706050403020100',
  chunk_count: 96,
  embedded_count: 96,
  url: null,
  source_url: null,
  event_date: null,
  updated_at: earlier,
};
export const documents = listOf(document);
export const withdrawn = { ...document, status: 'withdrawn', chunk_count: 0, embedded_count: 0 };

export const chunks = listOf({
  chunk_index: '23',
  ref: 'norm/constitution-en#17',
  heading: 'Article 23',
  text: 'Everyone may assemble peacefully and unarmed.',
  lang: 'en',
  start: 10_240,
  end: 10_285,
  embedded: true,
});

export const uploadResult = {
  corpus_id: 'krk_2026',
  added: 1,
  revised: 0,
  unchanged: 0,
  chunks: 96,
  skipped: [],
  documents: [document],
};

export const prompt = {
  version: 3,
  content: 'Answer from the passages alone, briefly, in the language of the question.',
  changed_at: earlier,
  changed_by: 'olga',
};

export const config = {
  HOST: '127.0.0.1',
  PORT: 8080,
  DOCENT_DEFAULT_CORPUS: 'krk_2026',
  DOCENT_PUBLIC: 'open',
};

export const backfill = {
  job_id,
  status: 'queued',
  doc_key: null,
  batch_size: 50,
  embedder: 'offline-grams-1',
  total_chunks: 412,
  embedded_chunks: 400,
  requested_at: time,
  requested_by: 'olga',
  finished_at: null,
  error: null,
};
export const backfillConflict = { detail: 'A backfill is under way over the same documents.', job_id };

export const embeddingStatus = {
  ...coverage,
  embedder: { name: 'offline-grams-1', dimension: 256, deterministic: true },
  corpora: [{ corpus_id: 'krk_2026', ...coverage }],
  jobs: [backfill],
};

export const createApiKey = {
  name: 'Portal',
  owner_email: 'portal@example.org',
  corpus_ids: ['krk_2026'],
  rate_limit_rpm: 60,
  rate_limit_rph: 1000,
};
const apiKey = {
  key_id: 4,
  ...createApiKey,
  prefix: 'dk_Zx8Qw1p',
  created_at: earlier,
  created_by: 'olga',
  revoked_at: null,
  revoked_by: null,
  last_used_at: time,
  request_count: 128,
};
export const apiKeys = listOf(apiKey);
export const revokedApiKey = { ...apiKey, revoked_at: time, revoked_by: 'olga' };
export const createdApiKey = {
  ...apiKey,
  last_used_at: null,
  request_count: 0,
  key: 'dk_Zx8Qw1pF6m0uR3yT7kV2nB5cL9hJ4gD8sA1eXo-_iWqY',
};

const corpus = {
  corpus_id: 'krk_2026',
  title: { ru: 'Конституция', en: 'Constitution' },
  description: null,
  languages: ['ru', 'kk', 'en'],
  styles: [],
  layers: [{ name: 'norm', title: null, kind: 'text', visibility: 'public' }],
  is_active: true,
  is_default: true,
  document_count: 36,
  chunk_count: 412,
  embedded_chunks: 400,
  embedding_coverage: 0.9708,
  question_count: 5000,
  created_at: earlier,
  updated_at: time,
};
export const corpora = listOf(corpus);
export const emptyCorpus = {
  ...corpus,
  corpus_id: 'handbook',
  title: 'Staff handbook',
  languages: ['en'],
  layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
  is_default: false,
  document_count: 0,
  chunk_count: 0,
  embedded_chunks: 0,
  embedding_coverage: 1,
  question_count: 0,
};

export const auditLog = listOf({
  entry_id: '019aa1c2-8a00-7b11-9d22-1e33f4a5b6c7',
  occurred_at: earlier,
  actor: 'olga',
  action: 'api_key.create',
  target: '4',
  detail: {
    name: 'Portal',
    prefix: 'dk_Zx8Qw1p',
    corpus_ids: ['krk_2026'],
    rate_limit_rpm: 60,
    rate_limit_rph: 1000,
  },
  request_id,
  position: '0000000000000042',
});

export const faqPair = {
  corpus_id: 'krk_2026',
  question: 'When does the Constitution come into force?',
  answer: 'On 1 July 2026.',
};
export const faqEntry = {
  entry_id: 3,
  ...faqPair,
  lang: 'en',
  origin: 'curated',
  source_refs: [],
  hits: 17,
  last_hit_at: time,
  created_at: earlier,
};
export const faqList = listOf(faqEntry);
