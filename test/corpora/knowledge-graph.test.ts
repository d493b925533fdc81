import { expect, test } from 'vitest';
import { KnowledgeGraph, type KnowledgeGraphDeps } from '../../src/corpora/knowledge-graph.ts';

const open = (graphs: object) =>
  new KnowledgeGraph({
    graphs,
    catalog: { load: async () => ({ corpora: { get: () => ({ active: true, settings: { layers: [] } }) } }) },
    progress: { changes: () => 0, checkpoint: () => null, hasReached: () => true },
    apart: async () => [],
    waitForOwnWrites: async () => {},
  } as unknown as KnowledgeGraphDeps);

test('an amount is named in the language of the reader, if there is one', async () => {
  const node = { id: 'amount:20 day', kind: 'amount', name: '20 days', keys: [], count: 2, places: [] };
  const response = { found: [], nodes: [node], edges: [], cut: false, position: null, up_to_date: true };
  const graph = open({ query: async () => response });
  const question = { entity: 'x', to: null, query: null, relation: null, depth: 1, limit: 1 };
  const name = async (lang?: 'ru') => (await graph.query('a', question, lang)).nodes[0]!.name;
  expect(await name('ru')).toBe('20 дней');
  expect(await name()).toBe('20 days');
});

test('the figures tell of which corpus documents were left out', async () => {
  const figures = { nodes: 1, edges: 0, nodes_by_kind: {}, edges_by_relation: {}, pairs: 0, components: 1 };
  const graph = open({
    figures: async ({ corpus_id }: { corpus_id: string }) => ({
      ...{ ...figures, top: [], updated_at: null },
      ...{ up_to_date: true, position: null, partial: corpus_id === 'large' },
    }),
  });
  expect(await graph.stats(['large', 'small'])).toMatchObject({
    partial: true,
    by_corpus: { large: { partial: true }, small: { partial: false } },
  });
  expect(await graph.stats(['small'])).toMatchObject({ partial: false });
});
