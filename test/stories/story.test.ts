/** Runs the story over every combination of stores: each result must match the embedded one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testNamespace, withEventStore, withRedis } from '../support/servers.ts';
import { type Servers, story } from './story.ts';
import { shared, startDouble } from './wirings.ts';

let reference: Record<string, unknown>;
beforeAll(async () => {
  reference = await story({});
});

/** Registers the story for a combination of stores. */
const same = (wiring: string, servers: () => Partial<Servers>) =>
  it(`the story is the same over ${wiring}`, async () => {
    expect(await story({ DOCENT_NAMESPACE: testNamespace(), ...servers() })).toEqual(reference);
  });

it('the story contains the expected results', () => {
  expect(reference).toMatchObject({
    taken: { added: 3, revised: 0, unchanged: 0, withdrawn: 0, skipped: 0 },
    takenAgain: { added: 0, revised: 0, unchanged: 3, withdrawn: 0, skipped: 0 },
    changed: { added: 0, revised: 1, unchanged: 1, withdrawn: 1, skipped: 0 },
    answers: [
      { mode: 'ordinary', answer: expect.stringContaining('октябре') },
      { mode: 'exact', answer: expect.stringContaining('Ярмарку') },
      { mode: 'ordinary', answer: expect.stringContaining('nine') },
      { mode: 'no_answer' },
      { mode: 'ordinary', answer: expect.stringContaining('каждый час') },
    ],
    answersChanged: [
      { mode: 'ordinary', answer: expect.stringContaining('мае') },
      { mode: 'no_answer' },
      { mode: 'ordinary', answer: expect.stringContaining('nine') },
      { mode: 'no_answer' },
      { mode: 'no_answer' },
    ],
    repeated: [
      { mode: 'ordinary', answer: expect.stringContaining('мае') },
      { mode: 'ordinary' },
      { mode: 'faq' },
      { mode: 'faq', answer: expect.stringContaining('мае') },
    ],
    atOnce: { answers: [expect.stringContaining('two weeks')], made: 1 },
    keyKnown: 'site',
    keyRefused: 'unauthorized',
    keyStillRefused: 'unauthorized',
    health: 'ok',
    discrepancies: {},
  });
  expect(reference.shownRebuilt).toEqual(reference.shown);
  expect(reference.answersRebuilt).toEqual(reference.answersChanged);
  // By then given to three people, so this answer comes from the FAQ cache.
  const again = (reference.answersChanged as { mode: string }[]).map((one, i) =>
    i === 0 ? { ...one, mode: 'faq' } : one,
  );
  expect(reference.answersRestarted).toEqual(again);
});

describe('with a double of EventStoreDB', () => {
  const eventStore = shared(startDouble);
  same('EventStoreDB and the data folder', () => ({ EVENTSTOREDB_URL: eventStore() }));
});

withRedis('with a real Redis', (start) => {
  const redis = shared(start);
  same('the data folder and Redis', () => ({ REDIS_URL: redis() }));
  const eventStore = shared(startDouble);
  same('a double of EventStoreDB and Redis', () => ({
    EVENTSTOREDB_URL: eventStore(),
    REDIS_URL: redis(),
  }));
});

withEventStore('with a real EventStoreDB', (start) => {
  const eventStore = shared(start);
  same('EventStoreDB and the data folder', () => ({ EVENTSTOREDB_URL: eventStore() }));
  withRedis('and a real Redis', (startRedis) => {
    const redis = shared(startRedis);
    same('EventStoreDB and Redis', () => ({ EVENTSTOREDB_URL: eventStore(), REDIS_URL: redis() }));
  });
});
