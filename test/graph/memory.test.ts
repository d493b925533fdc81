import { expect, test } from 'vitest';
import { kept } from '../support/memory.ts';

test('a name that stands once takes little more than itself', async () => {
  const names = 50_000;
  const [keptMb] = await kept(
    { GraphFold: new URL('../../src/graph/fold.ts', import.meta.url) },
    `
    const mention = (n) => JSON.parse(JSON.stringify({
      kind: 'topic', surface: 'name ' + n, name: 'name ' + n, key: 'topic:name ' + n, start: 0, end: 10,
      sure: false, kindKnown: true, rank: 0, provision: null,
    }));
    const document = (doc_id, count) => ({
      doc_id, corpus_id: 'c', doc_key: 'd' + doc_id, revision: 1, title: 't', lang: 'en', layer: 'main',
      chunk_count: 1, stated: { person: null, office: null }, published_at: '2026-01-01T00:00:00.000Z',
      chunks: [{
        chunk_index: '1', unit: null, number: null, start: 0,
        entities: { mentions: Array.from({ length: count }, (_, n) => mention(doc_id * 1_000 + n)), statements: [] },
      }],
    });
    const fold = new GraphFold(() => 0);
    fold.add(document(0, 10));
    const before = mb('heapUsed');
    for (let n = 1; n <= ${names / 1_000}; n++) fold.add(document(n, 1_000));
    print(mb('heapUsed') - before, fold.weight);`,
  );
  // 0.4 KB each; with a collection for what each stands in and is called, a kilobyte.
  expect(Number(keptMb) * 2 ** 20).toBeLessThan(names * 700);
});
