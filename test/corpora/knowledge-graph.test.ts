import { expect, test } from 'vitest';
import { KnowledgeGraph, type KnowledgeGraphDeps } from '../../src/corpora/knowledge-graph.ts';

test('the figures tell of which corpus documents were left out', async () => {
  const figures = { nodes: 1, edges: 0, nodes_by_kind: {}, edges_by_relation: {}, pairs: 0, components: 1 };
  const corpus = { active: true, settings: { layers: [] } };
  const graph = new KnowledgeGraph({
    graphs: {
      figures: async ({ corpus_id }: { corpus_id: string }) => ({
        ...{ ...figures, top: [], updated_at: null },
        ...{ up_to_date: true, position: null, partial: corpus_id === 'large' },
      }),
    },
    catalog: { load: async () => ({ corpora: { get: () => corpus } }) },
    progress: { changes: () => 0, checkpoint: () => null, hasReached: () => true },
    apart: async () => [],
    waitForOwnWrites: async () => {},
  } as unknown as KnowledgeGraphDeps);
  expect(await graph.stats(['large', 'small'])).toMatchObject({
    partial: true,
    by_corpus: { large: { partial: true }, small: { partial: false } },
  });
  expect(await graph.stats(['small'])).toMatchObject({ partial: false });
});
