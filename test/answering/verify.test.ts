/** An answer is verified while it is sent, and unsupported text is withdrawn. */

import { describe, expect, test } from 'vitest';
import type { AnswerPart } from '../../src/answering/writing/parts.ts';
import { replacedReason, verified } from '../../src/answering/writing/verify.ts';
import type { Citation } from '../../src/domain/events.ts';
import { bridge } from './passages.ts';

const passage = bridge('The bridge was built in 1932. It is red.');
const opening: AnswerPart = { type: 'opening', mode: 'ordinary', sources: [], citations: [] };
const closing: AnswerPart = {
  type: 'closing',
  finish: 'stop',
  model: null,
  prompt_version: null,
  usage: null,
};
const text = (said: string): AnswerPart => ({ type: 'text', text: said });
const cite = (start: number, quote: string, more: Partial<Citation> = {}): AnswerPart => ({
  type: 'citation',
  citation: {
    start,
    end: start + quote.length,
    ref: 'bridge#001',
    quote,
    revision: 2,
    content_hash: 'hash',
    ...more,
  },
});

async function checked(...parts: AnswerPart[]): Promise<AnswerPart[]> {
  async function* given() {
    yield* [opening, ...parts, closing];
  }
  const out: AnswerPart[] = [];
  for await (const part of verified(given(), { passages: [passage], nothingLeft: 'Nothing.' }))
    out.push(part);
  return out.slice(1, -1);
}

describe('an answer', () => {
  test('passes unchanged if it is supported', async () => {
    const parts = [text('It says: '), text('It is red.'), cite(9, 'It is red.')];
    expect(await checked(...parts)).toEqual(parts);
  });

  test.each([
    ['its words are not in the passage', cite(0, 'It is blue.')],
    ['it comes from another revision', cite(0, 'It is blue.', { revision: 1 })],
    ['the text has changed', cite(0, 'It is blue.', { content_hash: 'other' })],
    ['the passage is not one of those found', cite(0, 'It is blue.', { ref: 'bridge#009' })],
    ['it differs from the text of the answer', cite(0, 'It is red.')],
    ['it is empty', cite(0, '')],
  ])('is withdrawn if its only support is a quotation and %s', async (_why, citation) => {
    expect(await checked(text('It is blue.'), citation)).toEqual([
      text('It is blue.'),
      { type: 'replace', mode: 'no_answer', answer: 'Nothing.', reason: replacedReason },
    ]);
  });

  test('is withdrawn as a whole if one of its citations is invalid', async () => {
    const red = [text('\n\n'), text('It is red.'), cite(13, 'It is red.')];
    expect(await checked(text('It is blue.'), cite(0, 'It is blue.'), ...red)).toEqual([
      text('It is blue.'),
      ...red,
      { type: 'replace', mode: 'no_answer', answer: 'Nothing.', reason: replacedReason },
    ]);
  });

  test('is verified from the replacement onwards if its answerer replaced it', async () => {
    const parts: AnswerPart[] = [
      text('It is blue.'),
      cite(0, 'It is blue.'),
      { type: 'replace', mode: 'ordinary', answer: 'It is red.', reason: 'second thoughts' },
      cite(0, 'It is red.'),
    ];
    expect(await checked(...parts)).toEqual(parts.filter((part) => part !== parts[1]));
  });
});
