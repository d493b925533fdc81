import { describe, expect, test } from 'vitest';
import { fromPassages } from '../../src/answering/kinds/passages/compose.ts';
import { fromParts } from '../../src/answering/kinds/passages/several.ts';
import { contextOf } from '../../src/answering/writing/context.ts';
import { understand } from '../../src/question/question.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { asked, bridge, found } from './passages.ts';

const context = asked('What does the crossing cost?');

type Scored = readonly (readonly [sentence: string, score: number])[];

/** A lookup result: one passage whose sentences have these scores. */
function lookUp(scored: Scored) {
  const hit = bridge(scored.map(([sentence]) => sentence).join(' '));
  const spans = splitSentences(hit.text);
  const sentences = scored
    .map(([, score], n) => ({ ...spans[n]!, passage: 0, score, share: 1, own: 1, named: true }))
    .sort((a, b) => b.score - a.score);
  return { ...found([hit], context.question), sentences };
}

/** The sentences quoted from it. */
const quoted = (scored: Scored): string[] =>
  fromPassages(context, lookUp(scored), 'current').builder.citations.map(({ quote }) => quote);

test('a follow-up needs its kind of answer, but a question repeated for another language does not', () => {
  const toll = lookUp([['A cart pays two coins at the gate.', 2]]);
  const lacking = { ...toll, sentences: toll.sentences.map((one) => ({ ...one, lacksKind: true as const })) };
  const history = [
    { role: 'user' as const, content: context.question },
    { role: 'assistant' as const, content: 'A cart pays two coins at the gate.' },
  ];
  const modeOf = (query: string) => {
    const { corpus, pages } = context;
    const question = understand(query, history, corpus);
    return fromPassages(
      contextOf({ query, history, corpus, style: null }, question, pages),
      lacking,
      'current',
    ).mode;
  };
  expect(modeOf('And on market days?')).toBe('no_answer');
  expect(modeOf('in Russian, please')).toBe('ordinary');
});

test('each of two questions gets a sentence, or is reported as unanswered if the kind of answer is missing', () => {
  const toll = 'A cart pays two coins at the gate.';
  const answer = (lacksKind: boolean) => {
    const one = lookUp([[toll, 2]]);
    const sentences = one.sentences.map((first) => ({
      ...first,
      ...(lacksKind && { lacksKind: true as const }),
    }));
    return fromParts(context, [
      { edition: 'current', label: 'What does it cost?', found: one },
      { edition: 'current', label: 'who collects it', found: { ...one, sentences } },
    ]).builder;
  };
  expect(answer(false).answer).toBe(`${toll} (The bridge)`);
  expect(answer(true).answer).toBe(
    `${toll} (The bridge)\n\nNo answer to “Who collects it?” was found in the documents.`,
  );
});

describe('a second sentence', () => {
  const toll = 'A cart pays two coins at the gate.';
  const ferry = 'Walkers cross for nothing on market days.';

  test('is quoted if it is about as likely to be the answer, the likelier one first', () => {
    expect(
      quoted([
        [toll, 2],
        [ferry, 1.6],
      ]),
    ).toEqual([toll, ferry]);
  });

  test('is omitted if the first one is much likelier', () => {
    expect(
      quoted([
        [toll, 2],
        [ferry, 1.4],
      ]),
    ).toEqual([toll]);
  });

  test('is omitted if it repeats the first one', () => {
    expect(
      quoted([
        [toll, 2],
        ['At the gate a cart pays two coins.', 1.9],
      ]),
    ).toEqual([toll]);
  });

  test('follows the answer, even if it comes earlier in the passage', () => {
    expect(
      quoted([
        [ferry, 1.9],
        [toll, 2],
      ]),
    ).toEqual([toll, ferry]);
  });
});
