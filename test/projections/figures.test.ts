import { describe, expect, it } from 'vitest';
import { apiKeys } from '../../projections/api-keys.ts';
import { audit } from '../../projections/audit.ts';
import { backfills } from '../../projections/backfills.ts';
import { queries } from '../../projections/queries.ts';
import type { Projection } from '../../projections/runner.ts';
import { latencyPercentile, stats } from '../../projections/stats.ts';
import { questionStats, unansweredGroups } from '../../src/admin/statistics.ts';
import type { AskFacts, EventType, EventTypes } from '../../src/domain/events.ts';
import { questionKey } from '../../src/domain/question-key.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { Doc } from '../../src/ports/read-models.ts';
import { changed } from '../../src/read-models/records.ts';
import { answerGiven, answerWithheld, askFacts, questionAsked } from '../support/asks.ts';
import { eventOf } from '../support/events.ts';

/** The records a projection derives from events, by collection and key. */
function project(
  projection: Projection,
  events: readonly RecordedEvent[],
): Record<string, Record<string, Doc>> {
  const found: Record<string, Record<string, Doc>> = {};
  for (const { name } of projection.collections) found[name] = {};
  for (const event of events) {
    const handler = projection.on[event.type] as
      | ((event: RecordedEvent) => ReturnType<NonNullable<Projection['on']['AskCancelled']>>)
      | undefined;
    for (const write of handler?.(event) ?? []) {
      if (!('collection' in write)) continue;
      const records = found[write.collection]!;
      const doc = changed(records[write.key] ?? null, write);
      if (doc === null) delete records[write.key];
      else records[write.key] = doc;
    }
  }
  return found;
}

let revision = 0;
function recorded<T extends EventType>(type: T, data: EventTypes[T], actor = 'public'): RecordedEvent {
  revision++;
  return {
    ...eventOf(type, data),
    actor,
    stream: 's',
    revision,
    position: String(revision),
  } as RecordedEvent;
}

const facts = (more: Partial<AskFacts> = {}) =>
  askFacts({ subject: 'r', asked_at: '2026-03-10T10:00:00.000Z', ...more });
const question = (query: string, more: Partial<AskFacts> = {}) =>
  recorded('QuestionAsked', questionAsked({ ...facts(more), query }));
const given = (more: Partial<EventTypes['AnswerGiven']> = {}) =>
  recorded('AnswerGiven', answerGiven({ ...facts(), ...more }));
const withheld = (more: Partial<AskFacts> = {}) => recorded('AnswerWithheld', answerWithheld(facts(more)));

const figures = (events: readonly RecordedEvent[], now: string) => {
  const records = project(stats, events).stats!;
  return questionStats(new Map(Object.entries(records)), new Date(now));
};

describe('figures', () => {
  it('count questions by day, corpus, mode, language and channel, and their outcomes', () => {
    const found = figures(
      [
        given(),
        given({ lang: 'kk', channel: 'stream', cached: true }),
        withheld({ asked_at: '2026-03-04T23:59:59.999Z' }),
        recorded('AnswerFailed', {
          ...facts({ asked_at: '2026-02-01T00:00:00.000Z' }),
          code: 'internal',
          retryable: false,
        }),
        recorded('AskCancelled', facts({ corpus_id: 'side' })),
      ],
      '2026-03-10T23:00:00.000Z',
    );
    expect(found).toMatchObject({
      questions: { today: 3, last_7_days: 4, last_30_days: 4, all: 5 },
      by_corpus: { charter: 4, side: 1 },
      by_mode: { no_answer: 1, ordinary: 2 },
      by_lang: { en: 4, kk: 1 },
      by_channel: { http: 4, stream: 1 },
      error_rate: 0.2,
      cache_hit_rate: 0.3333,
      abstention_rate: 0.3333,
    });
    expect(found.by_day).toHaveLength(30);
    expect(found.by_day[0]?.date).toBe('2026-02-09');
    expect(found.by_day.slice(23)).toEqual([
      { date: '2026-03-04', questions: 1, errors: 0, unanswered: 1 },
      ...['05', '06', '07', '08', '09'].map((day) => ({
        date: `2026-03-${day}`,
        questions: 0,
        errors: 0,
        unanswered: 0,
      })),
      { date: '2026-03-10', questions: 3, errors: 0, unanswered: 0 },
    ]);
  });

  it('are zero if nothing was asked', () => {
    expect(figures([], '2026-03-10T00:00:00.000Z')).toMatchObject({
      questions: { today: 0, last_7_days: 0, last_30_days: 0, all: 0 },
      error_rate: 0,
      cache_hit_rate: 0,
      abstention_rate: 0,
      latency_ms: { p50: null, p95: null, p99: null },
      ratings: { up: 0, down: 0 },
    });
  });

  it('report latencies to within 5 %', () => {
    const events = Array.from({ length: 1000 }, (_, i) => given({ latency_ms: i + 1 }));
    const records = project(stats, events).stats!;
    for (const [share, exact] of [
      [0.5, 500],
      [0.95, 950],
      [0.99, 990],
    ] as const)
      expect(Math.abs(latencyPercentile(records.latency!, share)! / exact - 1)).toBeLessThan(0.05);
  });

  it("count each subject's last rating", () => {
    const rated = (rating: 'up' | 'down', previous: 'up' | 'down' | null) =>
      recorded('AnswerRated', { request_id: 'r', subject: 's', rating, comment: null, previous });
    expect(
      figures(
        [rated('up', null), rated('down', null), rated('down', 'up'), rated('down', 'down')],
        '2026-03-10',
      ).ratings,
    ).toEqual({ up: 0, down: 2 });
  });

  it('group questions with the same words, within one corpus', () => {
    const records = Object.values(
      project(stats, [
        question('When does it open?'),
        question('when does it OPEN'),
        question('When does it open?', { corpus_id: 'side' }),
        question('Пришёл ли он?'),
        question('пришел ли он'),
      ]).asked!,
    );
    expect(records.map(({ corpus_id, count, query }) => [corpus_id, count, query])).toEqual([
      ['charter', 2, 'when does it OPEN'],
      ['side', 1, 'When does it open?'],
      ['charter', 2, 'пришел ли он'],
    ]);
  });

  it('count a question as open only if nobody has been answered since', async () => {
    const at = (hour: number) => `2026-03-10T${String(hour).padStart(2, '0')}:00:00.000Z`;
    const asked = (hour: number, query: string, corpus_id = 'charter') => ({
      query,
      corpus_id,
      asked_at: at(hour),
    });
    const key = (query: string) => questionKey('charter', query);
    const { answered = {} } = project(stats, [
      given({ asked_at: at(5), question_key: key('b') }),
      // The answer to a question that depends on a conversation does not count for other askers.
      given({ asked_at: at(9) }),
      recorded('FaqEntryAdded', {
        entry_id: 1,
        corpus_id: 'charter',
        lang: 'en',
        question: 'D?',
        answer: 'D.',
        sources: [],
        citations: [],
        added_at: at(8),
        added_by: 'olga',
      }),
    ]);
    const reads = {
      getMany: async (_: string, keys: readonly string[]) => keys.map((k) => answered[k] ?? null),
    };
    const records = [
      ...[asked(7, 'A?'), asked(6, 'b!'), asked(4, 'B'), asked(3, 'a'), asked(3, 'd')],
      ...[asked(2, 'c'), asked(1, 'b', 'other')],
    ];
    const open = await unansweredGroups(reads, records);
    expect(open.map((group) => group.map(({ query, asked_at }) => [query, asked_at]))).toEqual([
      [
        ['A?', at(7)],
        ['a', at(3)],
      ],
      [['b!', at(6)]],
      [['c', at(2)]],
      [['b', at(1)]],
    ]);
  });
});

it('the use of a key counts its questions and lookups', () => {
  const looked = {
    ...facts({ key_id: 3, asked_at: '2026-03-11T00:00:00.000Z' }),
    query: 'b',
    mode: 'ordinary' as const,
  };
  expect(
    project(apiKeys, [
      question('a', { key_id: 3 }),
      question('a'),
      recorded('SourcesLookedUp', { ...looked, sources: [] }),
    ]).api_keys,
  ).toEqual({ 3: { key_id: 3, last_used_at: '2026-03-11T00:00:00.000Z', request_count: 2 } });
});

it('a backfill is shown from its request to its end', () => {
  const job = {
    job_id: 'j',
    doc_key: null,
    batch_size: 2,
    embedder: 'e',
    total_chunks: 3,
    embedded_chunks: 1,
    requested_at: 't',
    requested_by: 'olga',
  };
  const embedded = (job_id: string | null) =>
    recorded('ChunksEmbedded', {
      doc_id: 1,
      corpus_id: 'c',
      revision: 1,
      embedder: 'e',
      dimension: 2,
      first: 0,
      count: 2,
      vectors: null,
      job_id,
    });
  const requested = recorded('BackfillRequested', job);
  const claimed = recorded('BackfillClaimed', { job_id: 'j', worker: 'w', until: 't' });
  const done = embedded('j');
  const record = { ...job, status: 'queued', finished_at: null, error: null, last_revision: -1 };
  const after = (...events: RecordedEvent[]) => project(backfills, [requested, ...events]).backfills?.j;
  expect(after(embedded(null))).toEqual(record);
  expect(after(claimed)).toEqual({ ...record, status: 'running' });
  const working = { ...record, status: 'running', embedded_chunks: 3, last_revision: done.revision };
  expect(after(claimed, done)).toEqual(working);
  expect(after(claimed, done, recorded('BackfillCompleted', { job_id: 'j', finished_at: 'f' }))).toEqual({
    ...working,
    status: 'completed',
    finished_at: 'f',
  });
  expect(
    after(
      claimed,
      recorded('BackfillFailed', { job_id: 'j', finished_at: 'f', reason: 'The model is gone.' }),
    ),
  ).toEqual({ ...record, status: 'failed', finished_at: 'f', error: 'The model is gone.' });
});

it('the audit log names administrators, and contains neither the e-mail address nor the hash of a key', () => {
  const created = recorded(
    'ApiKeyCreated',
    {
      key_id: 3,
      name: 'Portal',
      owner_email: 'someone@example.org',
      prefix: 'dk_1234567',
      hash: 'ab'.repeat(32),
      corpus_ids: [],
      rate_limit_rpm: 1,
      rate_limit_rph: 2,
      created_at: 't',
      created_by: 'olga',
    },
    'admin:olga',
  );
  expect(project(audit, [created]).audit?.[created.id]).toEqual({
    entry_id: created.id,
    occurred_at: created.time,
    actor: 'olga',
    action: 'api_key.create',
    target: '3',
    detail: { name: 'Portal', prefix: 'dk_1234567', corpus_ids: [], rate_limit_rpm: 1, rate_limit_rph: 2 },
    request_id: created.correlation_id,
    position: created.position,
  });
});

describe('the query log', () => {
  it('marks exactly the questions that have an error', () => {
    const failed = { code: 'unavailable', retryable: true };
    const endings = [
      recorded('AskCancelled', facts({ request_id: 'cancelled' })),
      recorded('AnswerFailed', { ...facts({ request_id: 'failed' }), ...failed }),
      recorded('AskAbandoned', facts({ request_id: 'abandoned' })),
      withheld({ request_id: 'withheld' }),
    ];
    const found = Object.entries(project(queries, endings).queries!);
    expect(found.map(([id, { error, has_error }]) => [id, error, has_error])).toEqual([
      ['cancelled', 'cancelled', true],
      ['failed', 'unavailable', true],
      ['abandoned', 'abandoned', true],
      ['withheld', undefined, undefined],
    ]);
  });
});
