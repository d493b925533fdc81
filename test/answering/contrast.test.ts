import { expect, test } from 'vitest';
import { planLookUps } from '../../src/answering/plan.ts';
import { retrieve } from '../../src/answering/retrieval.ts';
import { understand } from '../../src/answering/understanding.ts';
import { bridge, found, town } from './passages.ts';

/** What is found of a comparison where the best passage stands under this heading. */
async function compared(heading: string) {
  const { intent } = understand('What is the difference between the ferry and the bridge?', [], town);
  const hit = bridge('The ferry is slow.');
  const headed = { ...hit, chunk: { ...hit.chunk, heading } };
  const findings = await retrieve(planLookUps(intent), 'en', async ({ question }) =>
    found([headed], question),
  );
  return findings.kind;
}

test('two things are compared by the place that does, where one is headed by both', async () => {
  expect(await compared('How does the bridge differ from the ferry?')).toBe('passages');
  expect(await compared('The ferry')).toBe('sides');
});
