/**
 * What the knowledge graph is folded from: the documents that are visible, and the entities of each chunk. A chunk's
 * record belongs to its revision alone, so that a revision replaced or withdrawn takes exactly its own away.
 */
import { extractEntities } from '../src/graph/extract.ts';
import { givenMentions } from '../src/graph/given.ts';
import { graphCollections, graphKey } from '../src/graph/records.ts';
import type { Write } from '../src/ports/read-models.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

const { documents, chunks } = graphCollections;

const gone = (
  docId: number,
  { revision, chunk_count }: { revision: number; chunk_count: number | null },
): Write[] =>
  Array.from({ length: chunk_count ?? 0 }, (_, ordinal) => ({
    op: 'delete',
    collection: chunks,
    key: graphKey(docId, revision, ordinal),
  }));

export const graph: Projection = {
  name: 'graph',
  version: analysed(3),
  collections: [
    { name: documents, fields: { corpus_id: 'tag' } },
    { name: chunks, fields: {} },
  ],
  on: {
    ChunksAdded: ({ data: { doc_id, revision, first, from, text, chunks: added } }) =>
      added.map((chunk, n) => {
        const { chunk_index, unit, number, start, end } = chunk;
        const entities = extractEntities({ ...chunk, text: text.slice(start - from, end - from) });
        const doc = { chunk_index, unit, number, start, entities };
        return { op: 'put', collection: chunks, key: graphKey(doc_id, revision, first + n), doc };
      }),
    EntitiesExtracted: ({ data: { doc_id, revision, chunks: extracted } }) =>
      extracted.map(({ ordinal, lang, mentions }) => ({
        op: 'merge',
        collection: chunks,
        key: graphKey(doc_id, revision, ordinal),
        doc: { given: givenMentions(mentions, lang) },
      })),
    RevisionPublished: ({ data, time }) => {
      const { doc_id, corpus_id, doc_key, revision, title, lang, layer, chunk_count, replaces } = data;
      const doc = {
        doc_id,
        corpus_id,
        doc_key,
        revision,
        title,
        lang,
        layer: layer.name,
        chunk_count,
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
