/**
 * The graph of some documents: a pure function of them, so that it is the same however they came and went. Every chunk is
 * held by a node of its own, the provision it is (a part of) or its document; what it speaks of hangs on that, and on
 * what stands near by.
 */
import { type ReferenceUnit, referenceUnits } from '../text/references/parse.ts';
import { identify, tally } from './identity.ts';
import { type EntityKind, entityKinds, type Mention } from './mentions.ts';
import type { ChunkRecord, FoldedDocument } from './records.ts';

/**
 * `mentions`: a provision or a document speaks of an entity; `refers_to`: to another provision; `near`: two entities stand
 * beside each other; `holds`: a person an office; `defines`: a term stands for an entity.
 */
export const relations = ['mentions', 'refers_to', 'near', 'holds', 'defines'] as const;
export type Relation = (typeof relations)[number];

/** A place something rests on: offsets are UTF-16 into the revision's text. */
export interface Place {
  doc_id: number;
  revision: number;
  /** `<doc_key>#<chunk_index>`. */
  ref: string;
  /** Place of the chunk in its revision, counted from 0. */
  ordinal: number;
  start: number;
  end: number;
}

export interface GraphNode {
  id: string;
  kind: EntityKind;
  name: string;
  /** Mentions in all. */
  count: number;
  /** The first places by document and offset, at most `placesMax`. */
  places: readonly Place[];
}

export interface GraphEdge {
  from: string;
  to: string;
  relation: Relation;
  count: number;
  places: readonly Place[];
}

/** Places kept of a node or an edge. */
export const placesMax = 20;
/** What stands at most so far apart, in UTF-16 units, and among the next so many mentions, is near. */
const nearUnits = 200;
const nearMentions = 5;

export interface Graph {
  nodes: ReadonlyMap<string, GraphNode>;
  /** All edges: by count, the most first, then by what they join. */
  edges: readonly GraphEdge[];
  /** The edges of a node in the same order. */
  of: (id: string) => readonly GraphEdge[];
  /** The node of a key that extraction makes; null: none. */
  nodeOf: (key: string) => string | null;
  /** Nodes by the words of their keys. */
  byWord: ReadonlyMap<string, readonly string[]>;
  /** Provisions by unit and number, "article 47". */
  byNumber: ReadonlyMap<string, readonly string[]>;
}

interface GrowingNode extends Held {
  /** By when it was met first: what edges are told apart by while they grow. */
  ordinal: number;
  count: number;
  places: Place[];
}

interface GrowingEdge {
  from: GrowingNode;
  to: GrowingNode;
  relation: Relation;
  count: number;
  places: Place[];
}

/** More nodes than a graph in memory has. */
const nodesMax = 2 ** 24;

/**
 * `documents`: those that are seen, of one corpus; `rankOf`: the rank of a layer, the leading one 0: among equal numbers
 * a reference means the text that leads; `apart`: keys that are entities of their own (see identify).
 */
export function foldGraph(
  documents: readonly FoldedDocument[],
  rankOf: (layer: string) => number,
  apart: readonly string[] = [],
): Graph {
  const steps = foldInSteps(documents, rankOf, apart);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** As `foldGraph`, pausing after every document and every part of the work, for whoever has other things to do. */
export function* foldInSteps(
  documents: readonly FoldedDocument[],
  rankOf: (layer: string) => number,
  apart: readonly string[] = [],
): Generator<void, Graph, void> {
  const inOrder = [...documents].sort(
    (a, b) => rankOf(a.layer) - rankOf(b.layer) || (a.doc_key < b.doc_key ? -1 : 1),
  );
  const counted = tally(inOrder.flatMap(({ chunks }) => chunks.map(({ entities }) => entities)));
  yield;
  const { groupOf } = identify(counted, apart);
  yield;
  const provisions = provisionsOf(inOrder);
  const nodes = new Map<string, GrowingNode>();
  const edges = new Map<number, GrowingEdge>();
  const grow = ({ id, kind, name }: Held, place: Place): GrowingNode => {
    let known = nodes.get(id);
    if (!known) {
      known = { id, kind, name, ordinal: nodes.size, count: 0, places: [] };
      nodes.set(id, known);
    }
    known.count++;
    if (known.places.length < placesMax) known.places.push(place);
    return known;
  };
  const join = (from: GrowingNode, to: GrowingNode, relation: Relation, place: Place) => {
    if (from === to) return;
    const key = (from.ordinal * nodesMax + to.ordinal) * relations.length + relations.indexOf(relation);
    const known = edges.get(key);
    if (!known) edges.set(key, { from, to, relation, count: 1, places: [place] });
    else {
      known.count++;
      if (known.places.length < placesMax) known.places.push(place);
    }
  };

  for (const document of inOrder) {
    yield;
    for (const [ordinal, chunk] of document.chunks.entries()) {
      const { mentions, statements } = chunk.entities;
      const placeOf = ({ start, end }: { start: number; end: number }): Place => ({
        doc_id: document.doc_id,
        revision: document.revision,
        ref: `${document.doc_key}#${chunk.chunk_index}`,
        ordinal,
        start: chunk.start + start,
        end: chunk.start + end,
      });
      const holder = grow(holderOf(document, chunk), placeOf({ start: 0, end: 0 }));
      const named = mentions.map((mention): GrowingNode | null => {
        const place = placeOf(mention);
        if (mention.provision !== null) {
          join(holder, grow(provisions.resolve(document, mention, mentions), place), 'refers_to', place);
          return null;
        }
        const group = groupOf(mention.key);
        if (group === null) return null;
        const node = grow(group, place);
        join(holder, node, 'mentions', place);
        return node;
      });
      for (const [at, node] of named.entries()) {
        if (node === null) continue;
        for (let n = at + 1; n < named.length && n <= at + nearMentions; n++) {
          const other = named[n];
          if (mentions[n]!.start - mentions[at]!.end > nearUnits) break;
          if (other === null || other === undefined) continue;
          const [from, to] = node.id < other.id ? [node, other] : [other, node];
          join(from, to, 'near', placeOf({ start: mentions[at]!.start, end: mentions[n]!.end }));
        }
      }
      for (const { kind, from, to, start, end } of statements) {
        const [one, other] = [named[from], to === null ? null : named[to]];
        if (kind !== 'abbreviates' && one && other) join(one, other, kind, placeOf({ start, end }));
      }
    }
  }
  return yield* built(nodes, edges, groupOf);
}

function* built(
  nodes: ReadonlyMap<string, GrowingNode>,
  edges: ReadonlyMap<number, GrowingEdge>,
  groupOf: ReturnType<typeof identify>['groupOf'],
): Generator<void, Graph, void> {
  const sorted = [...nodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const made = new Map<string, GraphNode>(
    sorted.map(({ id, kind, name, count, places }) => [id, { id, kind, name, count, places }]),
  );
  // The order of `byWeight`, by numbers instead of long texts.
  const rank = new Uint32Array(nodes.size);
  for (const [n, { ordinal }] of sorted.entries()) rank[ordinal] = n;
  const all: GraphEdge[] = [...edges.values()]
    .sort(
      (a, b) =>
        b.count - a.count ||
        rank[a.from.ordinal]! - rank[b.from.ordinal]! ||
        rank[a.to.ordinal]! - rank[b.to.ordinal]! ||
        relations.indexOf(a.relation) - relations.indexOf(b.relation),
    )
    .map(({ from, to, relation, count, places }) => ({ from: from.id, to: to.id, relation, count, places }));
  yield;
  const ofNode = new Map<string, GraphEdge[]>();
  for (const edge of all)
    for (const id of [edge.from, edge.to]) {
      const known = ofNode.get(id);
      if (known) known.push(edge);
      else ofNode.set(id, [edge]);
    }
  yield;
  const byNumber = new Map<string, string[]>();
  for (const { id, kind } of made.values()) {
    if (kind !== 'provision') continue;
    const number = id.slice(id.lastIndexOf(':') + 1);
    const known = byNumber.get(number);
    if (known) known.push(id);
    else byNumber.set(number, [id]);
  }
  const byWord = new Map<string, string[]>();
  for (const id of made.keys())
    for (const key of groupOf(id)?.keys ?? [id])
      for (const word of new Set(wordsOf(key))) {
        const known = byWord.get(word);
        if (!known) byWord.set(word, [id]);
        else if (known.at(-1) !== id) known.push(id);
      }
  return {
    nodes: made,
    edges: all,
    of: (id) => ofNode.get(id) ?? [],
    nodeOf: (key) => groupOf(key)?.id ?? (made.has(key) ? key : null),
    byWord,
    byNumber,
  };
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

type Held = Pick<GraphNode, 'id' | 'kind' | 'name'>;

function holderOf(document: FoldedDocument, { unit, number }: ChunkRecord): Held {
  return unit !== null && number !== null
    ? provisionNode(document, unit, number)
    : { id: `document:${document.doc_key}`, kind: 'document', name: document.title || document.doc_key };
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

const provisionNode = ({ doc_key, title }: FoldedDocument, unit: string, number: string): Held => ({
  id: provisionId(doc_key, unit, number),
  kind: 'provision',
  name: `${title || doc_key}: ${unit} ${number}`,
});

/** Where the references of documents lead. */
function provisionsOf(inOrder: readonly FoldedDocument[]): {
  resolve(document: FoldedDocument, mention: Mention, mentions: readonly Mention[]): Held;
} {
  const numbered = new Map<string, FoldedDocument[]>();
  for (const document of inOrder)
    for (const name of new Set(document.chunks.map(({ unit, number }) => `${unit} ${number}`))) {
      const known = numbered.get(name);
      if (known) known.push(document);
      else numbered.set(name, [document]);
    }
  return {
    resolve(document, { provision, name }, mentions) {
      const [outermost] = provision!.chain;
      const { unit, number } = outermost!;
      const act = provision!.act === null ? null : (mentions[provision!.act] ?? null);
      const having = numbered.get(`${unit} ${number}`) ?? [];
      const isNamed = ({ title }: FoldedDocument) => act !== null && isTitle(title, act.name);
      // Of an act that is named; else of the text itself; else of the first text that has it, in its language if there is one.
      const found =
        act === null
          ? (having.find((one) => one.doc_id === document.doc_id) ??
            having.find(({ lang }) => lang === document.lang) ??
            having[0])
          : (having.find((one) => one.lang === document.lang && isNamed(one)) ?? having.find(isNamed));
      return found
        ? provisionNode(found, unit, number)
        : {
            id: provisionId(act?.key ?? document.doc_key, unit, number),
            kind: 'provision',
            name: act === null ? name : `${act.name}: ${unit} ${number}`,
          };
    },
  };
}

const prefixMin = 5;
/** Whether an act's name, in whatever form, is the title of a document or its beginning: by the letters words share. */
function isTitle(title: string, name: string): boolean {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const inTitle = words(title);
  return words(name).every((word) =>
    inTitle.some((other) => other.slice(0, prefixMin) === word.slice(0, prefixMin)),
  );
}

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
export function figuresOf({ nodes, edges, of }: Graph, top: number): GraphFigures {
  const seen = new Set<string>();
  let components = 0;
  for (const id of nodes.keys()) {
    if (seen.has(id)) continue;
    components++;
    const open = [id];
    seen.add(id);
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { from, to } of of(at))
        for (const next of [from, to])
          if (!seen.has(next)) {
            seen.add(next);
            open.push(next);
          }
  }
  const pairs = new Set(edges.map(({ from, to }) => (from < to ? `${from}\n${to}` : `${to}\n${from}`))).size;
  const count = (names: readonly string[], list: Iterable<string>) => {
    const made: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
    for (const name of list) made[name] = (made[name] ?? 0) + 1;
    return made;
  };
  return {
    nodes: nodes.size,
    edges: edges.length,
    nodes_by_kind: count(
      entityKinds,
      [...nodes.values()].map(({ kind }) => kind),
    ),
    edges_by_relation: count(
      relations,
      edges.map(({ relation }) => relation),
    ),
    pairs,
    components,
    top: [...nodes.values()]
      .filter(({ kind }) => !['provision', 'amount', 'date', 'topic'].includes(kind))
      .sort(byCount)
      .slice(0, top),
  };
}

export const byCount = (a: GraphNode, b: GraphNode): number => b.count - a.count || (a.id < b.id ? -1 : 1);
