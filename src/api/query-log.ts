/** The query log: questions, who asked them, and their outcomes. */
import { type Static, Type } from 'typebox';
import { channels } from '../domain/events.ts';
import * as sample from './sample.ts';
import {
  asOf,
  Count,
  filter,
  format,
  Lang,
  listOf,
  Mode,
  NullableText,
  orNull,
  page,
  record,
  Time,
  timeRange,
} from './schema.ts';

export const QueryLogQuery = Type.Object({
  ...asOf,
  ...page(500),
  mode: filter('Only answers of this mode.'),
  lang: filter('Only questions in this language.'),
  has_error: Type.Optional(
    Type.Boolean({ description: 'true: only questions that ended in an error; false: only others.' }),
  ),
  search: filter('Words in the question or the answer, compared by stem.'),
  corpus_id: filter('Only questions to this corpus.'),
  channel: filter('Only questions asked through this channel.'),
  rating: filter('Only answers with this rating.'),
  key_id: Type.Optional(Type.Integer({ description: 'Only questions asked with this key.' })),
  ...timeRange,
  ...format,
});

export const UnansweredQuery = Type.Object({
  ...asOf,
  ...page(500),
  lang: filter('Only questions in this language.'),
  corpus_id: filter('Only questions to this corpus.'),
  ...timeRange,
  ...format,
});

export const Unanswered = record(
  'Unanswered',
  {
    query: Type.String({ description: 'The latest wording.' }),
    corpus_id: Type.String(),
    lang: orNull(Lang),
    count: Count,
    first_asked_at: Time,
    last_asked_at: Time,
    last_request_id: Type.String(),
  },
  {
    description: 'Questions with the same words, ignoring case and punctuation, that have not been answered.',
    example: {
      query: 'Who won the match?',
      corpus_id: 'krk_2026',
      lang: 'en',
      count: 4,
      first_asked_at: sample.earlier,
      last_asked_at: sample.now,
      last_request_id: sample.requestId,
    },
  },
);
export type Unanswered = Static<typeof Unanswered>;
export const UnansweredList = listOf(Unanswered);

export const QueryLogEntry = record(
  'QueryLogEntry',
  {
    request_id: Type.String(),
    asked_at: Time,
    channel: Type.Enum([...channels]),
    corpus_id: Type.String(),
    query: Type.String(),
    answer: NullableText,
    mode: orNull(Mode),
    lang: orNull(Lang),
    style: NullableText,
    source_refs: Type.Array(Type.String()),
    latency_ms: orNull(Type.Integer()),
    key_id: orNull(Type.Integer()),
    subject: Type.String({
      description: 'Who asked, as an opaque name; used to erase what that person said.',
    }),
    forgotten: Type.Boolean({ description: 'Question and answer were erased and are blank.' }),
    error: NullableText,
    cached: Type.Boolean(),
    model: NullableText,
    rating: orNull(Type.Enum(['up', 'down'])),
    comment: NullableText,
  },
  {
    description: 'While a question is being answered, what is not known yet is null.',
    example: {
      request_id: sample.requestId,
      asked_at: sample.now,
      channel: 'http',
      corpus_id: 'krk_2026',
      query: sample.question,
      answer: sample.answer,
      mode: 'exact',
      lang: 'en',
      style: null,
      source_refs: ['norm/constitution-en#17'],
      latency_ms: 41,
      key_id: null,
      subject: 'q8KYpNz3vW0rJ5bLh2XtUg',
      forgotten: false,
      error: null,
      cached: false,
      model: null,
      rating: 'up',
      comment: null,
    },
  },
);
export type QueryLogEntry = Static<typeof QueryLogEntry>;
export const QueryLog = listOf(QueryLogEntry);
