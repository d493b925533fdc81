import { describe, expect, test } from 'vitest';
import type { AskedDocuments } from '../../../src/answering/retrieval/documents/asked-documents.ts';
import { byDate, openings, sentenceNaming } from '../../../src/answering/retrieval/documents/by-date.ts';
import type { Found } from '../../../src/reading/passages.ts';
import type { ScoredSentence } from '../../../src/reading/sentence-model.ts';
import { chunkOf, factsOf } from '../../support/revision.ts';

const dated = (doc_id: number, event_date: string | null, text: string): Found => ({
  id: doc_id,
  ordinal: 0,
  score: 1,
  text,
  chunk: chunkOf(0, text.length),
  facts: factsOf({ doc_id, doc_key: `d${doc_id}`, title: '', event_date }),
});

const hits = [
  dated(1, '2021-01-01', 'The fee is ten.'),
  dated(2, '2024-01-01', 'The fee is twenty.'),
  dated(3, '2025-01-01', 'Three years ago I said that the fee is ten.'),
  dated(4, '2026-01-01', 'Fees vary.'),
  dated(5, null, 'The fee is thirty.'),
];
const of = (doc: number, score: number, own = 1): ScoredSentence => ({
  passage: doc - 1,
  start: 0,
  end: hits[doc - 1]!.text.length,
  score,
  share: own,
  own,
  named: true,
});
const plain: Pick<AskedDocuments, 'order' | 'present' | 'changes' | 'preferred' | 'only'> = {
  order: null,
  present: false,
  changes: false,
  preferred: new Set(),
  only: null,
};
const first = (sentences: ScoredSentence[], asked: Partial<typeof plain>) =>
  byDate(sentences, hits, { ...plain, ...asked })[0]!.passage + 1;

describe('sentences sorted by the dates of their documents', () => {
  test('put the newest of equally good sentences first, especially in questions about the present', () => {
    expect(first([of(1, 2), of(2, 1.95)], {})).toBe(2);
    expect(first([of(1, 2), of(2, 1.7)], {})).toBe(1);
    expect(first([of(1, 2), of(2, 1.7)], { present: true })).toBe(2);
    expect(first([of(1, 2), of(4, 1.9, 0.2)], { present: true })).toBe(1);
  });

  test('put the first or the last by date, regardless of other scores', () => {
    expect(first([of(1, 2), of(2, 1), of(4, 0.9, 0.2)], { order: 'latest' })).toBe(2);
    expect(first([of(2, 2), of(1, 1)], { order: 'earliest' })).toBe(1);
  });

  test('a sentence that recalls an earlier statement does not come first by its date', () => {
    expect(first([of(1, 2), of(3, 1.95)], {})).toBe(1);
  });

  test('undated sentences, and questions for a period or for changes, keep their order', () => {
    expect(first([of(5, 2), of(2, 1.95)], {})).toBe(5);
    expect(first([of(1, 2), of(2, 1.95)], { preferred: new Set([1]) })).toBe(1);
    expect(first([of(1, 2), of(2, 1.95)], { changes: true })).toBe(1);
    expect(first([of(1, 2), of(2, 1.95)], { only: new Set([1, 2]) })).toBe(1);
  });
});

test('skips salutations at the opening of a document', () => {
  const spoken = [
    dated(
      1,
      '2024',
      'Dear colleagues! Good morning. Where do we stand? The bridge will be closed for three weeks.',
    ),
    dated(2, '2023', 'Yes.'),
  ];
  const found = openings(spoken).map(({ passage, start, end }) => spoken[passage]!.text.slice(start, end));
  expect(found).toEqual(['The bridge will be closed for three weeks.', 'Yes.']);
});

test('requires the person and the office in one sentence', () => {
  const text = 'The bridge is old. The mayor Ann Lee opened it.';
  const { quote } = sentenceNaming(text, { doc_id: 1, person: 'Ann Lee', office: 'Mayor' });
  expect(quote && text.slice(quote.start, quote.end)).toBe('The mayor Ann Lee opened it.');
  expect(sentenceNaming(text, { doc_id: 1, person: 'Bob Ray', office: 'Mayor' }).quote).toBe(null);
});
