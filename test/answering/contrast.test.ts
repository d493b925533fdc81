import { expect, test } from 'vitest';
import { toolsFor } from '../../src/answering/kinds/tools.ts';
import { firstFound } from '../../src/answering/pipeline.ts';
import type { RetrievalResult } from '../../src/answering/reading/passages.ts';
import { understand } from '../../src/answering/understanding/question.ts';
import { bridge, found, town } from './passages.ts';

const question = understand('What is the difference between the ferry and the bridge?', [], town);
const findingsOf = (look: (asked: string) => RetrievalResult) =>
  firstFound(
    question,
    town,
    toolsFor(question, async (wanted) => look(wanted.question)),
  );

/** The passages found for a comparison if the best passage has this heading. */
async function compared(heading: string) {
  const hit = bridge('The ferry is slow.');
  const headed = { ...hit, chunk: { ...hit.chunk, heading } };
  const { sides } = await findingsOf((asked) => found([headed], asked));
  return sides.length;
}

test('a comparison is answered from a passage whose heading names both subjects', async () => {
  expect(await compared('How does the bridge differ from the ferry?')).toBe(1);
  expect(await compared('The ferry')).toBe(2);
});

/** The sentences quoted first from a passage on both subjects, if its sentences were found in this order. */
async function quotedOf(...sentences: string[]) {
  const hit = bridge(sentences.join(' '));
  const headed = { ...hit, chunk: { ...hit.chunk, heading: 'Is the bridge not a ferry?' } };
  const spans = sentences.map((sentence) => {
    const start = hit.text.indexOf(sentence);
    return { passage: 0, start, end: start + sentence.length, score: 1, share: 1, own: 1, named: true };
  });
  const { sides } = await findingsOf((asked) => ({
    ...found([headed], asked),
    sentences: spans.map((one, n) => ({ ...one, score: 2 - n })),
  }));
  return sides[0].found.sentences.slice(0, 2).map(({ start, end }) => hit.text.slice(start, end));
}

test('sentences on each subject come before one on neither, unless one sentence covers both', async () => {
  const [ferry, bridged] = ['The ferry is a boat.', 'A bridge stands.'];
  expect(await quotedOf('These words are mixed up by many.', bridged, ferry)).toEqual([ferry, bridged]);
  const both = 'The ferry moves, the bridge does not.';
  expect(await quotedOf('These words are mixed up by many.', both)).toEqual([
    'These words are mixed up by many.',
    both,
  ]);
});
