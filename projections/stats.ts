/**
 * Counters: one record for everything, and one for each day, corpus, mode, language and channel. Latencies are counted
 * in buckets whose size grows by a tenth, so that a percentile is at most 5% off. Questions with the same words,
 * ignoring case and punctuation, are counted together, with the time of their last answer.
 */
import type { EventTypes, UnansweredFacts } from '../src/domain/events.ts';
import { questionKey } from '../src/domain/question-key.ts';
import type { Write } from '../src/ports/read-models.ts';
import type { Projection } from './runner.ts';

const collection = 'stats';
const asked = 'asked';
const answered = 'answered';

const growth = Math.log(1.1);

/** Field in the latency record for answers with this duration in ms. */
const latencyBucket = (ms: number): string => `b${Math.round(Math.log(Math.max(1, ms)) / growth)}`;

/** Percentile p (0 to 1) of the counted latencies in ms; null if none were counted. */
export function latencyPercentile(counts: Record<string, unknown>, p: number): number | null {
  const buckets = Object.entries(counts)
    .filter(([field]) => /^b\d+$/.test(field))
    .map(([field, n]) => [Number(field.slice(1)), Number(n)] as const)
    .sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, n]) => sum + n, 0);
  let seen = 0;
  for (const [bucket, n] of buckets) {
    seen += n;
    if (seen >= p * total && total > 0) return Math.round(Math.exp(bucket * growth));
  }
  return null;
}

type Outcome = 'answered' | 'withheld' | 'failed' | 'cancelled';

function counted(facts: UnansweredFacts, outcome: Outcome, mode: string | null, cached = false): Write[] {
  const by = { asked: 1, [outcome]: 1, ...(cached ? { cached: 1 } : {}) };
  const kinds = [`corpus:${facts.corpus_id}`, `channel:${facts.channel}`];
  if (facts.lang !== null) kinds.push(`lang:${facts.lang}`);
  if (mode !== null) kinds.push(`mode:${mode}`);
  const latency: Record<string, number> =
    outcome === 'answered' || outcome === 'withheld' ? { [latencyBucket(facts.latency_ms)]: 1 } : {};
  // Each day has all figures, so that the figures for a range are the sums over its days.
  const ofDay = { ...by, ...latency, ...Object.fromEntries(kinds.map((kind) => [kind, 1])) };
  return [
    ...['all', ...kinds].flatMap((key) => increment(key, by)),
    ...increment(`day:${facts.asked_at.slice(0, 10)}`, ofDay),
    ...(Object.keys(latency).length > 0 ? increment('latency', latency) : []),
  ];
}

function increment(key: string, by: Record<string, number>): Write[] {
  return [
    { op: 'merge', collection, key, doc: { counter: key } },
    { op: 'increment', collection, key, by },
  ];
}

function askedAgain({
  corpus_id,
  query,
  asked_at,
  forgotten,
}: Pick<EventTypes['SourcesLookedUp'], 'corpus_id' | 'query' | 'asked_at' | 'forgotten'>): Write[] {
  if (forgotten) return [];
  const key = questionKey(corpus_id, query);
  return [
    { op: 'merge', collection: asked, key, doc: { corpus_id, query, last_asked_at: asked_at } },
    { op: 'increment', collection: asked, key, by: { count: 1 } },
  ];
}

/** When a question was last answered without conversation context, or by the editors. */
const answeredAt = (key: string, answered_at: string): Write => ({
  op: 'merge',
  collection: answered,
  key,
  doc: { answered_at },
});

function rated({ rating, previous, forgotten }: EventTypes['AnswerRated'], time: string): Write[] {
  if (forgotten || rating === previous) return [];
  const by: Record<string, number> = { [`rated_${rating}`]: 1 };
  if (previous) by[`rated_${previous}`] = -1;
  return onDay(time, by);
}

const onDay = (time: string, by: Record<string, number>): Write[] => [
  ...increment('all', by),
  ...increment(`day:${time.slice(0, 10)}`, by),
];

export const stats: Projection = {
  name: 'stats',
  version: 8,
  collections: [
    { name: collection, fields: {} },
    { name: asked, fields: { count: 'number' } },
    { name: answered, fields: {} },
  ],
  on: {
    QuestionAsked: ({ data }) => askedAgain(data),
    AnswerGiven: ({ data }) => [
      ...counted(data, 'answered', data.mode, data.cached),
      ...(data.question_key === undefined ? [] : [answeredAt(data.question_key, data.asked_at)]),
    ],
    AnswerWithheld: ({ data }) => counted(data, 'withheld', data.mode),
    AnswerFailed: ({ data }) => counted(data, 'failed', null),
    AskCancelled: ({ data }) => counted(data, 'cancelled', null),
    AskAbandoned: ({ data }) => counted(data, 'failed', null),
    SourcesLookedUp: ({ data }) => [
      ...askedAgain(data),
      ...counted(data, data.sources.length > 0 ? 'answered' : 'withheld', data.mode),
    ],
    AnswerRated: ({ data, time }) => rated(data, time),
    HelpRequested: ({ time }) => onDay(time, { help_requested: 1 }),
    HelpResolved: ({ time }) => onDay(time, { help_resolved: 1 }),
    ModelsUsed: ({ data: { day, ...used } }) => [...increment('all', used), ...increment(`day:${day}`, used)],
    FaqEntryAdded: ({ data }) => [answeredAt(questionKey(data.corpus_id, data.question), data.added_at)],
  },
};
