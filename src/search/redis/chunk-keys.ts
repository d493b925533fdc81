/**
 * The keys of the chunk index in Redis, which is written by chunks.ts with the commands of chunk-plan.ts, and read by
 * chunk-search.ts. All keys begin with `…:<build>:`, so that they are in the slot of their projection:
 *
 *   meta                hash: last ids of chunks (`id`), changes (`changed`), partitions; number of each partition
 *                       (`partition <corpus> <layer>`) and of each kind of vector (`vectors <dimension> <embedder>`);
 *                       the total ever added to each partition (`size <partition>`)
 *   stems, sounds       sorted sets: every stem; sound key and stem
 *   docs, changed       hash: document → visible revision; sorted set: document by the number of its last change
 *   living              hash: document → its living revisions, JSON
 *   r:<doc>/<rev>       hash: facts, corpus, partition, `runs` of chunk ids and their `count`, ordinals with vectors per
 *                       embedder, and how many chunks are `swept` if it is dead
 *   c:<id>              hash: a chunk, its text and its fingerprint
 *   t:<partition>:<id>      hash: its stems and prefixes, language, document, structural number and unit, indexed by
 *                       `t:<partition>`; and its location (`at`)
 *   v:<kind>:<partition>:<id>  hash: its vector, indexed by `v:<kind>:<partition>`
 *   dead                set of revisions to sweep
 *
 * Ids are assigned in event order, starting from the committed ones, so every process that makes the same commit writes
 * the same data. Chunks can therefore be written ahead of the commit; they are invisible until their revision is
 * published.
 */
import type { ChunkLocation } from '../../storage/entries.ts';
import type { Run } from '../ordinal-ranges.ts';
import type { Index } from './query-engine.ts';

/** Key suffix of a document's revision. */
export const revKey = (docId: number, revision: number) => `${docId}/${revision}`;

/** Marks prefixes so that they are never confused with stems, because the server counts a term across all fields. */
export const prefixMark = '·';

/** The same weights as in the embedded index. The query contains the weight of a prefix. */
const textFields = [
  { name: 'title', type: 'TEXT', options: ['NOSTEM', 'WEIGHT', '3'] },
  { name: 'body', type: 'TEXT', options: ['NOSTEM'] },
  { name: 'lang', type: 'TAG', options: [] },
  { name: 'doc', type: 'TAG', options: [] },
  { name: 'number', type: 'TAG', options: ['SEPARATOR', ';', 'CASESENSITIVE', 'SORTABLE', 'UNF'] },
  { name: 'unit', type: 'TAG', options: [] },
  { name: 'at', type: 'TAG', options: ['SORTABLE', 'UNF', 'NOINDEX'] },
] as const;

const textIndex = (name: string): Index => ({ name, fields: textFields });

/** Exact search: comparing 50,000 vectors of 256 dimensions takes a few milliseconds, and they load quickly. */
const vectorIndex = (name: string, dimension: number): Index => ({
  name,
  fields: [
    {
      name: 'v',
      type: 'VECTOR',
      options: ['FLAT', '6', 'TYPE', 'FLOAT32', 'DIM', String(dimension), 'DISTANCE_METRIC', 'COSINE'],
    },
  ],
});

/** A corpus id contains no space. */
export const partitionField = (corpusId: string, layer: string) => `partition ${corpusId} ${layer}`;
export const sizeField = (partition: string) => `size ${partition}`;
export const vectorField = (embedder: string, dimension: number) => `vectors ${dimension} ${embedder}`;
/** The embedder in such a field; null for any other field. */
export const embedderOf = (field: string): string | null => /^vectors \d+ (.+)$/s.exec(field)?.[1] ?? null;
export const embeddedField = (embedder: string) => `e ${embedder}`;

/** The indexes of the partitions and vector kinds listed in `meta`. */
export function chunkIndexes(prefix: string, meta: Readonly<Record<string, string>>): Index[] {
  const fields = Object.entries(meta);
  const partitions = fields.filter(([field]) => field.startsWith('partition '));
  const kinds = fields.filter(([field]) => field.startsWith('vectors '));
  return partitions.flatMap(([, partition]) => [
    textIndex(`${prefix}t:${partition}`),
    ...kinds.map(([field, kind]) =>
      vectorIndex(`${prefix}v:${kind}:${partition}`, Number(field.split(' ')[1])),
    ),
  ]);
}

/** The vector kinds listed in `meta`: one for each dimension of an embedder. */
export const vectorKinds = (meta: Readonly<Record<string, string>>): { embedder: string; kind: string }[] =>
  Object.entries(meta).flatMap(([field, kind]) => {
    const [, , embedder] = /^vectors (\d+) (.*)$/.exec(field) ?? [];
    return embedder === undefined ? [] : [{ embedder, kind }];
  });

/** A range of chunks, with the id of the first chunk. */
export type IdRun = [first: number, count: number, id: number];

export const countOf = (runs: readonly (Run | IdRun)[]): number => runs.reduce((sum, [, n]) => sum + n, 0);

/** The locations of a revision's chunks, in order. */
export function locationsOf(runs: readonly IdRun[]): ChunkLocation[] {
  return runs
    .flatMap(([first, count, id]) =>
      Array.from({ length: count }, (_, n) => ({ ordinal: first + n, id: id + n })),
    )
    .sort((a, b) => a.ordinal - b.ordinal);
}

/** Parses a JSON list; empty if it is missing or damaged. */
export function listOf<T>(json: string | null | undefined): T[] {
  try {
    const list: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
