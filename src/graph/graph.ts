/** The read model of the knowledge graph: nodes and edges, with the locations in documents that support them. */
import { type ReferenceUnit, referenceUnits } from '../language/index.ts';

/** `name`: an entity whose kind is not determined by a model or by metadata. */
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
 * `mentions`: a provision or document mentions an entity; `refers_to`: a provision or document refers to a provision;
 * `defines`: a provision or document defines a term; `holds`: a person holds an office.
 */
export const relations = ['mentions', 'refers_to', 'defines', 'holds'] as const;
export type Relation = (typeof relations)[number];

/** A location in a document that supports a node or an edge. Offsets are in UTF-16 units of the revision's text. */
export interface Occurrence {
  doc_id: number;
  revision: number;
  /** `<doc_key>#<chunk_index>`. */
  ref: string;
  /** Index of the passage in its revision, counted from 0. */
  ordinal: number;
  start: number;
  end: number;
}

export interface GraphNode {
  id: string;
  kind: EntityKind;
  name: string;
  /** Total number of locations. */
  count: number;
  /** The first locations by layer, document and offset; at most `placesMax`. */
  places: Occurrence[];
}

export interface GraphEdge {
  from: string;
  to: string;
  relation: Relation;
  count: number;
  places: Occurrence[];
}

/** Maximum number of locations listed for a node or an edge. */
export const placesMax = 20;

export interface GraphQuestion {
  /** A name in any form, a provision, or a node id. */
  entity: string | null;
  /** The other end, in the same form. If given, the shortest path from `entity` is returned, regardless of `depth`. */
  to: string | null;
  /** Text in which to look for entities. */
  query: string | null;
  relation: Relation | null;
  /** Maximum distance, in edges: from 1 to 3. */
  depth: number;
  /** Maximum number of nodes. The maximum number of edges is this number times `edgesPerNode`. */
  limit: number;
}

export const edgesPerNode = 5;

/** The node id of a provision: "provision:norm/law:article 15". */
export const provisionId = (docKey: string, unit: string, number: string): string =>
  `provision:${docKey}:${unit} ${number}`;

/** Parses the id of a provision; null for other ids. */
export function provisionOf(id: string): { doc_key: string; unit: ReferenceUnit; number: string } | null {
  const [, doc_key, named, number] = /^provision:(.+):([^ :]+) ([^:]+)$/.exec(id) ?? [];
  const unit = referenceUnits.find((one) => one === named);
  return doc_key !== undefined && number !== undefined && unit ? { doc_key, unit, number } : null;
}

export const documentId = (docKey: string): string => `document:${docKey}`;

/** The document key in a document id; null for other ids. */
export const documentOf = (id: string): string | null => /^document:(.+)$/s.exec(id)?.[1] ?? null;

/** Compares edges by count, highest first, then by their ends. */
export const byWeight = (a: GraphEdge, b: GraphEdge): number =>
  b.count - a.count ||
  (a.from < b.from ? -1 : a.from > b.from ? 1 : 0) ||
  (a.to < b.to ? -1 : a.to > b.to ? 1 : 0) ||
  relations.indexOf(a.relation) - relations.indexOf(b.relation);

export const byCount = (a: GraphNode, b: GraphNode): number => b.count - a.count || (a.id < b.id ? -1 : 1);
