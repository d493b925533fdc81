/** The knowledge graph of the sample corpora, as its readers meet it while documents come and go. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GraphQuestion } from '../../src/graph/query.ts';
import { openSamples, type SampleService } from '../answering/sample-corpora.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { discrepancies } from './story.ts';

let service: SampleService;
beforeAll(async () => {
  service = await openSamples();
}, 120_000);
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

/** What readers see, but for revisions: a document that comes back is in a new one. */
const summary = (all: Awaited<ReturnType<typeof whole>>) =>
  all.map(({ nodes, edges }) => [
    nodes.map(({ id, name, count, source_refs }) => [id, name, count, source_refs]),
    edges.map(({ from, to, count, source_refs }) => [from, to, count, source_refs]),
  ]);

test('it tells what refers to an article, in the text that leads, with its places', async () => {
  const { nodes, edges } = await ask({ entity: 'Article 47', relation: 'refers_to' });
  const name = (id: string) => nodes.find((node) => node.id === id)!.name;
  const named = edges.map(({ from, to, source_refs }) => [name(from), name(to), source_refs]);
  expect(named).toContainEqual([
    'Constitution of the Republic of Kensai: Article 31',
    'Constitution of the Republic of Kensai: Article 47',
    ['norm/constitution-en#31'],
  ]);
});

test('a name is found in any of its forms, with the bodies around it', async () => {
  const { found, nodes } = await ask({ entity: 'Конституционным судом', limit: 20 });
  expect(nodes.find(({ id }) => id === found[0])?.name).toBe('Конституционный суд');
  expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(['Президент', 'Верховный суд']));
  const kazakh = await ask({ entity: 'Өкілдер палатасына', limit: 20 });
  expect(kazakh.nodes[0]?.name).toBe('Өкілдер палатасы');
});

test('what is restricted or no longer in force is not in it', async () => {
  const { nodes } = await ask({
    query: 'Молодёжная палата при Парламенте, Высший арбитражный суд',
    depth: 3,
  });
  for (const { name, places } of nodes) {
    expect(name).not.toContain('Молод');
    for (const { ref } of places) expect(ref).toMatch(/^(?!drafts|old)/);
  }
});

test('a document that is withdrawn takes its own away, and brings the same back', async () => {
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

/** Parts a name from its entity and joins it again; hands out the keys of the entity before, between and behind. */
async function partAndJoin({ app }: SampleService): Promise<(readonly string[])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-graph-'));
  writeFileSync(join(folder, 'court.md'), 'В зале заседает Верховный суд (далее — ВС). Споры решает ВС.');
  const of = { corpus_id: 'courts', layer: null, prune: false, yes: false };
  await app
    .ingest({ path: folder, ...of, actor: 'system' })
    .finally(() => rmSync(folder, { recursive: true }));
  await app.caughtUp();
  const acting = { name: 'olga', request_id: 'parting' };
  const question = { entity: 'Верховный суд', to: null, query: null, relation: null, depth: 1, limit: 1 };
  const keys = async () => (await app.graph.query('courts', question)).nodes[0]!.keys;
  const before = await keys();
  const { split_id } = await app.admin.splitEntity({ corpus_id: 'courts', key: 'name:вс' }, acting);
  const parted = await keys();
  await app.admin.undoSplit(split_id, acting);
  return [before, parted, await keys()];
}
const both = ['name:верховн суд', 'name:вс'];
const partedAndJoined = [both, ['name:верховн суд'], both];

test('an administrator parts what is not one, and undoes it; both stand in the audit log', async () => {
  expect(await partAndJoin(service)).toEqual(partedAndJoined);
  const { items } = await service.app.admin.auditLog({ actor: 'olga', limit: 2, offset: 0 });
  expect(items.map(({ action, target }) => [action, target])).toEqual([
    ['graph.undo_split', 'courts/name:вс'],
    ['graph.split', 'courts/name:вс'],
  ]);
});

test('its figures add up', async () => {
  const stats = await service.app.graph.stats(['krk_2026', 'reestr_texts']);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  expect(sum(stats.nodes_by_kind)).toBe(stats.nodes);
  expect(sum(stats.edges_by_relation)).toBe(stats.edges);
  expect(stats.by_corpus.krk_2026!.nodes + stats.by_corpus.reestr_texts!.nodes).toBe(stats.nodes);
  expect(stats.top_entities.map(({ name }) => name)).toContain('Президент');
});

test('after all that came and went, the read models are what the history makes', async () => {
  expect(await discrepancies(service.app)).toEqual({});
});

withRedis('over Redis', (start) => {
  test('it is the same, and its names are parted and joined', async () => {
    const server = await start();
    const other = await openSamples({ REDIS_URL: server.url, DOCENT_NAMESPACE: testNamespace() });
    try {
      expect(summary(await whole(other))).toEqual(summary(await whole()));
      expect(await partAndJoin(other)).toEqual(partedAndJoined);
    } finally {
      await other.close();
      await server.stop();
    }
  }, 120_000);
});
