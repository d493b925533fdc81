/**
 * The public contract as TypeBox schemas: requests are checked and the OpenAPI document is written from them.
 * A schema with an `$id` is a component of that name in the document.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { languages, modes, styles } from '../domain/events.ts';

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const corpusId = orNull(
  Type.String({
    maxLength: 100,
    description: 'Identifier of an active corpus; absent: the default corpus, or the only one there is.',
    examples: ['krk_2026'],
  }),
);

export const HistoryMessage = Type.Object(
  {
    role: Type.Enum(['user', 'assistant'], { description: 'Who spoke.' }),
    content: Type.String({ maxLength: 4000, description: 'What was said.' }),
  },
  { $id: 'HistoryMessage', description: 'An earlier turn of the conversation.' },
);

export const AskRequest = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 2000,
      'x-not-blank': true,
      description: 'The question; not only blanks.',
      examples: ['Что говорит статья 23?'],
    }),
    style: Type.Optional(
      orNull(
        Type.String({
          pattern: `^(${styles.join('|')})$`,
          description: 'Shapes answers of a corpus that declares styles.',
        }),
      ),
    ),
    corpus_id: Type.Optional(corpusId),
    history: Type.Optional(
      Type.Array(HistoryMessage, { maxItems: 20, default: [], description: 'Earlier turns, oldest first.' }),
    ),
  },
  { $id: 'AskRequest' },
);
export type AskRequest = Static<typeof AskRequest>;

export const SourceRefsRequest = Type.Object(
  {
    query: Type.Optional(
      orNull(Type.String({ maxLength: 2000, description: 'The question; wins over `question`.' })),
    ),
    question: Type.Optional(
      orNull(Type.String({ maxLength: 2000, description: 'The question where `query` is absent or blank.' })),
    ),
    corpus_id: Type.Optional(corpusId),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'How many sources at most.' }),
    ),
  },
  { $id: 'SourceRefsRequest', 'x-first-of': ['query', 'question'] },
);
export type SourceRefsRequest = Static<typeof SourceRefsRequest>;

export const RequestIdPath = Type.Object({
  request_id: Type.String({ description: 'As given in `meta` and in the header `x-request-id`.' }),
});

export const RatingRequest = Type.Object(
  {
    rating: Type.Enum(['up', 'down']),
    comment: Type.Optional(orNull(Type.String({ maxLength: 1000, description: 'Why, in own words.' }))),
  },
  { $id: 'RatingRequest' },
);
export const RatingResponse = Type.Object(
  { request_id: Type.String(), rating: Type.Enum(['up', 'down']), comment: orNull(Type.String()) },
  { $id: 'RatingResponse' },
);

const Mode = Type.Enum([...modes], {
  $id: 'Mode',
  description:
    'exact: a numbered provision was asked for; faq: answered from the FAQ cache; meta: about the assistant; ' +
    'no_answer: no evidence was found and none is claimed.',
});
const Lang = Type.Enum([...languages], {
  $id: 'Lang',
  description: 'ISO 639-1 code of the language of the question.',
});
const RequestId = Type.String({
  description: 'Also in the header `x-request-id`.',
  examples: ['019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d'],
});
const nullableText = (description: string) => Type.Optional(orNull(Type.String({ description })));

export const SourceRef = Type.Object(
  {
    ref: Type.String({ description: '`<doc_key>#<chunk_index>`.', examples: ['norm/constitution-ru#17'] }),
    doc_key: Type.String(),
    heading: Type.String(),
    chunk_index: Type.String({ description: 'A structural number ("23", "42.2") or a counter ("007").' }),
    url: nullableText(
      "Where the document can be opened: its own address, else `page_url`. Resolve it against the service's.",
    ),
    title: nullableText('Title of the document.'),
    event_date: nullableText('Date of what the document records: YYYY, YYYY-MM or YYYY-MM-DD.'),
    source_url: nullableText('Where the original was published.'),
    layer: Type.Optional(Type.String({ description: 'Layer of the corpus the document belongs to.' })),
    layer_title: Type.Optional(Type.String({ description: "The layer's title, where it has one." })),
    lang: Type.Optional(Type.String({ description: 'Language of the passage.' })),
    revision: Type.Optional(
      Type.Integer({ description: "The document's revision the passage was taken from." }),
    ),
    page_url: Type.Optional(
      Type.String({
        description: "The service's own page of the passage, with what is quoted of it marked.",
      }),
    ),
  },
  { $id: 'SourceRef' },
);

const Citation = Type.Object(
  {
    start: Type.Integer({ description: 'UTF-16 offset into the answer where the cited statement begins.' }),
    end: Type.Integer({ description: 'UTF-16 offset behind the cited statement.' }),
    ref: Type.String(),
    quote: Type.String({ description: 'Stands word for word in the revision named.' }),
    source_start: Type.Optional(
      Type.Integer({ description: "UTF-16 offset of the quote into that revision's text." }),
    ),
    revision: Type.Integer(),
    content_hash: Type.Optional(Type.String({ description: 'SHA-256 of that revision.' })),
  },
  { $id: 'Citation' },
);

const SourceRefs = Type.Array(Type.String(), { description: 'The refs, in the order of `sources`.' });
const Sources = Type.Array(SourceRef);

export const AskResponse = Type.Object(
  {
    request_id: RequestId,
    query: Type.String(),
    mode: Mode,
    lang: Lang,
    answer: Type.String(),
    latency_ms: Type.Integer(),
    source_refs: Type.Optional(SourceRefs),
    sources: Type.Optional(Sources),
    citations: Type.Optional(Type.Array(Citation)),
  },
  { $id: 'AskResponse' },
);
export type AskResponse = Static<typeof AskResponse>;

export const SourceRefsResponse = Type.Object(
  {
    request_id: RequestId,
    query: Type.String(),
    mode: Mode,
    lang: Lang,
    latency_ms: Type.Integer(),
    citation_count: Type.Integer({ description: 'Length of `source_refs`.' }),
    raw_text_included: Type.Boolean({ description: 'Always false: no text of a passage is given here.' }),
    source_refs: SourceRefs,
    sources: Sources,
  },
  { $id: 'SourceRefsResponse' },
);

export const Corpus = Type.Object(
  {
    corpus_id: Type.String(),
    title: Type.String(),
    description: orNull(Type.String()),
    languages: Type.Array(Lang),
    styles: Type.Array(Type.String()),
    is_default: Type.Boolean(),
    document_count: Type.Integer(),
    chunk_count: Type.Integer(),
    updated_at: orNull(Type.String({ format: 'date-time' })),
  },
  { $id: 'Corpus' },
);
export const CorpusList = Type.Array(Corpus);

const ComponentState = Type.Enum(['ok', 'degraded', 'down']);

export const Health = Type.Object(
  {
    status: ComponentState,
    version: Type.String(),
    uptime_s: Type.Number(),
    components: Type.Object({
      event_log: ComponentState,
      read_models: ComponentState,
      models: ComponentState,
    }),
    projections: Type.Record(
      Type.String(),
      Type.Object({
        position: orNull(Type.String({ description: 'Opaque.' })),
        lag_ms: Type.Number(),
        lag_events: orNull(Type.Integer()),
      }),
    ),
  },
  { $id: 'Health' },
);

export const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    msg: Type.String(),
    type: Type.String(),
    input: Type.Optional(Type.Unknown()),
    ctx: Type.Optional(Type.Object({})),
  },
  { $id: 'ValidationError' },
);
export const HTTPValidationError = Type.Object(
  { detail: Type.Optional(Type.Array(ValidationError)) },
  { $id: 'HTTPValidationError' },
);
export const ErrorResponse = Type.Object(
  { detail: Type.String({ description: 'One sentence for people.' }) },
  { $id: 'ErrorResponse', description: 'Every error but 422.' },
);
