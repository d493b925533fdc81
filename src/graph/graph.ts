/** The knowledge graph as it is read: nodes and edges with the places in texts that support them. */
import { type ReferenceUnit, referenceUnits } from '../text/references/parse.ts';

/** `name`: a name whose kind neither a model nor metadata tells. */
export const entityKinds = [
  'document',
  'provision',
  'term',
  'name',
  'person',
  'organisation',
  'place',
  'law',
] as const;
export type EntityKind = (typeof entityKinds)[number];

/**
 * `mentions`: a provision or a document speaks of an entity; `refers_to`: a provision or a document refers to a
 * provision; `defines`: a provision or a document says what a term means; `holds`: a person holds an office.
 */
export const relations = ['mentions', 'refers_to', 'defines', 'holds'] as const;
export type Relation = (typeof relations)[number];

/** Where a text supports a node or an edge. Offsets are in UTF-16 units of the revision's text. */
export interface Occurrence {
  doc_id: number;
  revision: number;
  /** `<doc_key>#<chunk_index>`. */
  ref: string;
  /** Index of the passage in its revision, from 0. */
  ordinal: number;
  start: number;
  end: number;
}

export interface GraphNode {
  id: string;
  kind: EntityKind;
  name: string;
  /** Places in all. */
  count: number;
  /** The first places by layer, document and offset; at most `placesMax`. */
  places: Occurrence[];
}

export interface GraphEdge {
  from: string;
  to: string;
  relation: Relation;
  count: number;
  places: Occurrence[];
}

/** At most so many places are listed for a node or an edge. */
export const placesMax = 20;

export interface GraphQuestion {
  /** A name in any form, a provision, or a node's id. */
  entity: string | null;
  /** The same: the shortest path from `entity` to it is asked for, whatever the depth. */
  to: string | null;
  /** Any text: the entities it names. */
  query: string | null;
  relation: Relation | null;
  /** Edges to go, 1 to 3. */
  depth: number;
  /** Nodes at most, and `edgesPerNode` times as many edges. */
  limit: number;
}

export const edgesPerNode = 5;

/** The node of a provision: "provision:norm/law:article 15". */
export const provisionId = (docKey: string, unit: string, number: string): string =>
  `provision:${docKey}:${unit} ${number}`;

/** What the id of a provision says; null for the id of anything else. */
export function provisionOf(id: string): { doc_key: string; unit: ReferenceUnit; number: string } | null {
  const [, doc_key, named, number] = /^provision:(.+):([^ :]+) ([^:]+)$/.exec(id) ?? [];
  const unit = referenceUnits.find((one) => one === named);
  return doc_key !== undefined && number !== undefined && unit ? { doc_key, unit, number } : null;
}

export const documentId = (docKey: string): string => `document:${docKey}`;

/** The document an id names; null for the id of anything else. */
export const documentOf = (id: string): string | null => /^document:(.+)$/s.exec(id)?.[1] ?? null;

/** Edges by count, the most first, then by what they join. */
export const byWeight = (a: GraphEdge, b: GraphEdge): number =>
  b.count - a.count ||
  (a.from < b.from ? -1 : a.from > b.from ? 1 : 0) ||
  (a.to < b.to ? -1 : a.to > b.to ? 1 : 0) ||
  relations.indexOf(a.relation) - relations.indexOf(b.relation);

export const byCount = (a: GraphNode, b: GraphNode): number => b.count - a.count || (a.id < b.id ? -1 : 1);
