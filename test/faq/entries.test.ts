/** Entries are read again whenever one has changed; a question that was analysed then is not analysed anew. */
import { expect, test } from 'vitest';
import { FaqEntries } from '../../src/faq/entries.ts';

const record = (question: string, lang = 'en') => ({
  corpus_id: 'town',
  lang,
  question,
  keys: 'bridge',
  answer: '',
});

test('questions that stay are analysed once, those that change again', async () => {
  let changes = 1;
  let records = [record('Who built the bridge?'), record('When was the bridge built?')];
  const entries = new FaqEntries(
    {
      find: async (_, { limit = 0, offset = 0 }) => ({
        items: records.slice(offset, offset + limit),
        total: records.length,
      }),
    },
    { changes: () => changes },
  );
  const held = () => entries.under('town', 'en', ['bridge']);
  const before = await held();
  expect(before.map(({ record: { question } }) => question)).toEqual(records.map(({ question }) => question));

  records = [record('Who built the bridge?'), record('Who paid for the bridge?')];
  expect(await held()).toEqual(before);
  changes++;
  const after = await held();
  expect(after.map(({ record: { question } }) => question)).toEqual(records.map(({ question }) => question));
  expect(after[0]!.analysed).toBe(before[0]!.analysed);
  expect(after[1]!.analysed).not.toEqual(before[1]!.analysed);
});

test('the same words in another language are another question', async () => {
  let changes = 1;
  let records = [record('Bank?')];
  const entries = new FaqEntries(
    { find: async () => ({ items: records, total: records.length }) },
    { changes: () => changes },
  );
  expect((await entries.under('town', 'en', ['bridge']))[0]!.analysed.lang).toBe('en');
  records = [record('Bank?', 'ru')];
  changes++;
  expect((await entries.under('town', 'ru', ['bridge']))[0]!.analysed.lang).toBe('ru');
});
