import { expect, test } from 'vitest';
import { addressOf } from '../../src/answering/sources.ts';
import { bridge } from './passages.ts';

test('a passage is named by its file where other documents have the same title', () => {
  const hit = bridge('The bridge is red.');
  const facts = { ...hit.facts, doc_key: 'town/faq-bridges', title: 'Questions', event_date: '2024-05-01' };
  const found = { ...hit, facts, chunk: { ...hit.chunk, heading: 'What colour is it?' } };
  expect(addressOf(found, 'en')).toBe('Questions, What colour is it?, 1 May 2024');
  expect(addressOf({ ...found, namesake: true }, 'en')).toBe(
    'Questions [faq-bridges], What colour is it?, 1 May 2024',
  );
});
