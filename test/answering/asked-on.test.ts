import { describe, expect, test } from 'vitest';
import { fromPassages } from '../../src/answering/kinds/passages/compose.ts';
import type { ScoredSentence } from '../../src/answering/reading/sentence-model.ts';
import { asksAnew } from '../../src/answering/understanding/asked-anew.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { asked, bridge, found } from './passages.ts';

const said = 'A cart pays two coins at the gate.';
const next = 'Walkers cross for nothing on market days.';

/** Answers to a question that may have been completed from the history, after its first sentence was already given. */
function answered(question: string, whole: string, more: Partial<ScoredSentence> = {}, asksAnew = false) {
  const context = asked(question, { seen: `${said} (The bridge)`, whole, asksAnew });
  const hit = bridge(`${said} ${next}`);
  const sentences = splitSentences(hit.text).map(({ start, end }, n) => ({
    ...{ passage: 0, start, end, score: 3 - n, share: 1, own: 1, named: true },
    ...more,
  }));
  const { mode, builder } = fromPassages(context, { ...found([hit], whole), sentences }, 'current');
  return { mode, quoted: builder.citations.map(({ quote }) => quote) };
}

describe('a follow-up to the last answer', () => {
  test('is not answered with text already given', () => {
    const { mode, quoted } = answered('And walkers?', 'What do walkers pay at the gate?');
    expect({ mode, quoted }).toEqual({ mode: 'ordinary', quoted: [next] });
  });

  test('may be answered with the same sentence if it asks for another kind of answer', () => {
    const whole = 'How much does a cart pay at the gate?';
    expect(answered('How much?', whole, {}, true).quoted).toEqual([said]);
    expect(asksAnew('For how long?', 'Who appoints the mayor?')).toBe(true);
    expect(asksAnew('На какой срок?', 'Кто назначает мэра?')).toBe(true);
    expect(asksAnew('And how many seats in winter?', 'How many seats are there?')).toBe(false);
    expect(asksAnew('Why?', 'Who appoints the mayor?')).toBe(false);
  });

  test('may be answered with the same sentence if that covers what the question adds', () => {
    expect(answered('And for a cart?', 'What do walkers pay for a cart?').quoted).toEqual([said]);
  });

  test('may be answered with the same sentence if the question is repeated', () => {
    const question = 'What does a cart pay?';
    expect(answered(question, question).quoted).toEqual([said]);
  });

  test('has no answer if no text has the kind it asks for, regardless of the words it inherits', () => {
    const { mode, quoted } = answered('Why?', 'Why does a cart pay at the gate?', { lacksKind: true });
    expect({ mode, quoted }).toEqual({ mode: 'no_answer', quoted: [next] });
  });

  test('does not change the answer to a self-contained question', () => {
    const question = 'Why does a cart pay at the gate?';
    expect(answered(question, question, { lacksKind: true }).mode).toBe('ordinary');
  });
});
