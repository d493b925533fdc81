import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerPieces } from '../../src/domain/answer-pieces.ts';
import type { AnswerLabel, Citation } from '../../src/domain/events.ts';

const citation = (start: number, end: number): Citation => ({
  start,
  end,
  ref: 'a#1',
  quote: '',
  revision: 1,
  content_hash: 'h',
});

test('a citation follows its text, and a label is a separate piece', () => {
  const answer = 'Open at nine. (Rules) Closed on Sundays. (Rules)';
  const labels: AnswerLabel[] = [
    [13, 21],
    [40, 48],
  ];
  const citations = [citation(0, 13), citation(22, 40)];
  expect([...answerPieces({ answer, labels, citations })]).toEqual([
    { type: 'text', text: 'Open at nine.' },
    { type: 'citation', citation: citations[0] },
    { type: 'text', text: ' (Rules)', label: true },
    { type: 'text', text: ' Closed on Sundays.' },
    { type: 'citation', citation: citations[1] },
    { type: 'text', text: ' (Rules)', label: true },
  ]);
});

test('citations and labels never change the text of the answer or of the labels', () => {
  const parts = fc.array(
    fc.record({ text: fc.string({ minLength: 1, maxLength: 8 }), label: fc.boolean(), cited: fc.boolean() }),
  );
  fc.assert(
    fc.property(parts, (list) => {
      let answer = '';
      const labels: AnswerLabel[] = [];
      const citations: Citation[] = [];
      for (const { text, label, cited } of list) {
        const start = answer.length;
        answer += text;
        if (label) labels.push([start, answer.length]);
        if (cited) citations.push(citation(Math.max(0, start - 3), answer.length));
      }
      const pieces = [...answerPieces({ answer, labels, citations })];
      let read = '';
      const read_labels: string[] = [];
      const ends: number[] = [];
      for (const piece of pieces) {
        if (piece.type === 'citation') {
          ends.push(read.length);
          continue;
        }
        if (piece.label) read_labels.push(piece.text);
        read += piece.text;
      }
      expect(read).toBe(answer);
      expect(read_labels.join('')).toBe(labels.map(([start, end]) => answer.slice(start, end)).join(''));
      expect(ends).toEqual(citations.map(({ end }) => end));
    }),
  );
});
