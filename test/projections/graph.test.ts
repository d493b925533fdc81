/** What the graph is folded from, over histories at random. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graph } from '../../projections/graph.ts';
import { chunkField, givenField, graphCollections } from '../../src/graph/records.ts';
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
        const collection = 'collection' in write ? stored.get(write.collection)! : new Map<string, Doc>();
        if (write.op === 'put') collection.set(write.key, write.doc);
        else if (write.op === 'merge')
          collection.set(write.key, { ...collection.get(write.key), ...write.doc });
        else if (write.op === 'delete') collection.delete(write.key);
        else throw new Error(`${write.op} is not among what is written.`);
      }
    },
    /** What is kept of chunks, by its revision and its field. */
    chunks: () =>
      [...stored.get(chunks)!]
        .flatMap(([key, doc]) =>
          Object.keys(doc).map((field) => `${key.slice(0, key.lastIndexOf('.'))} ${field}`),
        )
        .sort(),
    records: () => stored.get(chunks)!.size,
    get: (key: string) => stored.get(chunks)!.get(key),
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

/** The chunks that belong to what is visible or being written, and what a model found in them. */
function expected(events: readonly RecordedEvent[]): string[] {
  const fields = new Map<string, string[]>();
  const add = (doc: number, revision: number, more: string[]) => {
    const name = `${doc}.${revision}`;
    fields.set(name, [...(fields.get(name) ?? []), ...more]);
  };
  const drop = (doc: number, revision: number) => fields.delete(`${doc}.${revision}`);
  for (const { type, data } of events) {
    if (type === 'ChunksAdded')
      add(
        data.doc_id,
        data.revision,
        data.chunks.map((_, n) => chunkField(data.first + n)),
      );
    else if (type === 'EntitiesExtracted')
      add(
        data.doc_id,
        data.revision,
        data.chunks.map(({ ordinal }) => givenField(ordinal)),
      );
    else if (type === 'RevisionPublished' && data.replaces) drop(data.doc_id, data.replaces.revision);
    else if (type === 'RevisionAbandoned' || type === 'DocumentWithdrawn') drop(data.doc_id, data.revision);
  }
  return [...fields].flatMap(([of, names]) => names.map((name) => `${of} ${name}`)).sort();
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
      expect(store.chunks()).toEqual(expected(events));
      const afresh = new KeptGraphs({ reads: store.reads, ...limits });
      expect(await wholeAt(kept, events.length)).toEqual(await wholeAt(afresh, 0));
    }),
    { numRuns: 60 },
  );
});

describe('a large document', () => {
  const of = { doc_id: 7, corpus_id: 'a', revision: 2 };
  const text = 'Верховный суд заседает в Нуртау.';
  const at = {
    stream: 's',
    revision: 0,
    position: '1',
    id: 'e',
    version: 1,
    time: '2026-01-01T00:00:00.000Z',
  };
  const chunk = (n: number) => ({
    ...{ chunk_index: String(n), heading: '', path: [], number: null, unit: null, question: null },
    ...{ lang: 'ru', start: n * (text.length + 1), end: n * (text.length + 1) + text.length },
  });
  /** Chunks come 48 at a time, so that records are of several batches. */
  const added = (first: number) =>
    ({
      ...at,
      type: 'ChunksAdded',
      data: {
        ...{ ...of, first, from: first * (text.length + 1), text: Array(48).fill(text).join(' ') },
        chunks: Array.from({ length: 48 }, (_, n) => chunk(first + n)),
      },
    }) as unknown as RecordedEvent;

  test('is kept in records of 32 chunks, all of which go with it, and nothing of another revision', () => {
    const store = recorded();
    for (const first of [0, 48, 96]) store.take(added(first));
    const other = added(0);
    store.take({ ...other, data: { ...other.data, revision: 3 } } as RecordedEvent);
    expect(store.chunks()).toHaveLength(144 + 48);
    expect(store.records()).toBe(5 + 2);
    const withdrawn = {
      ...at,
      type: 'DocumentWithdrawn',
      data: { ...of, doc_key: 'd', chunk_count: 144, reason: null },
    };
    store.take(withdrawn as unknown as RecordedEvent);
    expect(store.chunks().every((name) => name.startsWith('7.3 '))).toBe(true);
    expect(store.chunks()).toHaveLength(48);
  });

  test('keeps what it opens with: its heading, else its first line, as long as a name may be', () => {
    const opening = (heading: string, said: string) => {
      const store = recorded();
      const event = added(0);
      const chunks = [{ ...chunk(0), heading, end: said.length }];
      store.take({ ...event, data: { ...event.data, text: said, chunks } } as unknown as RecordedEvent);
      return (store.get('7.2.0')![chunkField(0)] as { opening?: string }).opening;
    };
    expect(opening('О судах', 'О судах\n\nСуд заседает.')).toBe('О судах');
    expect(opening('', 'Суд заседает.\nИ решает.')).toBe('Суд заседает.');
    expect(opening('', 'слово '.repeat(40))).toBe(`${'слово '.repeat(13).trim()}…`);
    const store = recorded();
    store.take(added(48));
    expect(Object.values(store.get('7.2.1')!).every((one) => !('opening' in (one as object)))).toBe(true);
  });

  test('of 50,000 chunks is withdrawn by fewer than 2,000 writes', () => {
    const data = { ...of, doc_key: 'd', chunk_count: 50_000, reason: null };
    const withdraw = graph.on.DocumentWithdrawn as unknown as (event: object) => Write[];
    expect(withdraw({ ...at, type: 'DocumentWithdrawn', data }).length).toBeLessThan(2_000);
  });
});
