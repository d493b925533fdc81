/** A question with two valid answers: neither is repeated for others. */
import { expect, test } from 'vitest';
import { faq } from '../../projections/faq.ts';
import { networkOf, subjectOf } from '../../src/access/networks.ts';
import type { CorpusState } from '../../src/domain/catalog.ts';
import type { RecordedSource } from '../../src/domain/events.ts';
import { FaqCache, type FaqCacheDeps } from '../../src/faq/cache.ts';
import type { Doc } from '../../src/ports/read-models.ts';

const layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' } as const;
const corpus = {
  corpus_id: 'town',
  active: true,
  settings: { title: 'Town', description: null, languages: ['en'], styles: [], layers: [layer] },
} as unknown as CorpusState;
const source = { doc_id: 3, revision: 2, content_hash: 'hash', chunk_index: '001' } as RecordedSource;

/** The cache over records that change when it asks for changes to be recorded. */
function open() {
  const documents: Record<string, Doc> = {
    '3': { status: 'published', corpus_id: 'town', layer: 'norm', revision: 2, content_hash: 'hash' },
  };
  const records = new Map<string, Map<string, Doc>>();
  const today = { now: '2026-01-01T12:00:00.000Z' };
  const get = async (collection: string, key: string) =>
    collection === 'documents' ? (documents[key] ?? null) : (records.get(collection)?.get(key) ?? null);
  const cache = new FaqCache({
    reads: {
      get,
      getMany: async (name: string, keys: readonly string[]) =>
        Promise.all(keys.map((key) => get(name, key))),
    },
    commands: {
      catalog: { state: { corpora: new Map([['town', corpus]]) } },
      settings: { load: async () => ({ prompt: { version: 0 } }) },
      prompt: async () => ({ version: 0 }),
    },
    progress: {},
    clock: { now: () => new Date(today.now) },
    waitForOwnWrites: async () => {},
  } as unknown as FaqCacheDeps);
  const give = async (subject: string, answer: string) => {
    const repeatable = await cache.repeatable(
      { corpus_id: 'town', lang: 'en', style: null, query: 'Where does the bridge stand?' },
      { answer, sources: [source], subject },
    );
    const data = {
      request_id: subject,
      subject,
      corpus_id: 'town',
      lang: 'en',
      answer,
      sources: [source],
      citations: [],
      finish_reason: 'stop',
      repeatable,
    };
    for (const write of faq.on.AnswerGiven!({ data, time: today.now } as never)) {
      if (!('collection' in write)) continue;
      const held = records.get(write.collection) ?? new Map<string, Doc>();
      records.set(write.collection, held);
      if (write.op === 'delete') held.delete(write.key);
      else if (write.op === 'put') held.set(write.key, write.doc);
      else if (write.op === 'merge') held.set(write.key, { ...held.get(write.key), ...write.doc });
    }
    return repeatable;
  };
  return { give, documents, today, entries: () => records.get('faq')?.size ?? 0 };
}

test('two valid answers remove the entry, and prevent a new one', async () => {
  const { give, documents, entries } = open();
  for (const subject of ['a', 'b', 'c']) await give(subject, 'By the river.');
  expect(entries()).toBe(1);

  expect(await give('d', 'On the hill.')).toMatchObject({ contested: true, enters: false });
  expect(entries()).toBe(0);
  expect(await give('e', 'By the river.')).toMatchObject({ contested: true, enters: false });

  // The source is published again, so answers from its previous revision no longer count.
  documents['3'] = { ...documents['3'], revision: 3, content_hash: 'other' };
  expect(await give('f', 'Under the bridge.')).toMatchObject({ contested: false, enters: false });
});

test('an anonymous caller counts once, even on several days and from several networks of one block', async () => {
  const { give, today, entries } = open();
  const from = (address: string) => {
    const subject = subjectOf(networkOf(address), new Date(today.now), Buffer.from('secret'));
    return give(subject, 'By the river.');
  };
  for (const network of ['1', '2', '3', '4']) await from(`2001:db8:7:${network}::1`);
  expect(entries()).toBe(0);
  for (const day of ['02', '03', '04']) {
    today.now = `2026-01-${day}T12:00:00.000Z`;
    await from('192.0.2.1');
  }
  expect(entries()).toBe(0);
  await from('192.0.2.2');
  expect(entries()).toBe(0);
  expect(await from('2001:db8:8::1')).toMatchObject({ enters: true });
  expect(entries()).toBe(1);
});

test('keys count regardless of the day', async () => {
  const { give, today, entries } = open();
  for (const day of ['02', '03', '04']) {
    today.now = `2026-01-${day}T12:00:00.000Z`;
    await give(`key:${day}`, 'By the river.');
  }
  expect(entries()).toBe(1);
});
