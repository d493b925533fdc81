/** What the graph is folded from, over histories at random. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graph } from '../../projections/graph.ts';
import { graphCollections, graphKey } from '../../src/graph/records.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { Doc, Write } from '../../src/ports/read-models.ts';
import { type GraphScope, KeptGraphs } from '../../src/reads/graphs.ts';
import { histories } from '../support/random-history.ts';

const { documents, chunks } = graphCollections;

/** The records as a store keeps them. */
function recorded() {
  const stored = new Map<string, Map<string, Doc>>([documents, chunks].map((name) => [name, new Map()]));
  return {
    take(event: RecordedEvent): void {
      const handler = graph.on[event.type] as ((event: RecordedEvent) => Write[]) | undefined;
      for (const write of handler?.(event) ?? []) {
        if (write.op === 'put') stored.get(write.collection)!.set(write.key, write.doc);
        else if (write.op === 'delete') stored.get(write.collection)!.delete(write.key);
        else throw new Error(`${write.op} is not among what is written.`);
      }
    },
    keys: (collection: string) => [...stored.get(collection)!.keys()].sort(),
    reads: {
      find: async (name: string, { limit = 50, offset = 0 }) => {
        const all = [...stored.get(name)!.values()];
        return { items: all.slice(offset, offset + limit), total: all.length };
      },
      getMany: async (name: string, keys: readonly string[]) =>
        keys.map((key) => stored.get(name)!.get(key) ?? null),
    },
  };
}

/** The chunks that belong to what is visible or being written. */
function expected(events: readonly RecordedEvent[]): string[] {
  const counts = new Map<string, number>();
  const drop = (doc: number, revision: number) => counts.delete(`${doc}.${revision}`);
  for (const { type, data } of events) {
    if (type === 'ChunksAdded')
      counts.set(`${data.doc_id}.${data.revision}`, data.first + data.chunks.length);
    else if (type === 'RevisionPublished' && data.replaces) drop(data.doc_id, data.replaces.revision);
    else if (type === 'RevisionAbandoned' || type === 'DocumentWithdrawn') drop(data.doc_id, data.revision);
  }
  return [...counts]
    .flatMap(([of, count]) => {
      const [doc, revision] = of.split('.').map(Number) as [number, number];
      return Array.from({ length: count }, (_, n) => graphKey(doc, revision, n));
    })
    .sort();
}

const limits = { weightMax: 100_000, waitMs: 60_000 };
const wholeAt = (graphs: KeptGraphs, stamp: number) => {
  const scope: GraphScope = { corpus_id: 'a', layers: ['main'], apart: [], stamp, position: null };
  return graphs.part(scope, 0).then(({ nodes, edges }) => ({ nodes, edges }));
};

test('whatever comes, is replaced, abandoned, withdrawn and comes again leaves what is there, and the graph of that', async () => {
  await fc.assert(
    fc.asyncProperty(histories(14), fc.nat({ max: 5 }), async (events, every) => {
      const store = recorded();
      const kept = new KeptGraphs({ reads: store.reads, ...limits });
      for (const [n, event] of events.entries()) {
        store.take(event);
        if (n % (every + 1) === 0) await wholeAt(kept, n);
      }
      expect(store.keys(chunks)).toEqual(expected(events));
      const afresh = new KeptGraphs({ reads: store.reads, ...limits });
      expect(await wholeAt(kept, events.length)).toEqual(await wholeAt(afresh, 0));
    }),
    { numRuns: 60 },
  );
});
