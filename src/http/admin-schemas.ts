/** The administration part as TypeBox schemas, checked and documented as those of the public part are. */
import { type Static, type TSchema, Type } from 'typebox';
import { channels, languages, styles } from '../domain/events.ts';

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const page = (max: number, usual = 50) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, default: usual, description: 'How many at most.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'How many to leave out first.' }),
  ),
});
const filter = (description: string) => Type.Optional(Type.String({ description }));

export const QueryLogQuery = Type.Object({
  ...page(500),
  mode: filter('Only answers of this mode.'),
  lang: filter('Only questions in this language.'),
  has_error: Type.Optional(
    Type.Boolean({ description: 'Only questions that ended, or did not end, in an error.' }),
  ),
  search: filter('Words that stand in question or answer, by stem.'),
  corpus_id: filter('Only questions to this corpus.'),
});

/** Lists that were whole before they had pages: a page that is not asked for is as large as one may be. */
const wholePage = page(500, 500);

export const DocumentsQuery = Type.Object({
  ...wholePage,
  corpus_id: filter('Only documents of this corpus.'),
});
export const FaqQuery = Type.Object(wholePage);
export const CorporaQuery = Type.Object(wholePage);
export const ApiKeysQuery = Type.Object(wholePage);

export const DocIdPath = Type.Object({ doc_id: Type.Integer() });
export const ChunksQuery = Type.Object(page(200));

export const BackfillQuery = Type.Object({
  doc_key: filter('Only documents of this key, in every corpus; absent: all documents.'),
  batch_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Chunks at a time.' }),
  ),
});

export const KeyIdPath = Type.Object({ key_id: Type.Integer() });

export const AuditLogQuery = Type.Object({ ...page(500), action: filter('Only entries of this action.') });

export const CreateApiKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What the key is for.' }),
    owner_email: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
    corpus_ids: Type.Optional(
      Type.Array(Type.String(), {
        default: [],
        description: 'Corpora the key is scoped to; empty: every active one.',
      }),
    ),
    rate_limit_rpm: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 30, description: 'Requests a minute.' }),
    ),
    rate_limit_rph: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 300, description: 'Requests an hour.' }),
    ),
  },
  { $id: 'CreateApiKeyRequest' },
);
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

export const JobIdPath = Type.Object({ job_id: Type.String() });
export const CorpusIdPath = Type.Object({ corpus_id: Type.String() });
export const EntryIdPath = Type.Object({ entry_id: Type.Integer() });

export const SystemPromptRequest = Type.Object(
  { content: Type.String({ minLength: 1, maxLength: 20_000, description: 'The new text of the prompt.' }) },
  { $id: 'SystemPromptRequest' },
);

const Lang = Type.Enum([...languages]);
const LayerSettings = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    title: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    kind: Type.Optional(
      Type.Enum(['text', 'faq', 'superseded'], {
        default: 'text',
        description: 'faq: question–answer pairs; superseded: no longer in force.',
      }),
    ),
    visibility: Type.Optional(
      Type.Enum(['public', 'restricted'], {
        default: 'public',
        description: 'restricted: never retrieved, still listed for administrators.',
      }),
    ),
  },
  { $id: 'LayerSettings' },
);
const corpusSettings = {
  description: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
  languages: Type.Optional(Type.Array(Lang, { maxItems: 3 })),
  styles: Type.Optional(Type.Array(Type.Enum([...styles]), { maxItems: 4 })),
  layers: Type.Optional(
    Type.Array(LayerSettings, { maxItems: 50, description: 'In the order of their rank, the first leads.' }),
  ),
};
export const CreateCorpusRequest = Type.Object(
  {
    corpus_id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', examples: ['handbook'] }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    ...corpusSettings,
  },
  { $id: 'CreateCorpusRequest' },
);
export const ChangeCorpusRequest = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    ...corpusSettings,
    is_active: Type.Optional(Type.Boolean({ description: 'Whether questions to it are answered.' })),
  },
  { $id: 'ChangeCorpusRequest', description: 'What is named is changed, the rest stays.' },
);

export const FaqPairRequest = Type.Object(
  {
    corpus_id: Type.String({ maxLength: 100 }),
    question: Type.String({ minLength: 1, maxLength: 2000, 'x-not-blank': true }),
    answer: Type.String({ minLength: 1, maxLength: 20_000, 'x-not-blank': true }),
  },
  { $id: 'FaqPairRequest' },
);

/** The fields of an upload besides the file itself; checked as a JSON body is. */
export const UploadFields = Type.Object({
  corpus_id: Type.String({ maxLength: 100 }),
  layer: Type.Optional(Type.String({ description: "Absent: the corpus' first layer." })),
  doc_key: Type.Optional(Type.String({ maxLength: 500, description: "Absent: the file's name." })),
  title: Type.Optional(Type.String({ maxLength: 500 })),
  lang: Type.Optional(Lang),
  url: Type.Optional(Type.String({ maxLength: 2000 })),
  source_url: Type.Optional(Type.String({ maxLength: 2000 })),
  event_date: Type.Optional(Type.String({ description: 'YYYY, YYYY-MM or YYYY-MM-DD.' })),
});
export const UploadForm = Type.Object(
  { ...UploadFields.properties, file: Type.String({ contentMediaType: 'application/octet-stream' }) },
  { $id: 'UploadForm', description: 'What front matter in the file says wins over these fields.' },
);

// Replies.

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const nullable = Type.Union([Type.String(), Type.Null()]);
const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), total: Count, limit: Count, offset: Count });
const counts = (description: string) => Type.Record(Type.String(), Count, { description });

const AskedOften = Type.Object(
  { query: Type.String(), corpus_id: Type.String(), count: Count, last_asked_at: Time },
  { $id: 'AskedOften' },
);
const Coverage = Type.Object(
  { total_chunks: Count, embedded_chunks: Count, coverage: Share },
  { $id: 'Coverage', description: 'Visible chunks, and those of them that have a vector.' },
);
export const Stats = Type.Object(
  {
    questions: Type.Object({ today: Count, last_7_days: Count, last_30_days: Count, all: Count }),
    by_day: Type.Array(
      Type.Object({ date: Type.String(), questions: Count, errors: Count, unanswered: Count }),
      { description: 'The last 30 days (UTC), the oldest first.' },
    ),
    by_corpus: counts('Questions by corpus.'),
    by_mode: counts('Questions by mode.'),
    by_lang: counts('Questions by language.'),
    by_channel: counts('Questions by channel.'),
    error_rate: Share,
    cache_hit_rate: Share,
    abstention_rate: Share,
    latency_ms: Type.Object({
      p50: orNull(Type.Integer()),
      p95: orNull(Type.Integer()),
      p99: orNull(Type.Integer()),
    }),
    ratings: Type.Object({ up: Type.Integer(), down: Type.Integer() }),
    most_asked: Type.Array(AskedOften),
    unanswered: Type.Array(AskedOften, {
      description: 'Among the latest without an answer, most asked first.',
    }),
    documents: Count,
    chunks: Count,
    embeddings: Coverage,
    active_keys: Count,
  },
  { $id: 'Stats' },
);

const QueryLogEntry = Type.Object(
  {
    request_id: Type.String(),
    asked_at: Time,
    channel: Type.Enum([...channels]),
    corpus_id: Type.String(),
    query: Type.String(),
    answer: nullable,
    mode: nullable,
    lang: nullable,
    style: nullable,
    source_refs: Type.Array(Type.String()),
    latency_ms: orNull(Type.Integer()),
    key_id: orNull(Type.Integer()),
    error: nullable,
    cached: Type.Boolean(),
    model: nullable,
    rating: orNull(Type.Enum(['up', 'down'])),
    comment: nullable,
  },
  { $id: 'QueryLogEntry', description: 'While a question is being answered, what is not known yet is null.' },
);
export const QueryLog = listOf(QueryLogEntry);

export const DocumentSummary = Type.Object(
  {
    doc_id: Type.Integer(),
    doc_key: Type.String(),
    corpus_id: Type.String(),
    title: nullable,
    lang: nullable,
    layer: nullable,
    status: Type.Enum(['ingesting', 'published', 'withdrawn']),
    revision: orNull(Type.Integer()),
    content_hash: nullable,
    chunk_count: Count,
    embedded_count: Count,
    url: nullable,
    source_url: nullable,
    event_date: nullable,
    updated_at: orNull(Time),
  },
  { $id: 'Document' },
);
export const DocumentList = listOf(DocumentSummary);

const ChunkEntry = Type.Object(
  {
    chunk_index: Type.String(),
    ref: Type.String(),
    heading: Type.String(),
    text: Type.String(),
    lang: Lang,
    start: Type.Integer({ description: "UTF-16 offset into the revision's text." }),
    end: Type.Integer({ description: 'UTF-16 offset behind the chunk.' }),
    embedded: Type.Boolean(),
  },
  { $id: 'Chunk' },
);
export const ChunkList = listOf(ChunkEntry);

export const UploadResult = Type.Object(
  {
    corpus_id: Type.String(),
    added: Count,
    revised: Count,
    unchanged: Count,
    chunks: Count,
    skipped: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })),
    documents: Type.Array(DocumentSummary),
  },
  { $id: 'UploadResult' },
);

export const FaqEntry = Type.Object(
  {
    entry_id: Type.Integer(),
    corpus_id: Type.String(),
    question: Type.String(),
    answer: Type.String(),
    lang: Lang,
    origin: Type.Enum(['layer', 'curated', 'repeated']),
    source_refs: Type.Array(Type.String()),
    hits: Count,
    last_hit_at: orNull(Time),
    created_at: Time,
  },
  { $id: 'FaqEntry' },
);
export const FaqList = listOf(FaqEntry);

export const SystemPrompt = Type.Object(
  {
    version: Type.Integer({ description: '0: the one the service comes with.' }),
    content: Type.String(),
    changed_at: orNull(Time),
    changed_by: nullable,
  },
  { $id: 'SystemPrompt' },
);

export const ShownConfig = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'ShownConfig',
  description: 'Values by variable; secrets and addresses that may hold one are not among them.',
});

export const Backfill = Type.Object(
  {
    job_id: Type.String(),
    status: Type.Enum(['queued', 'running', 'completed', 'failed']),
    doc_key: nullable,
    batch_size: Type.Integer(),
    embedder: Type.String(),
    total_chunks: Count,
    embedded_chunks: Count,
    requested_at: Time,
    requested_by: Type.String(),
    finished_at: orNull(Time),
    error: nullable,
  },
  { $id: 'Backfill' },
);
export const BackfillConflict = Type.Object(
  { detail: Type.String(), job_id: Type.String() },
  { $id: 'BackfillConflict' },
);
export const EmbeddingStatus = Type.Object(
  {
    ...Coverage.properties,
    embedder: orNull(
      Type.Object({ name: Type.String(), dimension: Type.Integer(), deterministic: Type.Boolean() }),
    ),
    corpora: Type.Array(Type.Object({ corpus_id: Type.String(), ...Coverage.properties })),
    jobs: Type.Array(Backfill, { description: 'The latest backfills, newest first.' }),
  },
  { $id: 'EmbeddingStatus' },
);

const apiKey = {
  key_id: Type.Integer(),
  name: Type.String(),
  owner_email: nullable,
  prefix: Type.String(),
  corpus_ids: Type.Array(Type.String()),
  rate_limit_rpm: Type.Integer(),
  rate_limit_rph: Type.Integer(),
  created_at: Time,
  created_by: Type.String(),
  revoked_at: orNull(Time),
  revoked_by: nullable,
  last_used_at: orNull(Time),
  request_count: Count,
};
export const ApiKeyEntry = Type.Object(apiKey, { $id: 'ApiKey' });
export const ApiKeyList = listOf(ApiKeyEntry);
export const CreatedApiKey = Type.Object(
  { ...apiKey, key: Type.String({ description: 'The key itself, told this once.' }) },
  { $id: 'CreatedApiKey' },
);

const Localized = Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]);
export const AdminCorpus = Type.Object(
  {
    corpus_id: Type.String(),
    title: Localized,
    description: Type.Union([Localized, Type.Null()]),
    languages: Type.Array(Lang),
    styles: Type.Array(Type.String()),
    layers: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.Union([Localized, Type.Null()]),
        kind: Type.String(),
        visibility: Type.String(),
      }),
    ),
    is_active: Type.Boolean(),
    is_default: Type.Boolean(),
    document_count: Count,
    chunk_count: Count,
    embedded_chunks: Count,
    embedding_coverage: Share,
    question_count: Count,
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'AdminCorpus' },
);
export const AdminCorpusList = listOf(AdminCorpus);

const AuditLogEntry = Type.Object(
  {
    entry_id: Type.String(),
    occurred_at: Time,
    actor: Type.String({ description: "The administrator's name; else system, public or key:<id>." }),
    action: Type.String({ examples: ['api_key.create'] }),
    target: Type.String(),
    detail: Type.Record(Type.String(), Type.Unknown()),
    request_id: Type.String(),
    position: Type.String({ description: 'Place in the history; opaque.' }),
  },
  { $id: 'AuditLogEntry' },
);
export const AuditLog = listOf(AuditLogEntry);
