import { describe, expect, it } from 'vitest';
import { backfills, runningOver, unfinished } from '../../src/domain/backfill.ts';
import type { BackfillFacts, DomainEvent } from '../../src/domain/events.ts';
import { given } from './decider-spec.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 10, 0, seconds)).toISOString();
const job = (job_id: string, doc_key: string | null = null): BackfillFacts => ({
  job_id,
  doc_key,
  batch_size: 50,
  embedder: 'e',
  total_chunks: 10,
  embedded_chunks: 2,
  requested_at: at(0),
  requested_by: 'olga',
});
const requested = (...args: Parameters<typeof job>): DomainEvent => ({
  type: 'BackfillRequested',
  data: job(...args),
});
const claimed = (job_id: string, worker: string, until: number): DomainEvent => ({
  type: 'BackfillClaimed',
  data: { job_id, worker, until: at(until) },
});
const completed = (job_id: string): DomainEvent => ({
  type: 'BackfillCompleted',
  data: { job_id, finished_at: at(9) },
});
const failed = (job_id: string): DomainEvent => ({
  type: 'BackfillFailed',
  data: { job_id, finished_at: at(9), reason: 'The model is gone.' },
});

describe('a request', () => {
  it.each<[string, (string | null)[], string | null]>([
    ['the first job', [], null],
    ['a document other than the one in progress', ['a'], 'b'],
  ])('is granted for %s', (_, running, wanted) => {
    given(backfills, ...running.map((key, i) => requested(`r${i}`, key)))
      .when({ type: 'Request', job: job('j', wanted) })
      .then(requested('j', wanted));
  });

  it.each<[string, string | null, string | null]>([
    ['the same document', 'a', 'a'],
    ['all documents while one is in progress', 'a', null],
    ['one document while all are in progress', null, 'a'],
    ['all documents twice', null, null],
  ])('is not granted for %s until the running job has ended', (_, running, wanted) => {
    const before = given(backfills, requested('r', running));
    before.when({ type: 'Request', job: job('j', wanted) }).then();
    expect(runningOver(before.state, wanted)?.job_id).toBe('r');
    for (const end of [completed('r'), failed('r')])
      given(backfills, requested('r', running), claimed('r', 'w', 1), end)
        .when({ type: 'Request', job: job('j', wanted) })
        .then(requested('j', wanted));
  });
});

describe('a job', () => {
  const claim = (worker: string, now: number) =>
    ({ type: 'Claim', job_id: 'j', worker, now: at(now), until: at(now + 15) }) as const;
  const end = (worker: string, reason: string | null = null) =>
    ({ type: 'End', job_id: 'j', worker, finished_at: at(9), failed: reason }) as const;

  it('belongs to one worker until the given time, and that worker may extend it', () => {
    given(backfills, requested('j'))
      .when(claim('w', 0))
      .then(claimed('j', 'w', 15));
    const taken = given(backfills, requested('j'), claimed('j', 'w', 15));
    taken.when(claim('v', 14)).then();
    taken.when(claim('w', 10)).then(claimed('j', 'w', 25));
    taken.when(claim('v', 15)).then(claimed('j', 'v', 30));
  });

  it('can be ended only once, and only by its worker', () => {
    given(backfills, requested('j'), claimed('j', 'w', 15))
      .when(end('w'))
      .then(completed('j'));
    given(backfills, requested('j'), claimed('j', 'w', 15))
      .when(end('w', 'The model is gone.'))
      .then(failed('j'));
    given(backfills, requested('j'), claimed('j', 'w', 15), claimed('j', 'v', 40))
      .when(end('w'))
      .then();
    given(backfills, requested('j'), claimed('j', 'w', 15), completed('j'))
      .when(end('w'))
      .then();
    given(backfills, requested('j')).when(end('w')).then();
  });

  it('belongs to nobody if it has ended or was never requested', () => {
    given(backfills, requested('j'), claimed('j', 'w', 15), completed('j'))
      .when(claim('w', 16))
      .then();
    given(backfills).when(claim('w', 0)).then();
  });

  it('is unfinished until it has ended', () => {
    const { state } = given(
      backfills,
      requested('i'),
      completed('i'),
      requested('j', 'a'),
      requested('k', 'b'),
    );
    expect(unfinished(state).map(({ job_id }) => job_id)).toEqual(['j', 'k']);
  });
});
