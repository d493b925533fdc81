/** The query log: one record per question or lookup, with its answer. */
import type { EventTypes, RecordedSource, UnansweredFacts } from '../src/domain/events.ts';
import type { Write } from '../src/ports/read-models.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

const collection = 'queries';

const refs = (sources: readonly RecordedSource[]) => sources.map((s) => s.ref);

/** An answer from a private file is kept only in the history, where it is sealed. */
const shown = ({ answer, private_file }: Pick<EventTypes['AnswerGiven'], 'answer' | 'private_file'>) =>
  private_file ? null : answer;

/** A new record. `rest` contains the fields that are already known. */
const opened = (
  asked: Pick<
    EventTypes['SourcesLookedUp'],
    'request_id' | 'asked_at' | 'channel' | 'corpus_id' | 'query' | 'key_id' | 'subject' | 'forgotten'
  >,
  rest: Record<string, unknown>,
): Write => ({
  op: 'put',
  collection,
  key: asked.request_id,
  doc: {
    request_id: asked.request_id,
    asked_at: asked.asked_at,
    channel: asked.channel,
    corpus_id: asked.corpus_id,
    query: asked.query,
    answer: null,
    mode: null,
    lang: null,
    style: null,
    source_refs: [],
    latency_ms: null,
    key_id: asked.key_id,
    subject: asked.subject,
    forgotten: asked.forgotten === true,
    error: null,
    has_error: false,
    cached: false,
    model: null,
    rating: null,
    comment: null,
    rated_up: 0,
    rated_down: 0,
    ...rest,
  },
});

/** The fields that are set whenever an ask ends. */
const ended = (facts: UnansweredFacts, rest: Record<string, unknown>): Write[] => [
  {
    op: 'merge',
    collection,
    key: facts.request_id,
    doc: { state: 'ended', lang: facts.lang, latency_ms: facts.latency_ms, ...rest },
  },
];

const failed = (facts: UnansweredFacts, error: string): Write[] => ended(facts, { error, has_error: true });

export const queries: Projection = {
  name: 'queries',
  version: analysed(6),
  collections: [
    {
      name: collection,
      fields: {
        asked_at: 'time',
        corpus_id: 'tag',
        mode: 'tag',
        lang: 'tag',
        channel: 'tag',
        rating: 'tag',
        key_id: 'number',
        subject: 'tag',
        state: 'tag',
        has_error: 'number',
        query: 'text',
        answer: 'text',
      },
    },
  ],
  on: {
    QuestionAsked: ({ data }) => [
      opened(data, { style: data.style, state: 'open', deadline: data.deadline, subject: data.subject }),
    ],
    AnswerGiven: ({ data }) =>
      ended(data, {
        mode: data.mode,
        answer: shown(data),
        source_refs: refs(data.sources),
        cached: data.cached,
        model: data.model,
      }),
    AnswerWithheld: ({ data }) =>
      ended(data, {
        mode: data.mode,
        answer: shown(data),
        source_refs: refs(data.sources),
        model: data.model,
      }),
    AnswerFailed: ({ data }) => failed(data, data.code),
    AskCancelled: ({ data }) => failed(data, 'cancelled'),
    AskAbandoned: ({ data }) => failed(data, 'abandoned'),
    AnswerRated: ({ data: { request_id: key, rating, previous, comment, forgotten } }) => {
      if (forgotten) return [];
      const by = { ...(previous && { [`rated_${previous}`]: -1 }) };
      return [
        { op: 'merge', collection, key, doc: { rating, ...(comment !== null && { comment }) } },
        ...(previous === rating
          ? []
          : [{ op: 'increment' as const, collection, key, by: { ...by, [`rated_${rating}`]: 1 } }]),
      ];
    },
    SourcesLookedUp: ({ data }) => [
      opened(data, {
        mode: data.mode,
        lang: data.lang,
        source_refs: refs(data.sources),
        latency_ms: data.latency_ms,
        state: 'ended',
      }),
    ],
  },
};
