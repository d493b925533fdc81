import { afterEach, expect, test } from 'vitest';
import { Failure } from '../../../src/failures.ts';
import {
  ClaimedJobs,
  type ClaimedJobsDeps,
  type JobQueue,
} from '../../../src/ingest/embedding/claimed-jobs.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface Job {
  job_id: string;
}

const clock = new ManualClock();
const running: ClaimedJobs<Job>[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** A queue of jobs in memory, as several processes see it; reports each job that ends. */
function queueOf(...ids: string[]) {
  const claims = new Map<string, { worker: string; until: number }>();
  const endings = new Map(ids.map((id) => [id, Promise.withResolvers<string | null>()]));
  const open = new Set(ids);
  const queue: JobQueue<Job> = {
    unfinished: async () => [...open].map((job_id) => ({ job_id })),
    async claim(job_id, worker, until) {
      const held = claims.get(job_id);
      if (!open.has(job_id) || (held && held.worker !== worker && held.until > clock.ms)) return null;
      claims.set(job_id, { worker, until: until.getTime() });
      return { job_id };
    },
    async end(job_id, worker, failed) {
      if (claims.get(job_id)?.worker !== worker || !open.delete(job_id)) return;
      endings.get(job_id)!.resolve(failed);
    },
  };
  return { queue, claims, ended: (id: string) => endings.get(id)!.promise };
}

function process(queue: JobQueue<Job>, work: ClaimedJobsDeps<Job>['work'], onTrouble = (_: string) => {}) {
  const jobs = new ClaimedJobs<Job>({ name: 'A job', queue, work, clock, onTrouble });
  running.push(jobs);
  return jobs;
}

test('each job is done by one of the processes that look for it', async () => {
  const { queue, ended } = queueOf('a', 'b', 'c');
  const done: string[] = [];
  const work = async ({ job_id }: Job) => {
    done.push(job_id);
    return job_id === 'b' ? 'It cannot be done.' : null;
  };
  for (const one of [process(queue, work), process(queue, work), process(queue, work)]) one.look();
  expect(await Promise.all(['a', 'b', 'c'].map(ended))).toEqual([null, 'It cannot be done.', null]);
  expect(done.sort()).toEqual(['a', 'b', 'c']);
});

test('a process that ends releases its job immediately', async () => {
  const { queue, claims, ended } = queueOf('a');
  const begun = Promise.withResolvers<void>();
  const first = process(queue, async (_, signal) => {
    begun.resolve();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return null;
  });
  first.look();
  await begun.promise;
  await first.stop();
  expect(claims.get('a')!.until).toBe(clock.ms);
  process(queue, async () => null).look();
  expect(await ended('a')).toBe(null);
});

test('reports failures without unexpected messages, and does not report a conflict', async () => {
  const reports: string[] = [];
  for (const error of [
    new Failure('unavailable', 'The log is unavailable.'),
    new Error('secret'),
    new Failure('conflict', 'x'),
  ]) {
    const { queue } = queueOf('a');
    const begun = Promise.withResolvers<void>();
    const work = async () => {
      begun.resolve();
      throw error;
    };
    const jobs = process(queue, work, (sentence) => reports.push(sentence));
    jobs.look();
    await begun.promise;
    await jobs.stop();
  }
  expect(reports).toEqual([
    'A job is paused: The log is unavailable.',
    'A job is paused: unexpected error (Error).',
  ]);
});
