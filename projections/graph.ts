/**
 * The read model of the knowledge graph: the visible documents, and the names, definitions and references in each
 * passage. Nodes and edges are assembled from these records when they are read (src/graph/graph-reads.ts), so that
 * replacing or withdrawing a revision removes exactly what that revision contributed.
 */
import { roleOf, statedByField } from '../src/domain/chunk-text.ts';
import type { Language, RevisionFacts } from '../src/domain/events.ts';
import { extract, givenMentions, type Mention, namePrefix, statedMention } from '../src/graph/extract.ts';
import {
  type GraphDocument,
  graphCollections,
  type PassageRecord,
  passageKey,
  passageKeys,
  searchedBy,
  tokens,
} from '../src/graph/records.ts';
import type { Doc, Write } from '../src/ports/read-models.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

const { documents, passages } = graphCollections;

const gone = (docId: number, revision: number, count: number | null): Write[] =>
  passageKeys(docId, revision, count ?? 0).map((key) => ({ op: 'delete', collection: passages, key }));

const kept = (docId: number, revision: number, ordinal: number, doc: Partial<PassageRecord>): Write => ({
  op: 'merge',
  collection: passages,
  key: passageKey(docId, revision, ordinal),
  doc: doc as Doc,
});

function stated(
  metadata: RevisionFacts['metadata'],
  role: 'person' | 'office',
  lang: Language,
): Mention | null {
  const name = Object.entries(statedByField(metadata)).find(([field]) => roleOf(field) === role)?.[1] ?? '';
  const kind = role === 'person' ? 'person' : 'organisation';
  const mention = statedMention(kind, name, lang);
  return mention.id === namePrefix ? null : mention;
}

export const graph: Projection = {
  name: 'graph',
  version: analysed(8),
  late: true,
  collections: [
    { name: documents, fields: { corpus_id: 'tag', doc_key: 'tag', found: 'text' } },
    { name: passages, fields: { corpus_id: 'tag', found: 'text', given: 'text' } },
  ],
  on: {
    ChunksAdded: ({ data: { doc_id, corpus_id, revision, first, from, text, chunks } }) => {
      const read = chunks.map((chunk) => ({
        ...chunk,
        text: text.slice(chunk.start - from, chunk.end - from),
      }));
      return extract(read).map((extracted, n) => {
        const { chunk_index, unit, number, start } = chunks[n]!;
        const found = [
          tokens.document(doc_id),
          ...(unit !== null && number !== null ? [tokens.own(unit, number)] : []),
          ...new Set(extracted.references.map((one) => tokens.to(one.unit, one.number))),
          searchedBy(extracted.mentions),
        ].join(' ');
        const ordinal = first + n;
        const place = { corpus_id, doc_id, revision, ordinal, chunk_index, unit, number, start };
        return kept(doc_id, revision, ordinal, { ...place, ...extracted, found });
      });
    },
    EntitiesExtracted: ({ data: { doc_id, revision, chunks } }) =>
      chunks.map(({ ordinal, lang, mentions }) => {
        const named = givenMentions(mentions, lang);
        return kept(doc_id, revision, ordinal, { named, given: searchedBy(named) });
      }),
    RevisionPublished: ({ data, time }) => {
      const { doc_id, corpus_id, doc_key, revision, title, lang, layer, chunk_count, replaces } = data;
      const [person, office] = [stated(data.metadata, 'person', lang), stated(data.metadata, 'office', lang)];
      const doc: GraphDocument = {
        doc_id,
        corpus_id,
        doc_key,
        revision,
        title,
        lang,
        layer: layer.name,
        chunk_count,
        person,
        office,
        published_at: time,
        found: searchedBy([person, office].filter((one) => one !== null)),
      };
      return [
        { op: 'put', collection: documents, key: String(doc_id), doc: { ...doc } },
        ...(replaces ? gone(doc_id, replaces.revision, replaces.chunk_count) : []),
      ];
    },
    RevisionAbandoned: ({ data }) => gone(data.doc_id, data.revision, data.chunk_count),
    DocumentWithdrawn: ({ data }) => [
      { op: 'delete', collection: documents, key: String(data.doc_id) },
      ...gone(data.doc_id, data.revision, data.chunk_count),
    ],
  },
};
