import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KnowledgeGraph, type KnowledgeGraphDeps } from '../../src/asks/knowledge-graph.ts';
import { Failure } from '../../src/failures.ts';
import type { GraphNode } from '../../src/graph/graph.ts';
import type { GraphFigures } from '../../src/graph/graph-reads.ts';

const node = (count: number, id = 'name:court'): GraphNode => ({
  id,
  kind: 'name',
  name: 'Court',
  count,
  places: [],
});
const figures = (count: number): GraphFigures => ({
  nodes_by_kind: { name: count },
  edges_by_relation: { mentions: 1 },
  pairs: 1,
  top: [node(count)],
  updated_at: null,
});

/** A graph with counts given by the test, over documents that the test changes. `countMs`: see KnowledgeGraphDeps. */
function open(countMs = 60_000) {
  const counts: PromiseWithResolvers<GraphFigures>[] = [];
  const state = { changes: 0, isCaughtUp: true, layers: ['norm'] };
  const layer = (name: string) => ({ name, visibility: 'public', kind: 'text' });
  const graph = new KnowledgeGraph({
    graphs: {
      figures: () => {
        const counting = Promise.withResolvers<GraphFigures>();
        counts.push(counting);
        return counting.promise;
      },
    },
    catalog: {
      load: async () => ({
        corpora: { get: () => ({ active: true, settings: { layers: state.layers.map(layer) } }) },
      }),
    },
    progress: { changes: () => state.changes, checkpoint: () => null, hasReached: () => state.isCaughtUp },
    waitForOwnWrites: async () => {},
    countMs,
  } as unknown as KnowledgeGraphDeps);
  /** Resolves after this many counts were requested. */
  const counting = async (number: number) => {
    while (counts.length < number) await setImmediate();
  };
  return { graph, counts, state, counting };
}

test('statistics are counted once until the documents change', async () => {
  const { graph, counts, state, counting } = open();
  const asked = [graph.stats(['a']), graph.stats(['a'])];
  await counting(1);
  counts[0]!.resolve(figures(3));
  for (const stats of await Promise.all(asked)) expect(stats).toMatchObject({ nodes: 3, up_to_date: true });
  await graph.stats(['a']);
  expect(counts).toHaveLength(1);
  state.isCaughtUp = false;
  expect(await graph.stats(['a'])).toMatchObject({ nodes: 3, up_to_date: false });
});

test('statistics are returned during a long count: first empty, then the previous ones', async () => {
  const { graph, counts, state } = open(0);
  expect(await graph.stats(['a'])).toMatchObject({ nodes: 0, top_entities: [], up_to_date: false });
  counts[0]!.resolve(figures(3));
  await setImmediate();
  expect(await graph.stats(['a'])).toMatchObject({ nodes: 3, up_to_date: true });
  state.changes = 1;
  // The most frequent name may be from a withdrawn document.
  expect(await graph.stats(['a'])).toMatchObject({ nodes: 3, edges: 1, top_entities: [], up_to_date: false });
});

test('counts for other layers are not shown', async () => {
  const { graph, counts, state, counting } = open();
  const before = graph.stats(['a']);
  await counting(1);
  state.layers = [];
  const after = graph.stats(['a']);
  await setImmediate();
  counts[0]!.resolve(figures(3));
  expect(await before).toMatchObject({ top_entities: [{ id: 'name:court' }] });
  expect(await after).toMatchObject({ nodes: 0, top_entities: [], up_to_date: false });
});

test('statistics are returned while the records cannot be read', async () => {
  const { graph, counts, counting } = open();
  const asked = graph.stats(['a']);
  await counting(1);
  counts[0]!.reject(new Failure('unavailable', 'It is not built yet.'));
  expect(await asked).toMatchObject({ nodes: 0, up_to_date: false });
});

test('an entity that is most frequent in several corpora is counted once', async () => {
  const { graph, counts, counting } = open();
  const asked = graph.stats(['a', 'b']);
  for (const n of [0, 1]) {
    await counting(n + 1);
    counts[n]!.resolve(figures(n + 2));
  }
  expect(await asked).toMatchObject({
    by_corpus: { a: { nodes: 2 }, b: { nodes: 3 } },
    top_entities: [{ id: 'name:court', count: 5 }],
  });
});
