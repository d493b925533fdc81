/** The dossier of one ask, for auditors. */
import { type Static, Type } from 'typebox';
import { HistoryEvent } from './history.ts';
import * as sample from './sample.ts';
import { Count, exampleOf, NullableText, orNull, record, Time } from './schema.ts';

export const DossierQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'markdown', 'html'], {
      default: 'json',
      description: 'As a record, or to be printed.',
    }),
  ),
});

const Passage = Type.Object({
  ref: Type.String(),
  doc_id: Type.Integer(),
  revision: Type.Integer(),
  chunk_index: Type.String(),
  score: orNull(Type.Number()),
  shown: Type.Boolean({ description: 'Whether it was shown as a source.' }),
  title: NullableText,
  heading: NullableText,
  layer: NullableText,
  text: orNull(
    Type.String({ description: 'Text of that revision; null if it is no longer in the history.' }),
  ),
  content_hash: Type.String(),
  hash_holds: orNull(
    Type.Boolean({
      description: 'Whether the revision was published with that hash; null: there is no such revision.',
    }),
  ),
});

const Verdict = Type.Object({
  ref: Type.String(),
  revision: Type.Integer(),
  quote: Type.String(),
  start: Count,
  end: Count,
  verdict: Type.Enum(['exact', 'missing', 'unknown'], {
    description: 'exact: verbatim in the text; missing: not in it; unknown: the text is not available.',
  }),
});

const Writing = Type.Object(
  {
    verifier: orNull(Type.String({ description: 'The second reader; null: none was configured.' })),
    sentences: Type.Array(
      Type.Object({
        text: Type.String(),
        start: orNull(Type.Integer({ description: 'Offset in the answer; null: it was left out.' })),
        verdict: Type.Enum(['supported', 'partly', 'not', 'contradicts', 'silent', 'code', 'unverified']),
        reason: NullableText,
        repaired_from: NullableText,
        quotes: Type.Array(Type.Object({ ref: Type.String(), quote: Type.String() })),
      }),
    ),
    calls: Type.Array(
      Type.Object({
        purpose: Type.Enum(['write', 'check', 'repair', 'search']),
        model: Type.String(),
        count: Count,
        input_tokens: Count,
        output_tokens: Count,
        cost_micro_usd: Type.Optional(Type.Number()),
      }),
    ),
  },
  { description: 'How a model wrote the answer, sentence by sentence, and how each was checked.' },
);

export const Dossier = record(
  'Dossier',
  {
    request_id: Type.String(),
    note: Type.String({ description: 'What this is, and what it is not.' }),
    asked: orNull(
      Type.Object({
        at: Time,
        channel: Type.String(),
        corpus_id: Type.String(),
        style: NullableText,
        key_id: orNull(Type.Integer()),
        subject: Type.String({ description: 'Who asked, as an opaque name.' }),
        query: Type.String(),
        rewritten: orNull(
          Type.String({ description: 'The question as used for retrieval; null: as asked.' }),
        ),
        history: Type.Array(Type.Unknown(), { description: 'The turns that were taken into account.' }),
        forgotten: Type.Boolean({ description: 'Question and answer were erased and are blank.' }),
      }),
    ),
    outcome: Type.String({ description: 'The event that ended it; `pending` while there is none.' }),
    answer: orNull(
      Type.Object({
        mode: Type.String(),
        lang: NullableText,
        text: Type.String(),
        model: orNull(Type.String({ description: 'null: the extractive answerer.' })),
        cached: Type.Boolean(),
        degraded: Type.Boolean(),
        unverified: Type.Boolean({
          description: 'A model wrote it, and something of it was not checked a second time.',
        }),
        searches: Type.Array(Type.String(), { description: 'Searched for beside the question.' }),
        writing: orNull(Writing),
        replaced: NullableText,
        evidence: Type.Unknown(),
        usage: Type.Unknown(),
        timings: Type.Record(Type.String(), Type.Number()),
        latency_ms: Type.Number(),
      }),
    ),
    prompt: orNull(
      Type.Object({
        version: Type.Integer(),
        text: NullableText,
        sha256: orNull(Type.String({ description: 'Of the whole prompt except the passages.' })),
      }),
    ),
    corpus: orNull(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Its settings at that moment.' }),
    ),
    passages: Type.Array(Passage, { description: 'The passages considered, best first, as of then.' }),
    passages_considered: Count,
    citations: Type.Array(Verdict),
    ratings: Type.Array(Type.Object({ at: Time, rating: Type.String(), comment: NullableText })),
    events: Type.Array(HistoryEvent, { description: 'The recorded events, linked by causation.' }),
  },
  {
    example: {
      request_id: sample.requestId,
      note: 'This is what was recorded. Nothing was answered again.',
      asked: {
        at: sample.earlier,
        channel: 'http',
        corpus_id: 'krk_2026',
        style: null,
        key_id: null,
        subject: 'n1',
        query: 'Article 42',
        rewritten: null,
        history: [],
        forgotten: false,
      },
      outcome: 'AnswerGiven',
      answer: null,
      prompt: null,
      corpus: null,
      passages: [],
      passages_considered: 0,
      citations: [],
      ratings: [],
      events: [exampleOf(HistoryEvent)],
    },
  },
);
export type Dossier = Static<typeof Dossier>;
