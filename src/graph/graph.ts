/** The graph as it is read: nodes and edges with the places in texts that support them, and its figures. */
import { type ReferenceUnit, referenceUnits } from '../text/references/parse.ts';
import { type EntityKind, entityKinds } from './mentions.ts';

/**
 * `mentions`: a provision or a document speaks of an entity; `refers_to`: to another provision; `near`: two entities stand
 * beside each other; `holds`: a person an office; `defines`: a term stands for an entity.
 */
export const relations = ['mentions', 'refers_to', 'near', 'holds', 'defines'] as const;
export type Relation = (typeof relations)[number];

/** Where a text supports a node or an edge. Offsets are in UTF-16 units of the revision's text. */
export interface Occurrence {
  doc_id: number;
  revision: number;
  /** `<doc_key>#<chunk_index>`. */
  ref: string;
  /** Index of the chunk in its revision, from 0. */
  ordinal: number;
  start: number;
  end: number;
}

export interface GraphNode {
  readonly id: string;
  readonly kind: EntityKind;
  readonly name: string;
  /** The keys of the names it goes by; none of a provision or a document. */
  readonly keys: readonly string[];
  /** Mentions in all. */
  readonly count: number;
  /** The first places: by the rank of their layer, their document's key and offset; at most `placesMax`. */
  readonly places: readonly Occurrence[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  readonly count: number;
  readonly places: readonly Occurrence[];
}

/** At most so many places are listed for a node or an edge. */
export const placesMax = 20;

export interface Graph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Nodes by id, edges by weight: the whole of it, sorted when it is first asked for. */
  inOrder(): { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] };
  /** The first edges by weight, of a relation (null: of any). */
  strongest(relation: Relation | null, atMost: number): readonly GraphEdge[];
  /** All edges, in no order. */
  edges(): Iterable<GraphEdge>;
  /** The edges of a node, in no order. */
  joining(id: string): Iterable<GraphEdge>;
  /** The edges of a node by weight. */
  of(id: string): readonly GraphEdge[];
  /** The node of a key that extraction makes; null: none. */
  nodeOf(key: string): string | null;
  /** Nodes by the words of their keys. */
  readonly byWord: ReadonlyMap<string, ReadonlySet<string>>;
  /** Provisions by unit and number, "article 47". */
  readonly byNumber: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The node of a provision: "provision:norm/law:article 15". */
export const provisionId = (docKey: string, unit: string, number: string): string =>
  `provision:${docKey}:${unit} ${number}`;

/** What the id of a node says; null where it is no provision. */
export function provisionOf(id: string): { doc_key: string; unit: ReferenceUnit; number: string } | null {
  const [, doc_key, named, number] = /^provision:(.+):([^ :]+) ([^:]+)$/.exec(id) ?? [];
  const unit = referenceUnits.find((one) => one === named);
  return doc_key !== undefined && number !== undefined && unit ? { doc_key, unit, number } : null;
}

/** The words of a key: what stands behind its class. */
export const wordsOf = (key: string): string[] =>
  key.startsWith('name:') || key.startsWith('topic:') ? key.slice(key.indexOf(':') + 1).split(' ') : [];

/** The order of edges: by count, the most first, then by what they join. */
export const byWeight = (a: GraphEdge, b: GraphEdge): number =>
  b.count - a.count ||
  (a.from < b.from ? -1 : a.from > b.from ? 1 : 0) ||
  (a.to < b.to ? -1 : a.to > b.to ? 1 : 0) ||
  relations.indexOf(a.relation) - relations.indexOf(b.relation);

export const byCount = (a: GraphNode, b: GraphNode): number => b.count - a.count || (a.id < b.id ? -1 : 1);

export interface GraphFigures {
  nodes: number;
  edges: number;
  nodes_by_kind: Record<string, number>;
  edges_by_relation: Record<string, number>;
  /** Pairs of nodes that are joined. */
  pairs: number;
  /** Parts of the graph that nothing joins. */
  components: number;
  top: readonly GraphNode[];
}

/** Figures of a graph; `top`: so many nodes with the most mentions. */
export function figuresOf(graph: Graph, top: number): GraphFigures {
  const { nodes } = graph;
  const seen = new Set<string>();
  let components = 0;
  let ends = 0;
  for (const id of nodes.keys()) {
    if (seen.has(id)) continue;
    components++;
    const open = [id];
    seen.add(id);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const others = new Set<string>();
      for (const { from, to } of graph.joining(at)) others.add(from === at ? to : from);
      ends += others.size;
      for (const next of others)
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    }
  }
  const relationsOf = [...graph.edges()].map(({ relation }) => relation);
  const count = (names: readonly string[], list: Iterable<string>) => {
    const made: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
    for (const name of list) made[name] = (made[name] ?? 0) + 1;
    return made;
  };
  return {
    nodes: nodes.size,
    edges: relationsOf.length,
    nodes_by_kind: count(
      entityKinds,
      [...nodes.values()].map(({ kind }) => kind),
    ),
    edges_by_relation: count(relations, relationsOf),
    pairs: ends / 2,
    components,
    top: [...nodes.values()]
      .filter(({ kind }) => !['provision', 'amount', 'date', 'topic'].includes(kind))
      .sort(byCount)
      .slice(0, top),
  };
}
