/**
 * Where the search index over chunks stands in Redis; redis-chunks.ts writes it, redis-chunk-search.ts reads it. Keys,
 * all below `…:<build>:`, so that they are in the slot of their projection:
 *
 *   meta                hash: last ids of chunks (`id`), changes (`changed`), partitions; number of each partition
 *                       (`partition <corpus> <layer>`) and of each kind of vector (`vectors <dimension> <embedder>`);
 *                       of each partition what was ever added to it (`size <partition>`)
 *   stems, sounds       sorted sets: every stem; sound key and stem
 *   docs, changed       hash: document → visible revision; sorted set: document by the number of its last change
 *   living              hash: document → its living revisions, JSON
 *   r:<doc>/<rev>       hash: facts, partition, layer, `runs` of chunk ids, per embedder which ordinals have vectors
 *   c:<id>              hash: a chunk, its text and its fingerprint
 *   t:<partition>:<id>      hash: its stems and prefixes, language and document, indexed by `t:<partition>`
 *   v:<kind>:<partition>:<id>  hash: its vector, indexed by `v:<kind>:<partition>`
 *   n:<partition>:<number>, u:<partition>:<unit>   sets: where a structural number stands; the numbers of a unit
 *   dead                set of revisions to be swept
 *
 * All ids are given in the order of the events and count from the committed ones: whoever makes the same commit
 * writes the same. So chunks can be written ahead of it, nobody sees them before their revision is published.
 */
import type { ChunkLocation } from '../entries.ts';
import type { Run } from '../runs.ts';
import type { Index } from './redis-index.ts';

/** The key of a revision below its document's. */
export const revKey = (docId: number, revision: number) => `${docId}/${revision}`;

/** Stands before a prefix, so that it is never taken for a stem: the server counts a term over all fields. */
export const prefixMark = '·';

/** Weights as in the embedded index; that of a prefix is given with the query. */
const textFields = [
  { name: 'title', type: 'TEXT', options: ['NOSTEM', 'WEIGHT', '3'] },
  { name: 'body', type: 'TEXT', options: ['NOSTEM'] },
  { name: 'lang', type: 'TAG', options: [] },
  { name: 'doc', type: 'TAG', options: [] },
] as const;

export const textIndex = (name: string): Index => ({ name, fields: textFields });

/** Without approximation: 50,000 vectors of 256 dimensions are compared in a few milliseconds, and load quickly. */
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

/** A corpus' id holds no space. */
export const partitionField = (corpusId: string, layer: string) => `partition ${corpusId} ${layer}`;
export const sizeField = (partition: string) => `size ${partition}`;
export const vectorField = (embedder: string, dimension: number) => `vectors ${dimension} ${embedder}`;
/** The embedder of such a field; null for another field. */
export const embedderOf = (field: string): string | null => /^vectors \d+ (.+)$/s.exec(field)?.[1] ?? null;
export const embeddedField = (embedder: string) => `e ${embedder}`;

/** The indexes of the partitions and kinds of vectors that `meta` tells of. */
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

/** The kinds of vectors that `meta` tells of: one for each dimension of an embedder. */
export const vectorKinds = (meta: Readonly<Record<string, string>>): { embedder: string; kind: string }[] =>
  Object.entries(meta).flatMap(([field, kind]) => {
    const [, , embedder] = /^vectors (\d+) (.*)$/.exec(field) ?? [];
    return embedder === undefined ? [] : [{ embedder, kind }];
  });

/** A stretch of chunks with the id of the first. */
export type IdRun = [first: number, count: number, id: number];

export const countOf = (runs: readonly (Run | IdRun)[]): number => runs.reduce((sum, [, n]) => sum + n, 0);

/** The chunks of a revision in order. */
export function locationsOf(runs: readonly IdRun[]): ChunkLocation[] {
  return runs
    .flatMap(([first, count, id]) =>
      Array.from({ length: count }, (_, n) => ({ ordinal: first + n, id: id + n })),
    )
    .sort((a, b) => a.ordinal - b.ordinal);
}

/** A list in JSON; empty where it is missing or damaged. */
export function listOf<T>(json: string | null | undefined): T[] {
  try {
    const list: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
