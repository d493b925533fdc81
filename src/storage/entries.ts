/**
 * The contents of a build in a form common to all stores: entries have the same names and values wherever they are
 * stored. Record numbers, chunk ids, and the numbers of partitions and changes are equal too, because they are assigned
 * in event order. Invisible data (chunks of dead revisions) is excluded.
 */
import type { Entry } from '../ports/read-models.ts';

/** Maximum number of entries listed or read per batch. */
export const portionMax = 500;

/** Pads a number so that its string form sorts numerically. */
const padded = (n: number): string => String(n).padStart(12, '0');

export type EntryKind = 'chunk' | 'count' | 'document' | 'record' | 'revision' | 'partition';

/** The counters: the last numbers assigned to changes, chunks and partitions. */
export const counterNames = ['changes', 'chunks', 'partitions'] as const;
export type CounterName = (typeof counterNames)[number];

export const nameOf = {
  chunk: (id: number) => `chunk ${padded(id)}`,
  count: (what: CounterName) => `count ${what}`,
  document: (docId: number) => `document ${padded(docId)}`,
  /** A collection name contains no space. */
  record: (collection: string, key: string) => `record ${collection} ${key}`,
  revision: (docId: number, revision: number) => `revision ${padded(docId)} ${padded(revision)}`,
  partition: (partition: number) => `partition ${padded(partition)}`,
};

/** Splits a name into the entry's kind and the rest. */
export function parseName(name: string): { kind: EntryKind; rest: string } {
  const end = name.indexOf(' ');
  return { kind: name.slice(0, end) as EntryKind, rest: name.slice(end + 1) };
}

/** `<collection> <key>`. */
export function parseRecord(rest: string): { collection: string; key: string } {
  const end = rest.indexOf(' ');
  return { collection: rest.slice(0, end), key: rest.slice(end + 1) };
}

/** `<document> <revision>`. */
export const parseRevision = (rest: string): [docId: number, revision: number] =>
  rest.split(' ').map(Number) as [number, number];

/** `made`: the collection's record counter when the record was created. `doc`: the record as JSON. */
export const recordValue = (made: number, doc: string): string => `{"made":${made},"doc":${doc}}`;

export interface ChunkFacts {
  /** `<document>/<revision>`. */
  revision: string;
  ordinal: number;
  partition: number;
  lang: string;
  titled: number;
  tokens: Uint8Array;
  /** The chunk as JSON. */
  chunk: string;
  text: string;
  /** Whether the full-text index contains it. */
  indexed: boolean;
  vectors: { embedder: string; vector: Uint8Array }[];
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const inOrder = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Invalid JSON is returned as text, so that damaged values can still be compared. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

export const chunkValue = ({ chunk, tokens, vectors, ...rest }: ChunkFacts): string =>
  JSON.stringify({
    ...rest,
    chunk: parsed(chunk),
    tokens: base64(tokens),
    vectors: inOrder(vectors.map(({ embedder, vector }) => [embedder, base64(vector)] as const)),
  });

/** `visible`: the visible revision; null if there is none. `changed`: the number of its last change. */
export const documentValue = (visible: number | null, changed: number): string =>
  JSON.stringify({ visible, changed });

/** The location of a chunk: its ordinal in the revision, and its id. */
export interface ChunkLocation {
  ordinal: number;
  id: number;
}

/** `locations`: those of its chunks, in order. `embedded`: the number of chunks with a vector, by embedder. */
export function revisionValue(
  partition: number,
  facts: string,
  locations: readonly ChunkLocation[],
  embedded: readonly (readonly [embedder: string, chunks: number])[],
): string {
  const runs: [ordinal: number, count: number, id: number][] = [];
  for (const { ordinal, id } of locations) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === ordinal && last[2] + last[1] === id) last[1]++;
    else runs.push([ordinal, 1, id]);
  }
  return JSON.stringify({ partition, facts: parsed(facts), runs, embedded: inOrder(embedded) });
}

export const partitionValue = (corpusId: string, layer: string): string =>
  JSON.stringify({ corpus_id: corpusId, layer });

/** Pairs names in a build with their values. Names without a value are dropped. */
export function entriesOf(names: readonly string[], values: readonly (string | null)[]): Entry[] {
  return values.flatMap((value, n) => (value === null ? [] : [{ name: names[n]!, value }]));
}
