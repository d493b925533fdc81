/** Schemas of questions, answers and sources. */
import { type Static, Type } from 'typebox';
import { questionMax, styles } from '../domain/events.ts';
import { AsOf, exampleOf, Lang, Mode, NullableText, orNull, record, sample } from '../schema.ts';

const { request_id, answer, query } = sample;

const corpusId = orNull(
  Type.String({
    maxLength: 100,
    description: 'Identifier of an active corpus. Default: the default corpus.',
    examples: ['krk_2026'],
  }),
);

const HistoryMessage = record(
  'HistoryMessage',
  {
    role: Type.Enum(['user', 'assistant'], { description: 'Who spoke.' }),
    content: Type.String({ maxLength: 4000, description: 'The text of the turn.' }),
  },
  {
    description: 'An earlier turn of the conversation.',
    example: { role: 'user', content: 'May we hold a meeting in the square?' },
  },
);

export const AskRequest = record(
  'AskRequest',
  {
    query: Type.String({
      minLength: 1,
      maxLength: questionMax,
      'x-not-blank': true,
      description: 'The question; must not be blank.',
      examples: ['Что говорит статья 17?'],
    }),
    style: Type.Optional(
      orNull(
        Type.String({
          pattern: `^(${styles.join('|')})$`,
          description: 'Style of the answer; the corpus must declare it.',
        }),
      ),
    ),
    corpus_id: Type.Optional(corpusId),
    history: Type.Optional(
      Type.Array(HistoryMessage, { maxItems: 20, default: [], description: 'Earlier turns, oldest first.' }),
    ),
  },
  {
    example: {
      query,
      corpus_id: 'krk_2026',
      style: null,
      history: [
        { role: 'user', content: 'May we hold a meeting in the square?' },
        { role: 'assistant', content: 'Meetings are covered by article 17.' },
      ],
    },
  },
);
export type AskRequest = Static<typeof AskRequest>;

export const SourceRefsRequest = record(
  'SourceRefsRequest',
  {
    query: Type.Optional(
      orNull(
        Type.String({
          maxLength: questionMax,
          description: 'The question; takes precedence over `question`.',
        }),
      ),
    ),
    question: Type.Optional(
      orNull(
        Type.String({ maxLength: questionMax, description: 'The question if `query` is absent or blank.' }),
      ),
    ),
    corpus_id: Type.Optional(corpusId),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 5,
        description: 'Maximum number of sources. Default: 5.',
      }),
    ),
    as_of: Type.Optional(orNull(AsOf)),
  },
  { 'x-first-of': ['query', 'question'], example: { query: 'freedom of assembly', limit: 3 } },
);

export const RequestIdPath = Type.Object({
  request_id: Type.String({ description: 'The value sent in `meta` and in the `x-request-id` header.' }),
});

export const RatingRequest = record(
  'RatingRequest',
  {
    rating: Type.Enum(['up', 'down']),
    comment: Type.Optional(
      orNull(Type.String({ maxLength: 1000, description: 'The reason, as free text.' })),
    ),
  },
  { example: { rating: 'down', comment: 'It is about another article.' } },
);
export const RatingResponse = record(
  'RatingResponse',
  { request_id: Type.String(), rating: Type.Enum(['up', 'down']), comment: NullableText },
  { example: { request_id, rating: 'down', comment: 'It is about another article.' } },
);

const RequestId = Type.String({
  description: 'Also sent in the `x-request-id` header.',
  examples: [request_id],
});
const nullableText = (description: string) => Type.Optional(orNull(Type.String({ description })));

const SourceRef = record(
  'SourceRef',
  {
    ref: Type.String({ description: '`<doc_key>#<chunk_index>`.' }),
    doc_key: Type.String(),
    heading: Type.String(),
    chunk_index: Type.String({ description: 'A structural number ("23", "42.2") or a counter ("007").' }),
    url: Type.Optional(
      nullableText(
        "Address of the document: its own if it has one, otherwise `page_url`. Resolve it against the service's address.",
      ),
    ),
    title: Type.Optional(nullableText('Title of the document.')),
    event_date: Type.Optional(
      nullableText('Date of the event that the document records: YYYY, YYYY-MM or YYYY-MM-DD.'),
    ),
    source_url: Type.Optional(nullableText('Address of the original publication.')),
    layer: Type.Optional(Type.String({ description: 'The layer of the document.' })),
    layer_title: Type.Optional(Type.String({ description: "The layer's title, if it has one." })),
    lang: Type.Optional(Type.String({ description: 'Language of the passage.' })),
    revision: Type.Optional(
      Type.Integer({ description: 'The document revision that contains the passage.' }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The quoted page; absent if the document has no pages.' }),
    ),
    page_url: Type.Optional(
      Type.String({ description: "The service's page for the passage, with the quotation marked." }),
    ),
  },
  {
    example: {
      ref: sample.ref,
      doc_key: sample.doc_key,
      heading: sample.heading,
      chunk_index: sample.chunk_index,
      url: sample.page_url,
      title: sample.title,
      event_date: null,
      source_url: null,
      layer: sample.layer,
      lang: sample.lang,
      revision: sample.revision,
      page_url: sample.page_url,
    },
  },
);
const source = exampleOf(SourceRef) as { ref: string };

const Citation = record(
  'Citation',
  {
    start: Type.Integer({ description: 'UTF-16 offset into the answer where the cited statement begins.' }),
    end: Type.Integer({ description: 'UTF-16 offset of the end of the cited statement (exclusive).' }),
    ref: Type.String(),
    quote: Type.String({ description: 'A verbatim quotation from that revision.' }),
    source_start: Type.Optional(
      Type.Integer({ description: "UTF-16 offset of the quote into that revision's text." }),
    ),
    revision: Type.Integer(),
    content_hash: Type.Optional(Type.String({ description: 'SHA-256 of that revision.' })),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The page on which the quote begins, in documents with pages.',
      }),
    ),
  },
  {
    example: {
      start: 0,
      end: answer.length,
      ref: sample.ref,
      quote: answer,
      source_start: sample.start,
      revision: sample.revision,
      content_hash: sample.content_hash,
    },
  },
);
const citation = exampleOf(Citation) as object;

const SourceRefs = Type.Array(Type.String(), { description: 'The refs, in the order of `sources`.' });
const Sources = Type.Array(SourceRef);

export const AskResponse = record(
  'AskResponse',
  {
    request_id: RequestId,
    query: Type.String(),
    mode: Mode,
    lang: Lang,
    answer: Type.String(),
    latency_ms: Type.Integer(),
    // Present in every answer. The published contract requires only the six fields above, so that older clients remain
    // valid.
    source_refs: Type.Optional(SourceRefs),
    sources: Type.Optional(Sources),
    citations: Type.Optional(Type.Array(Citation)),
    degraded: Type.Optional(
      Type.Boolean({
        description:
          'True if the model that should have written the answer failed or stopped early; otherwise absent.',
      }),
    ),
    unverified: Type.Optional(
      Type.Boolean({
        description:
          'True if a model wrote the answer and part of it had no second reading; otherwise absent.',
      }),
    ),
  },
  {
    example: {
      request_id,
      query,
      mode: 'exact',
      lang: 'en',
      answer,
      latency_ms: 42,
      source_refs: [source.ref],
      sources: [source],
      citations: [citation],
    },
  },
);
export type AskResponse = Static<typeof AskResponse>;

export const SourceRefsResponse = record(
  'SourceRefsResponse',
  {
    request_id: RequestId,
    query: Type.String(),
    mode: Mode,
    lang: Lang,
    latency_ms: Type.Integer(),
    citation_count: Type.Integer({ description: 'Length of `source_refs`.' }),
    raw_text_included: Type.Boolean({ description: 'True only with `as_of`.' }),
    source_refs: SourceRefs,
    sources: Sources,
    as_of: Type.Optional(
      Type.String({ description: 'The position in the history at which the sources were searched.' }),
    ),
    texts: Type.Optional(
      Type.Array(Type.String(), { description: 'With `as_of`: the passages, in the order of `sources`.' }),
    ),
  },
  {
    example: {
      request_id,
      query: 'freedom of assembly',
      mode: 'ordinary',
      lang: 'en',
      latency_ms: 9,
      citation_count: 1,
      raw_text_included: false,
      source_refs: [source.ref],
      sources: [source],
    },
  },
);

const event = (n: number, name: string, data: object): string =>
  `id: ${request_id}:${n}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export const EventStream = Type.String({
  examples: [
    [
      event(1, 'meta', { request_id, mode: 'exact', lang: 'en', corpus_id: 'krk_2026' }),
      event(2, 'sources', { source_refs: [source.ref], sources: [source] }),
      event(450_000, 'text', { text: answer }),
      event(450_001, 'citation', citation),
      event(2_000_000_000_000, 'done', {
        request_id,
        latency_ms: 42,
        answer,
        mode: 'exact',
        finish_reason: 'stop',
        cached: false,
      }),
    ].join(''),
  ],
});

export const streamText =
  'Events, each with one JSON object as data: `meta` {request_id, mode, lang, corpus_id}, `sources` {source_refs, sources}, ' +
  '`text` {text} many times, `citation` {start, end, ref, quote, source_start, revision, content_hash} after the cited text (UTF-16 ' +
  'offsets into the answer so far), possibly `replace` {answer, reason}, and exactly one of `done` {request_id, latency_ms, answer, mode, ' +
  'finish_reason, cached, degraded: true if a model should have written the answer but failed, unverified: true if a model wrote it and part of it had no second reading, private_file: true if it comes from a file sent in a chat} and `error` {request_id, code, detail, retryable}. While there are no events, ' +
  'a comment is sent every 15 s. Resume with the id of the last event received.';
