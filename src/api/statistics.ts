/** The figures of the dashboard. */
import { type Static, Type } from 'typebox';
import { Coverage } from './embeddings.ts';
import * as sample from './sample.ts';
import { asOf, Count, Counts, exampleOf, filter, orNull, record, Share, Time } from './schema.ts';

export const AskedOften = record(
  'AskedOften',
  { query: Type.String(), corpus_id: Type.String(), count: Count, last_asked_at: Time },
  {
    example: { query: sample.question, corpus_id: 'krk_2026', count: 12, last_asked_at: sample.now },
  },
);
export type AskedOften = Static<typeof AskedOften>;

export const StatsQuery = Type.Object({
  ...asOf,
  from: filter('Only figures from this day on (YYYY-MM-DD, UTC); absent: 30 days up to `to`.'),
  to: filter('Only figures up to this day, with it; absent: today. A range has at most 366 days.'),
});

export const Stats = record(
  'Stats',
  {
    range: orNull(
      Type.Object(
        { from: Type.String(), to: Type.String(), questions: Count },
        {
          description: 'The days covered, and the number of questions asked in them; null: all.',
        },
      ),
    ),
    questions: Type.Object({ today: Count, last_7_days: Count, last_30_days: Count, all: Count }),
    by_day: Type.Array(
      Type.Object({ date: Type.String(), questions: Count, errors: Count, unanswered: Count }),
      {
        description:
          'The days of the range (UTC), else the last 30, the oldest first; also those without a question.',
      },
    ),
    by_corpus: Counts('Questions by corpus.'),
    by_mode: Counts('Questions by mode.'),
    by_lang: Counts('Questions by language.'),
    by_channel: Counts('Questions by channel.'),
    error_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Of all that have ended.' }),
    cache_hit_rate: Share,
    abstention_rate: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Of those that were answered, or refused for lack of evidence.',
    }),
    latency_ms: Type.Object({
      p50: orNull(Type.Integer()),
      p95: orNull(Type.Integer()),
      p99: orNull(Type.Integer()),
    }),
    ratings: Type.Object({ up: Type.Integer(), down: Type.Integer() }),
    models: Type.Object(
      {
        ...{ chats: Count, embeds: Count, reranks: Count },
        ...{ input_tokens: Count, output_tokens: Count, embed_tokens: Count, search_units: Count },
        cost_usd: Type.Number({ minimum: 0, description: 'At the prices configured at the time.' }),
      },
      {
        description: 'Calls of language models and their cost, including ingestion and backfills.',
      },
    ),
    most_asked: Type.Array(AskedOften),
    unanswered: Type.Array(AskedOften, {
      description: 'From the latest unanswered questions, most frequent first.',
    }),
    documents: Count,
    chunks: Count,
    embeddings: Coverage,
    active_keys: Count,
  },
  {
    example: {
      range: null,
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
      models: {
        ...{ chats: 2400, embeds: 2600, reranks: 2500, input_tokens: 6_200_000, output_tokens: 290_000 },
        ...{ embed_tokens: 1_400_000, search_units: 2500, cost_usd: 23.57 },
      },
      most_asked: [exampleOf(AskedOften)],
      unanswered: [{ ...(exampleOf(AskedOften) as AskedOften), query: 'Who won the match?', count: 2 }],
      documents: 36,
      chunks: 412,
      embeddings: exampleOf(Coverage),
      active_keys: 3,
    },
  },
);
export type Stats = Static<typeof Stats>;
