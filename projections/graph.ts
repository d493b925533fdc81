/**
 * What the knowledge graph is folded from: the documents that are visible, and the entities of each chunk. A record
 * of chunks belongs to its revision alone, so that a revision replaced or withdrawn takes exactly its own away.
 */
import { extractEntities } from '../src/graph/extract.ts';
import { givenMentions } from '../src/graph/given.ts';
import { chunkField, givenField, graphCollections, graphKey, graphKeys } from '../src/graph/records.ts';
import { statedMentions } from '../src/graph/stated.ts';
import type { Doc, Write } from '../src/ports/read-models.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

const { documents, chunks } = graphCollections;

const gone = (
  docId: number,
  { revision, chunk_count }: { revision: number; chunk_count: number | null },
): Write[] =>
  graphKeys(docId, revision, chunk_count ?? 0).map((key) => ({ op: 'delete', collection: chunks, key }));

/** What is to be kept of chunks, with the records that hold them. */
function kept(
  docId: number,
  revision: number,
  fields: Iterable<[ordinal: number, name: string, value: unknown]>,
): Write[] {
  const records = new Map<string, Doc>();
  for (const [ordinal, name, value] of fields) {
    const key = graphKey(docId, revision, ordinal);
    const doc = records.get(key) ?? {};
    doc[name] = value;
    records.set(key, doc);
  }
  return [...records].map(([key, doc]) => ({ op: 'merge', collection: chunks, key, doc }));
}

/** A text's first line, as long as a name may be. */
function openingOf(heading: string, text: string): string {
  const [line = ''] = (heading || text).trim().split('\n', 1);
  if (line.length <= openingMax) return line;
  const cut = line.slice(0, openingMax);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).trimEnd()}…`;
}
const openingMax = 80;

export const graph: Projection = {
  name: 'graph',
  version: analysed(7),
  late: true,
  collections: [
    { name: documents, fields: { corpus_id: 'tag' } },
    { name: chunks, fields: {} },
  ],
  on: {
    ChunksAdded: ({ data: { doc_id, revision, first, from, text, chunks: added } }) =>
      kept(
        doc_id,
        revision,
        added.map((chunk, n) => {
          const { chunk_index, unit, number, start, end, heading } = chunk;
          const own = text.slice(start - from, end - from);
          const ordinal = first + n;
          const opening = ordinal === 0 ? { opening: openingOf(heading, own) } : {};
          const entities = extractEntities({ ...chunk, text: own });
          return [ordinal, chunkField(ordinal), { chunk_index, unit, number, start, ...opening, entities }];
        }),
      ),
    EntitiesExtracted: ({ data: { doc_id, revision, chunks: extracted } }) =>
      kept(
        doc_id,
        revision,
        extracted.map(({ ordinal, lang, mentions }) => [
          ordinal,
          givenField(ordinal),
          givenMentions(mentions, lang),
        ]),
      ),
    RevisionPublished: ({ data, time }) => {
      const { doc_id, corpus_id, doc_key, revision, title, lang, layer, chunk_count, replaces } = data;
      const stated = statedMentions(data.metadata, lang);
      const doc = {
        doc_id,
        corpus_id,
        doc_key,
        revision,
        title,
        lang,
        layer: layer.name,
        chunk_count,
        stated,
        published_at: time,
      };
      return [
        { op: 'put', collection: documents, key: String(doc_id), doc },
        ...(replaces ? gone(doc_id, replaces) : []),
      ];
    },
    RevisionAbandoned: ({ data }) => gone(data.doc_id, data),
    DocumentWithdrawn: ({ data }) => [
      { op: 'delete', collection: documents, key: String(data.doc_id) },
      ...gone(data.doc_id, data),
    ],
  },
};
