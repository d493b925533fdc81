/** The knowledge graph of the sample corpora, as readers see it while documents are added and withdrawn. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GraphQuestion } from '../../src/graph/graph.ts';
import { openSamples, type SampleService } from '../answering/sample-corpora.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { discrepancies } from './story.ts';

let service: SampleService;
beforeAll(async () => {
  service = await openSamples();
});
afterAll(() => service.close());

const ask = (question: Partial<GraphQuestion>, { app } = service) =>
  app.graph.query('krk_2026', {
    entity: null,
    to: null,
    query: null,
    relation: null,
    depth: 1,
    limit: 200,
    ...question,
  });
const whole = async (of = service) => [
  await ask({ relation: 'refers_to' }, of),
  await ask({ relation: 'mentions' }, of),
];

/** The visible content except revisions, because a restored document has a new one. */
const summary = (all: Awaited<ReturnType<typeof whole>>) =>
  all.map(({ nodes, edges }) => [
    nodes.map(({ id, name, count, source_refs }) => [id, name, count, source_refs]),
    edges.map(({ from, to, count, source_refs }) => [from, to, count, source_refs]),
  ]);

test('the graph shows references to an article, in the leading text, with their places', async () => {
  const { nodes, edges } = await ask({ entity: 'Article 47', relation: 'refers_to' });
  const name = (id: string) => nodes.find((node) => node.id === id)!.name;
  const named = edges.map(({ from, to, source_refs }) => [name(from), name(to), source_refs]);
  expect(named).toContainEqual([
    'Constitution of the Republic of Kensai: Article 31',
    'Constitution of the Republic of Kensai: Article 47',
    ['norm/constitution-en#31'],
  ]);
});

test('a name is found in any of its forms, with its connected bodies', async () => {
  const { found, nodes } = await ask({ entity: 'Конституционным судом', depth: 2 });
  expect(nodes.find(({ id }) => id === found[0])?.name).toBe('Конституционный суд');
  expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(['Президент', 'Верховный суд']));
  const kazakh = await ask({ entity: 'Жоғарғы Сотқа', limit: 20 });
  expect(kazakh.nodes[0]?.name).toBe('Жоғарғы Сот');
});

test('restricted and superseded text is not in the graph', async () => {
  const { nodes } = await ask({
    query: 'Молодёжная палата при Парламенте, Высший арбитражный суд',
    depth: 3,
  });
  for (const { name, places } of nodes) {
    expect(name).not.toContain('Молод');
    for (const { ref } of places) expect(ref).toMatch(/^(?!drafts|old)/);
  }
});

test('a withdrawn document disappears from the graph, and reappears with the same content when restored', async () => {
  const before = await whole();
  const { items } = await service.app.documents('krk_2026', { limit: 100, offset: 0 });
  const note = items.find(({ doc_key }) => doc_key === 'commentary/ru/statya-14')!;
  const acting = { name: 'olga', request_id: 'none' };
  await service.app.admin.withdraw(Number(note.doc_id), acting);
  await service.app.caughtUp();
  const without = await whole();
  for (const { nodes, edges } of without)
    for (const { source_refs } of [...nodes, ...edges])
      expect(source_refs.some((ref) => ref.startsWith('commentary/ru/statya-14#'))).toBe(false);
  expect(without[0]!.edges.length).toBeLessThan(before[0]!.edges.length);
  await service.app.admin.restore(Number(note.doc_id), acting);
  await service.app.caughtUp();
  expect(summary(await whole())).toEqual(summary(before));
});

test('the figures of the graph add up', async () => {
  const stats = await service.app.graph.stats(['krk_2026', 'reestr_texts']);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  expect(sum(stats.nodes_by_kind)).toBe(stats.nodes);
  expect(sum(stats.edges_by_relation)).toBe(stats.edges);
  expect(stats.by_corpus.krk_2026!.nodes + stats.by_corpus.reestr_texts!.nodes).toBe(stats.nodes);
  expect(stats.up_to_date).toBe(true);
});

test('the first nodes shown are names, each shown once', async () => {
  const stats = await service.app.graph.stats(['krk_2026']);
  expect(stats.top_entities.map(({ name }) => name)).toEqual([
    'Президент',
    'President',
    'Республика',
    'Парламент',
    'Конституция',
    'Republic',
    'Палата представителей',
    'Премьер-Министр',
    'House of Representatives',
    'Parliament',
  ]);
});

test('after all these changes the read models match the history', async () => {
  expect(await discrepancies(service.app)).toEqual({});
});

withRedis('over Redis', (start) => {
  test('the graph is the same', async () => {
    const server = await start();
    const other = await openSamples({ REDIS_URL: server.url, DOCENT_NAMESPACE: testNamespace() });
    try {
      expect(summary(await whole(other))).toEqual(summary(await whole()));
    } finally {
      await other.close();
      await server.stop();
    }
  });
});
