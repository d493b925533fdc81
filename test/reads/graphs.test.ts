/** Graphs that are kept up while their records change, over records in memory. */
import { expect, test } from 'vitest';
import { extractEntities } from '../../src/graph/extract.ts';
import { chunkField, graphCollections, graphKey } from '../../src/graph/records.ts';
import type { Doc } from '../../src/ports/read-models.ts';
import { type GraphScope, KeptGraphs, type KeptGraphsOptions } from '../../src/reads/graphs.ts';

/** Records of documents of one chunk each; `read` counts the chunks that are read. */
function records() {
  const documents = new Map<number, Doc>();
  const chunks = new Map<string, Doc>();
  const read = { chunks: 0 };
  const gate = { open: Promise.resolve() };
  return {
    read,
    gate,
    put(doc_id: number, revision: number, text: string, layer = 'norm') {
      const record = {
        doc_id,
        revision,
        doc_key: `d${doc_id}`,
        corpus_id: 'law',
        title: `d${doc_id}`,
        lang: 'ru',
        layer,
      };
      documents.set(doc_id, {
        ...record,
        chunk_count: 1,
        stated: { person: null, office: null },
        published_at: `2026-01-0${revision}T00:00:00.000Z`,
      });
      const of = { text, lang: 'ru' as const, unit: null, number: null, heading: '' };
      const chunk = { chunk_index: '001', unit: null, number: null, start: 0, entities: extractEntities(of) };
      chunks.set(graphKey(doc_id, revision, 0), { [chunkField(0)]: chunk });
    },
    drop: (doc_id: number) => documents.delete(doc_id),
    reads: {
      find: async (_: string, { limit = 50, offset = 0 }) => ({
        items: [...documents.values()].slice(offset, offset + limit),
        total: documents.size,
      }),
      getMany: async (collection: string, keys: readonly string[]) => {
        expect(collection).toBe(graphCollections.chunks);
        await gate.open;
        read.chunks += keys.length;
        return keys.map((key) => chunks.get(key) ?? null);
      },
    } satisfies KeptGraphsOptions['reads'],
  };
}

const scope = (stamp: number, layers = ['norm', 'commentary']): GraphScope => ({
  ...{ corpus_id: 'law', layers, apart: [], stamp },
  position: String(stamp),
});
const question = { entity: null, to: null, query: null, relation: 'mentions' as const, depth: 1, limit: 50 };
const named = async (graphs: KeptGraphs, of: GraphScope) => {
  const { nodes, ...answer } = await graphs.query(of, question);
  return { ...answer, names: nodes.map(({ name }) => name).filter((name) => !name.startsWith('d')) };
};
const open = ({ reads }: ReturnType<typeof records>, options: Partial<KeptGraphsOptions> = {}) =>
  new KeptGraphs({ reads, weightMax: 1_000, waitMs: 60_000, ...options });

test('of a change only what it changes is read', async () => {
  const all = records();
  const graphs = open(all);
  all.put(1, 1, 'В городе Нуртау заседает Верховный суд.');
  all.put(2, 1, 'В городе Сазе живёт Арман Болатович Сейтов.', 'commentary');
  const first = await named(graphs, scope(1));
  expect(first.names).toEqual(expect.arrayContaining(['Нуртау', 'Верховный суд', 'Арман Болатович Сейтов']));
  expect(first).toMatchObject({ up_to_date: true, position: '1', partial: false });
  expect(all.read.chunks).toBe(2);
  all.put(2, 2, 'В городе Сазе заседает Сенат Кенсая.', 'commentary');
  const second = await named(graphs, scope(2));
  expect(second.names).not.toContain('Арман Болатович Сейтов');
  expect(second.position).toBe('2');
  expect(all.read.chunks).toBe(3);
  expect(await named(graphs, scope(2))).toEqual(second);
  expect(all.read.chunks).toBe(3);
});

test('what is gone is not told while what has come is still being read', async () => {
  const all = records();
  const graphs = open(all, { waitMs: 0 });
  all.put(1, 1, 'В городе Нуртау заседает Верховный суд.');
  all.put(2, 1, 'В городе Сазе живёт Арман Болатович Сейтов.');
  const untilMade = async (of: GraphScope) => {
    for (;;)
      try {
        return await named(graphs, of);
      } catch (error) {
        expect(error).toMatchObject({ code: 'unavailable' });
      }
  };
  while (!(await untilMade(scope(1))).up_to_date);
  const reading = Promise.withResolvers<void>();
  all.gate.open = reading.promise;
  all.drop(2);
  all.put(3, 1, 'Сенат Кенсая заседает в городе Маре.');
  const meanwhile = await untilMade(scope(2));
  expect(meanwhile).toMatchObject({ up_to_date: false, position: '1' });
  expect(meanwhile.names).toContain('Нуртау');
  expect(meanwhile.names).not.toContain('Арман Болатович Сейтов');
  reading.resolve();
  for (let answer = meanwhile; !answer.up_to_date; answer = await untilMade(scope(2)));
  expect((await named(graphs, scope(2))).names).toEqual(expect.arrayContaining(['Сенат Кенсая', 'Нуртау']));
});

test('a layer that is no longer to be seen is in no answer', async () => {
  const all = records();
  const graphs = open(all);
  all.put(1, 1, 'В городе Нуртау заседает Верховный суд.');
  all.put(2, 1, 'В городе Сазе живёт Арман Болатович Сейтов.', 'commentary');
  expect((await named(graphs, scope(1))).names).toContain('Арман Болатович Сейтов');
  expect((await named(graphs, scope(1, ['norm']))).names).not.toContain('Арман Болатович Сейтов');
});

test('a graph that is too large is of the documents that lead, and says so', async () => {
  const all = records();
  all.put(1, 1, 'В городе Сазе живёт Арман Болатович Сейтов.', 'commentary');
  all.put(2, 1, 'В городе Нуртау заседает Верховный суд.');
  const graphs = open(all, { weightMax: 4 });
  const answer = await named(graphs, scope(1));
  expect(answer).toMatchObject({ partial: true, cut: true });
  expect(answer.names).toEqual(['Верховный суд', 'Нуртау']);
  all.drop(2);
  expect((await named(graphs, scope(2))).names).toContain('Арман Болатович Сейтов');
});

test('graphs that were asked longest ago make room', async () => {
  const all = records();
  all.put(1, 1, 'В городе Нуртау заседает Верховный суд.');
  const graphs = open(all, { weightMax: 4 });
  await named(graphs, scope(1));
  await named(graphs, { ...scope(1), corpus_id: 'other' });
  expect(all.read.chunks).toBe(2);
  await named(graphs, scope(1));
  expect(all.read.chunks).toBe(3);
});

test('the whole of it is told in parts', async () => {
  const all = records();
  all.put(1, 1, 'В городе Нуртау заседает Верховный суд.');
  const part = await open(all).part(scope(1), 0);
  expect(part).toMatchObject({ next: null });
  const { nodes, edges } = await open(all).figures(scope(1), 1);
  expect([part.nodes.length, part.edges.length]).toEqual([nodes, edges]);
});

test('figures are made once for each state of a graph, however often they are asked for', async () => {
  const all = records();
  const graphs = open(all);
  all.put(1, 1, 'В городе Нуртау заседает Верховный суд.');
  const first = await graphs.figures(scope(1), 10);
  expect(first.nodes).toBeGreaterThan(1);
  expect((await graphs.figures(scope(1), 10)).top).toBe(first.top);
  expect((await graphs.figures(scope(1), 1)).top).toHaveLength(1);
  all.put(2, 1, 'В городе Сазе живёт Арман Болатович Сейтов.');
  const second = await graphs.figures(scope(2), 10);
  expect(second.nodes).toBeGreaterThan(first.nodes);
});

test('a name that is parted is an entity of its own, until it is joined again', async () => {
  const all = records();
  const graphs = open(all);
  all.put(1, 1, 'В зале заседает Верховный суд (далее — ВС). Споры решает ВС.');
  const names = async (apart: string[]) => (await named(graphs, { ...scope(1), apart })).names;
  expect(await names([])).toEqual(['Верховный суд']);
  expect((await names(['name:вс'])).sort()).toEqual(['ВС', 'Верховный суд']);
  expect(await names([])).toEqual(['Верховный суд']);
  expect(all.read.chunks).toBe(1);
});
