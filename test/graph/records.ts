/** The graph's records in memory: its projection writes them, and a search must match the stem of every word. */
import { graph } from '../../projections/graph.ts';
import type { Chunk, EventTypes, Language, NamedSpan } from '../../src/domain/events.ts';
import { graphCollections } from '../../src/graph/records.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { Doc, Query, Write } from '../../src/ports/read-models.ts';
import { changed } from '../../src/read-models/records.ts';
import { stems } from '../../src/text/words.ts';

export function graphRecords() {
  const stored = new Map(Object.values(graphCollections).map((name) => [name, new Map<string, Doc>()]));
  const fields = new Map(graph.collections.map(({ name, fields }) => [name as string, fields]));
  const textOf = (name: string, doc: Doc) =>
    Object.entries(fields.get(name)!).flatMap(([field, type]) => (type === 'text' ? (doc[field] ?? '') : []));
  return {
    take(event: RecordedEvent): void {
      const handler = graph.on[event.type] as ((event: RecordedEvent) => Write[]) | undefined;
      for (const write of handler?.(event) ?? []) {
        if (!('collection' in write)) throw new Error(`${write.op} is not a known write.`);
        const collection = stored.get(write.collection as 'passages_in_graph')!;
        const doc = changed(collection.get(write.key) ?? null, write);
        if (doc === null) collection.delete(write.key);
        else collection.set(write.key, doc);
      }
    },
    keys: (name: keyof typeof graphCollections) => [...stored.get(graphCollections[name])!.keys()].sort(),
    reads: {
      find: async (name: string, { where = {}, search, limit = 50, offset = 0 }: Query) => {
        const wanted = search === undefined ? [] : stems(search);
        const all = [...stored.get(name as 'passages_in_graph')!]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, doc]) => doc)
          .filter((doc) => Object.entries(where).every(([field, value]) => doc[field] === value))
          .filter((doc) => {
            const had = new Set(stems(textOf(name, doc).join(' ')));
            return wanted.every((stem) => had.has(stem));
          });
        return { items: all.slice(offset, offset + limit), total: all.length };
      },
      getMany: async (name: string, keys: readonly string[]) =>
        keys.map((key) => stored.get(name as 'passages_in_graph')!.get(key) ?? null),
    },
  };
}

export interface Passage {
  text: string;
  unit?: string;
  number?: string;
  heading?: string;
  /** The entities found by a model; absent: no model was used. */
  named?: NamedSpan[];
}

interface Facts {
  doc_id: number;
  lang?: Language;
  layer?: string;
  title?: string;
  corpus_id?: string;
  metadata?: Record<string, unknown>;
}

const event = <T extends keyof EventTypes>(type: T, data: unknown): RecordedEvent =>
  ({ stream: 's', revision: 0, position: '1', id: 'e', version: 1, time, type, data }) as RecordedEvent;
const time = '2026-01-01T00:00:00.000Z';

/** The events of a document with a single revision. */
export function published(doc_key: string, facts: Facts, passages: readonly Passage[]): RecordedEvent[] {
  const { doc_id, lang = 'ru', layer = 'norm', title = doc_key, corpus_id = 'law', metadata = {} } = facts;
  const of = { doc_id, corpus_id, revision: 1 };
  let text = '';
  const chunks = passages.map(({ text: said, unit = null, number = null, heading = '' }, n): Chunk => {
    const start = text.length;
    text += `${said}\n\n`;
    const place = { chunk_index: number ?? String(n + 1).padStart(3, '0'), start, end: start + said.length };
    return { ...place, heading, path: [], unit, number, question: null, lang };
  });
  const named = passages.flatMap((one, ordinal) =>
    one.named ? [{ ordinal, lang, mentions: one.named }] : [],
  );
  return [
    event('ChunksAdded', { ...of, from: 0, first: 0, text, chunks }),
    ...(named.length > 0 ? [event('EntitiesExtracted', { ...of, model: 'm', chunks: named })] : []),
    event('RevisionPublished', {
      ...of,
      doc_key,
      title,
      lang,
      layer: { name: layer },
      metadata,
      chunk_count: chunks.length,
      replaces: null,
    }),
  ];
}

export const withdrawn = (doc_id: number, chunk_count: number): RecordedEvent =>
  event('DocumentWithdrawn', { doc_id, revision: 1, chunk_count });
