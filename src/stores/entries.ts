/**
 * What a build holds, in the words of every store: entries with the same names and values wherever they are kept. Places
 * of records, ids of chunks and words, and numbers of spaces and changes are given in the order of the events, so that
 * they are alike too. What nobody sees any more (chunks of dead revisions) is no part of it.
 */
import type { Entry } from '../ports/read-models.ts';

/** Sorts as the number does. */
const padded = (n: number): string => String(n).padStart(12, '0');

/** The sections of a build in the order in which its entries come. */
const section = {
  chunk: 'chunk',
  count: 'count',
  document: 'document',
  record: 'record',
  revision: 'revision',
  space: 'space',
  word: 'word',
} as const;

/** `made`: how many had been made in its collection with it. `doc`: its JSON. */
export const recordEntry = (collection: string, key: string, made: number, doc: string): Entry => ({
  name: `${section.record} ${collection} ${key}`,
  value: `{"made":${made},"doc":${doc}}`,
});

export interface ChunkFacts {
  /** `<document>/<revision>`. */
  revision: string;
  ordinal: number;
  space: number;
  lang: string;
  titled: number;
  tokens: Uint8Array;
  /** Its JSON. */
  chunk: string;
  text: string;
  /** It is found by its structural number; the number is listed for its unit. */
  numbered: boolean;
  listed: boolean;
  vectors: { embedder: string; vector: Uint8Array }[];
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

export const chunkEntry = (id: number, { chunk, tokens, vectors, ...rest }: ChunkFacts): Entry => ({
  name: `${section.chunk} ${padded(id)}`,
  value: JSON.stringify({
    ...rest,
    chunk: JSON.parse(chunk),
    tokens: base64(tokens),
    vectors: Object.fromEntries(
      vectors
        .map(({ embedder, vector }) => [embedder, base64(vector)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }),
});

/** The last numbers given: of chunks, words, changes and spaces. */
export const countEntries = (counts: Record<'changes' | 'chunks' | 'spaces' | 'words', number>): Entry[] =>
  (['changes', 'chunks', 'spaces', 'words'] as const).map((what) => ({
    name: `${section.count} ${what}`,
    value: String(counts[what]),
  }));

/** `visible`: the revision that is seen; null for none. `changed`: the number of its last change. */
export const documentEntry = (docId: number, visible: number | null, changed: number): Entry => ({
  name: `${section.document} ${padded(docId)}`,
  value: JSON.stringify({ visible, changed }),
});

/** `embedded`: how many of its chunks have a vector, by embedder. */
export const revisionEntry = (
  [docId, revision]: readonly [number, number],
  space: number,
  facts: string,
  embedded: Readonly<Record<string, number>>,
): Entry => ({
  name: `${section.revision} ${padded(docId)} ${padded(revision)}`,
  value: JSON.stringify({
    space,
    facts: JSON.parse(facts),
    embedded: Object.fromEntries(Object.entries(embedded).sort(([a], [b]) => (a < b ? -1 : 1))),
  }),
});

export const spaceEntry = (space: number, corpusId: string, layer: string): Entry => ({
  name: `${section.space} ${padded(space)}`,
  value: JSON.stringify({ corpus_id: corpusId, layer }),
});

export const wordEntry = (id: number, word: string, stem: string, second: string | null): Entry => ({
  name: `${section.word} ${padded(id)}`,
  value: JSON.stringify({ word, stem, second }),
});
