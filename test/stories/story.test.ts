/** Runs the story over every combination of stores: each result must match the embedded one. */
import { beforeAll, expect, it } from 'vitest';
import { overServers } from '../http/over-servers.ts';
import { story } from './story.ts';

let reference: Record<string, unknown>;
beforeAll(async () => {
  reference = await story({});
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

overServers((wiring, servers) =>
  it(`the story is the same over ${wiring}`, async () => {
    expect(await story(servers())).toEqual(reference);
  }),
);
