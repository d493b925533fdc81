import { expect, test } from 'vitest';
import { addressOf } from '../../src/answering/writing/sources.ts';
import { bridge } from './passages.ts';

const inTown = {
  lang: 'en' as const,
  corpus: {
    title: { en: 'The Bridges of the Town', ru: 'Мосты города' },
    description: null,
    languages: [],
    styles: [],
    layers: [],
  },
};

test('names a passage by its file if other documents have the same title', () => {
  const hit = bridge('The bridge is red.');
  const facts = { ...hit.facts, doc_key: 'town/faq-bridges', title: 'Questions', event_date: '2024-05-01' };
  const found = { ...hit, facts, chunk: { ...hit.chunk, heading: 'What colour is it?' } };
  expect(addressOf(found, inTown)).toBe('Questions, What colour is it?, 1 May 2024');
  expect(addressOf({ ...found, namesake: true }, inTown)).toBe(
    'Questions [faq-bridges], What colour is it?, 1 May 2024',
  );
});

test("names a document that shares its corpus's name by its heading alone, if it has one", () => {
  const hit = bridge('The bridge is red.');
  const found = { ...hit, facts: { ...hit.facts, title: 'The Bridges of the Town', event_date: null } };
  const under = (heading: string) => ({ ...found, chunk: { ...hit.chunk, heading } });
  expect(addressOf(under('Article 2. Colours'), inTown)).toBe('Article 2. Colours');
  expect(addressOf({ ...under('Article 2. Colours'), namesake: true }, inTown)).toContain(
    'The Bridges of the Town',
  );
  expect(addressOf(under(''), inTown)).toBe('The Bridges of the Town');
  const notes = { ...found.facts, title: 'Notes on the Bridges of the Town' };
  expect(addressOf({ ...under('Article 2. Colours'), facts: notes }, inTown)).toBe(
    'Notes on the Bridges of the Town, Article 2. Colours',
  );
});
