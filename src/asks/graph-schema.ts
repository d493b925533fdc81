/** Schemas for the statistics of the knowledge graph and for queries to it. */
import { type Static, Type } from 'typebox';
import { entityKinds, relations } from '../graph/graph.ts';
import { Count, Counts, exampleOf, orNull, record, sample, Time } from '../schema.ts';

const Occurrences = Type.Array(
  Type.Object({
    ref: Type.String({ description: '`<doc_key>#<chunk_index>`.' }),
    doc_id: Type.Integer(),
    revision: Type.Integer(),
    ordinal: Type.Integer({ description: 'Index of the passage in its revision, counted from 0.' }),
    start: Type.Integer({ description: "UTF-16 offset into the revision's text." }),
    end: Type.Integer(),
  }),
  {
    description:
      'The first locations that support it: at most 20, or fewer in a large answer (4,000 in total).',
  },
);
const SourceRefs = Type.Array(Type.String(), { description: 'The passages that contain these locations.' });
const occurrence = {
  ref: 'norm/constitution-ru#42',
  doc_id: 30,
  revision: 1,
  ordinal: 43,
  start: 7797,
  end: 7816,
};

export const GraphNode = record(
  'GraphNode',
  {
    id: Type.String({ description: 'Stable as long as the texts are unchanged.' }),
    kind: Type.Enum([...entityKinds], {
      description:
        'name: the kind is unknown; person, organisation, place and law come from metadata or a language model.',
    }),
    name: Type.String(),
    count: Count,
    source_refs: SourceRefs,
    places: Occurrences,
  },
  {
    example: {
      id: 'name:конституцион суд',
      kind: 'name',
      name: 'Конституционный суд',
      count: 14,
      source_refs: [occurrence.ref],
      places: [occurrence],
    },
  },
);
export type GraphNode = Static<typeof GraphNode>;

export const GraphEdge = record(
  'GraphEdge',
  {
    from: Type.String({ description: "A node's id." }),
    to: Type.String(),
    relation: Type.Enum([...relations]),
    count: Count,
    source_refs: SourceRefs,
    places: Occurrences,
  },
  {
    description:
      'mentions: a provision or document mentions an entity, or names it as its speaker; refers_to: it refers to a provision; defines: it defines a term; holds: a person holds an office.',
    example: {
      from: 'provision:norm/constitution-ru:article 31',
      to: 'provision:norm/constitution-ru:article 47',
      relation: 'refers_to',
      count: 1,
      source_refs: ['norm/constitution-ru#31'],
      places: [{ ...occurrence, ref: 'norm/constitution-ru#31' }],
    },
  },
);
export type GraphEdge = Static<typeof GraphEdge>;

const text = (description: string) => Type.Optional(orNull(Type.String({ maxLength: 2000, description })));

export const GraphQueryRequest = record(
  'GraphQueryRequest',
  {
    entity: text(
      'A name, in any form, a provision, or the id of a node: "Конституционного суда", "Article 47".',
    ),
    to: text('With `entity`: find the shortest path between the two.'),
    query: text('Any text: find the entities it names, and their neighbours.'),
    corpus_id: Type.Optional(
      orNull(
        Type.String({
          maxLength: 100,
          description: 'Identifier of an active corpus. Default: the default corpus.',
        }),
      ),
    ),
    relation: Type.Optional(
      orNull(
        Type.Enum([...relations], {
          description: 'Only edges of this kind; without other parameters, the strongest of them.',
        }),
      ),
    ),
    depth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3, default: 1, description: 'Distance in edges. Default: 1.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        default: 50,
        description: 'Maximum number of nodes; there are at most five times as many edges. Default: 50.',
      }),
    ),
  },
  {
    'x-first-of': ['entity', 'query', 'relation'],
    example: { entity: 'Article 47', relation: 'refers_to', corpus_id: 'krk_2026' },
  },
);
export type GraphQueryRequest = Static<typeof GraphQueryRequest>;

const node = exampleOf(GraphNode) as GraphNode;
const edge = exampleOf(GraphEdge) as GraphEdge;

export const GraphQueryResponse = record(
  'GraphQueryResponse',
  {
    corpus_id: Type.String(),
    found: Type.Array(Type.String(), {
      description: 'Ids of the entities named in the question, best first.',
    }),
    nodes: Type.Array(GraphNode, { description: 'The entities found first, then by distance.' }),
    edges: Type.Array(GraphEdge, {
      description:
        'Edges among these nodes: those of the found entities, strongest first, then those of their neighbours.',
    }),
    cut: Type.Boolean({ description: 'Whether the limits excluded some results.' }),
    up_to_date: Type.Boolean({
      description: 'False while published documents are still being added to the graph.',
    }),
    position: orNull(
      Type.String({ description: 'The position in the history up to which the graph was built; opaque.' }),
    ),
  },
  {
    example: {
      corpus_id: 'krk_2026',
      found: [node.id],
      nodes: [node],
      edges: [edge],
      cut: true,
      up_to_date: true,
      position: sample.position,
    },
  },
);
export type GraphQueryResponse = Static<typeof GraphQueryResponse>;

export const GraphStats = record(
  'GraphStats',
  {
    nodes: Count,
    edges: Count,
    nodes_by_kind: Counts('Nodes by kind.'),
    edges_by_relation: Counts('Edges by relation.'),
    by_corpus: Type.Record(Type.String(), Type.Object({ nodes: Count, edges: Count })),
    density: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of all pairs of nodes that have an edge.',
    }),
    top_entities: Type.Array(GraphNode),
    updated_at: orNull(Time),
    up_to_date: Type.Boolean({
      description: 'False while published documents are still being added or counted.',
    }),
  },
  {
    example: {
      nodes: 398,
      edges: 2059,
      nodes_by_kind: { name: 73, provision: 151 },
      edges_by_relation: { mentions: 878, refers_to: 66 },
      by_corpus: { krk_2026: { nodes: 398, edges: 2059 } },
      density: 0.026,
      top_entities: [node],
      updated_at: sample.now,
      up_to_date: true,
    },
  },
);
export type GraphStats = Static<typeof GraphStats>;
