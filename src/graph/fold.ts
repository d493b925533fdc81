/**
 * The graph of the documents at hand, kept up while they come and go: a function of which they are, however they came.
 * Every chunk is held by a node of its own, the provision it is (a part of) or its document; what it speaks of hangs on
 * that, and on what stands near by. A document that goes takes its places away; one that comes is read, and with it
 * those whose names or references mean something else now.
 */

import { detectLanguage } from '../text/language.ts';
import { languages } from '../text/languages/index.ts';
import type { ReferenceUnit } from '../text/references/parse.ts';
import { withGiven } from './given.ts';
import {
  byWeight,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type Occurrence,
  placesMax,
  provisionId,
  type Relation,
  relations,
  wordsOf,
} from './graph.ts';
import { type EntityGroup, identify } from './identity.ts';
import { amountLabel, provisionLabel } from './labels.ts';
import type { EntityKind, Mention } from './mentions.ts';
import type { ChunkRecord, DocumentRecord, FoldedDocument } from './records.ts';
import { References } from './references.ts';
import { type CountedKey, linksOf, Tally } from './tally.ts';

/** What stands at most so far apart, in UTF-16 units, and among the next so many mentions, is near. */
const nearUnits = 200;
const nearMentions = 5;

/** A document as it is held: its mentions, without the words they stand in. */
interface Held {
  record: DocumentRecord;
  /** Its title, else what it opens with, else its key. */
  title: string;
  /** By which places name it. */
  slot: number;
  rank: number;
  chunks: readonly HeldChunk[];
  /** Who speaks in it, and in what office, as it states itself. */
  stated: { person: HeldMention | null; office: HeldMention | null };
  /** "article 7": what it has, and what it refers to. */
  numbers: ReadonlySet<string>;
  refers: ReadonlySet<string>;
  /** The provisions its references lead to, one by one, and what has grown by it; null: nothing has yet. */
  grown: { ids: readonly string[]; elements: Element[] } | null;
}

interface HeldChunk extends Omit<ChunkRecord, 'entities'> {
  mentions: readonly HeldMention[];
  statements: ChunkRecord['entities']['statements'];
}

interface HeldMention extends Omit<Mention, 'key' | 'surface'> {
  /** null: of a provision. */
  key: CountedKey<Held> | null;
}

/** A place takes so many numbers: its document and chunk in one, its start, and its end. */
const occurrenceSize = 3;
const chunksPerDocument = 2 ** 20;

/** What is supported by places in texts: a node or an edge. */
class Element {
  /** All places, `placeSize` numbers each, in no order. */
  packed: number[] = [];
  /** The number of the document read (see `documentsRead`) that last added to it. */
  lastRead = 0;
  readonly #documents: ReadonlyMap<number, Held>;
  #places: readonly Occurrence[] | null = null;

  constructor(documents: ReadonlyMap<number, Held>) {
    this.#documents = documents;
  }

  get count(): number {
    return this.packed.length / occurrenceSize;
  }

  /** See GraphNode. */
  get places(): readonly Occurrence[] {
    this.#places ??= this.#first();
    return this.#places;
  }

  add(document: number, chunk: number, start: number, end: number): void {
    const at = document * chunksPerDocument + chunk;
    // Most rest on one place alone; an array that grows reserves room for more.
    if (this.packed.length === 0) this.packed = [at, start, end];
    else this.packed.push(at, start, end);
    this.#places = null;
  }

  /** Takes away the places of documents. */
  withdraw(slots: ReadonlySet<number>): void {
    const { packed } = this;
    let kept = 0;
    for (let at = 0; at < packed.length; at += occurrenceSize) {
      if (slots.has(Math.floor(packed[at]! / chunksPerDocument))) continue;
      for (let n = 0; n < occurrenceSize; n++) packed[kept++] = packed[at + n]!;
    }
    packed.length = kept;
    this.#places = null;
  }

  #first(): Occurrence[] {
    const { packed } = this;
    const documentAt = (at: number) => this.#documents.get(Math.floor(packed[at]! / chunksPerDocument))!;
    const before = (a: number, b: number): boolean => {
      const [one, other] = [documentAt(a), documentAt(b)];
      const order =
        (one === other ? 0 : inOrder(one, other)) ||
        packed[a + 1]! - packed[b + 1]! ||
        packed[a + 2]! - packed[b + 2]! ||
        packed[a]! - packed[b]!;
      return order < 0;
    };
    const first: number[] = [];
    for (let at = 0; at < packed.length; at += occurrenceSize) {
      if (first.length === placesMax && !before(at, first[placesMax - 1]!)) continue;
      let n = Math.min(first.length, placesMax - 1);
      for (; n > 0 && before(at, first[n - 1]!); n--) first[n] = first[n - 1]!;
      first[n] = at;
    }
    return first.map((at) => {
      const { record, chunks } = documentAt(at);
      const { doc_id, revision, doc_key } = record;
      const ordinal = packed[at]! % chunksPerDocument;
      const ref = `${doc_key}#${chunks[ordinal]!.chunk_index}`;
      return { doc_id, revision, ref, ordinal, start: packed[at + 1]!, end: packed[at + 2]! };
    });
  }
}

class Node extends Element implements GraphNode {
  readonly id: string;
  readonly ordinal: number;
  kind: EntityKind;
  name: string;
  /** The keys it is found by. */
  keys: readonly string[] = [];
  /** Edges from it, by where they lead and how. */
  readonly out = new Map<number, Edge>();
  readonly in = new Set<Edge>();
  byWeight: readonly Edge[] | null = null;

  constructor(documents: ReadonlyMap<number, Held>, ordinal: number, { id, kind, name }: Named) {
    super(documents);
    this.ordinal = ordinal;
    this.id = id;
    this.kind = kind;
    this.name = name;
  }
}

class Edge extends Element implements GraphEdge {
  readonly source: Node;
  readonly target: Node;
  readonly relation: Relation;

  constructor(documents: ReadonlyMap<number, Held>, source: Node, target: Node, relation: Relation) {
    super(documents);
    this.source = source;
    this.target = target;
    this.relation = relation;
  }

  get from(): string {
    return this.source.id;
  }

  get to(): string {
    return this.target.id;
  }
}

/** A provision of an act that there is no text of, and what it is called with the act's name. */
interface OfAct {
  key: CountedKey<Held>;
  unit: ReferenceUnit;
  number: string;
  act: string;
  name: string;
}

export type Named = Pick<GraphNode, 'id' | 'kind' | 'name'>;

const inOrder = (a: Held, b: Held): number =>
  a.rank - b.rank || (a.record.doc_key < b.record.doc_key ? -1 : 1);

/** All at once: the graph of some documents, as a `GraphFold` of them makes it. */
export function foldGraph(
  documents: readonly FoldedDocument[],
  rankOf: (layer: string) => number,
  apart: readonly string[] = [],
): Graph {
  const fold = new GraphFold(rankOf, apart);
  for (const document of documents) fold.add(document);
  for (const _ of fold.settle());
  return fold.graph;
}

/** Documents come and go by `add` and `remove`; `graph` shows them once `settle` has run to its end. */
export class GraphFold {
  readonly #rankOf: (layer: string) => number;
  #apart: readonly string[];
  readonly #held = new Map<number, Held>();
  /** The same by their slots, and those whose places are still to be taken away. */
  readonly #bySlot = new Map<number, Held>();
  readonly #tally = new Tally<Held>();
  readonly #references = new References<Held>(inOrder);
  readonly #nodes = new Map<string, Node>();
  readonly #byWord = new Map<string, Set<string>>();
  readonly #byNumber = new Map<string, Set<string>>();
  /** Nodes of provisions of acts that there is no text of. */
  readonly #ofActs = new Map<string, OfAct>();
  readonly #gone = new Set<Held>();
  readonly #come = new Set<Held>();
  #inOrder: ReturnType<Graph['inOrder']> | null = null;
  readonly #strongest = new Map<Relation | null, { atMost: number; edges: readonly GraphEdge[] }>();
  #lastSlot = 0;
  #lastOrdinal = 0;
  #documentsRead = 0;
  #weight = 0;

  /**
   * `rankOf`: the rank of a layer, the leading one 0: among equal numbers a reference means the text that leads; `apart`:
   * keys that are entities of their own (see identify).
   */
  constructor(rankOf: (layer: string) => number, apart: readonly string[] = []) {
    this.#rankOf = rankOf;
    this.#apart = apart;
  }

  /** What counts from the next `settle` on. */
  set apart(keys: readonly string[]) {
    this.#apart = keys;
  }

  /** The documents it is of, by id. */
  documents(): Iterable<DocumentRecord> {
    return [...this.#held.values()].map(({ record }) => record);
  }

  get(docId: number): DocumentRecord | null {
    return this.#held.get(docId)?.record ?? null;
  }

  /** Mentions and chunks held: what its memory grows with. */
  get weight(): number {
    return this.#weight;
  }

  /** Another revision of a document that is there takes its place. */
  add({ chunks: recorded, ...record }: FoldedDocument): void {
    this.remove(record.doc_id);
    const chunks = recorded.map(completed);
    // Field by field: there are hundred thousands of them, and a copy by its rest takes half as much again.
    const heldOf = (mention: Mention): HeldMention => {
      const { kind, start, end, sure, kindKnown, rank, provision } = mention;
      const name = kind === 'amount' ? amountLabel(mention.name, record.lang) : mention.name;
      const key = provision === null ? this.#tally.known(mention.key) : null;
      // One string for all mentions of a name.
      return { kind, name: key?.form(name)?.name ?? name, key, start, end, sure, kindKnown, rank, provision };
    };
    const { person, office } = record.stated;
    const held: Held = {
      stated: { person: person && heldOf(person), office: office && heldOf(office) },
      ...{ record, title: record.title || chunks[0]?.opening || record.doc_key, grown: null },
      ...{ slot: ++this.#lastSlot, rank: this.#rankOf(record.layer) },
      chunks: chunks.map(({ entities: { mentions, statements }, ...chunk }) => ({
        ...chunk,
        statements,
        mentions: mentions.map(heldOf),
      })),
      numbers: new Set(
        chunks.flatMap(({ unit, number }) => (unit !== null && number !== null ? [`${unit} ${number}`] : [])),
      ),
      refers: new Set(
        chunks.flatMap(({ entities }) =>
          entities.mentions.flatMap(({ provision }) => (provision === null ? [] : [numberOf(provision)])),
        ),
      ),
    };
    for (const { entities } of chunks)
      for (const [from, to] of linksOf(entities)) this.#tally.countLink(from, to, 1);
    this.#held.set(record.doc_id, held);
    this.#bySlot.set(held.slot, held);
    this.#count(held, 1);
    this.#references.add(held);
    this.#come.add(held);
  }

  /** False: it was not there. */
  remove(docId: number): boolean {
    const held = this.#held.get(docId);
    if (held === undefined) return false;
    for (const { mentions, statements } of held.chunks)
      for (const { kind, from, to } of statements) {
        const [short, long] = [mentions[from]!.key, to === null ? null : mentions[to]!.key];
        if (kind === 'abbreviates' && short && long) this.#tally.countLink(short.key, long.key, -1);
      }
    this.#held.delete(docId);
    this.#count(held, -1);
    this.#references.remove(held);
    this.#come.delete(held);
    if (held.grown === null) this.#bySlot.delete(held.slot);
    else this.#gone.add(held);
    return true;
  }

  #count(held: Held, by: 1 | -1): void {
    const { person, office } = held.stated;
    for (const { mentions } of held.chunks) this.#weight += by * (mentions.length + 1);
    for (const mention of [person, office, ...held.chunks.flatMap(({ mentions }) => mentions)]) {
      if (!mention?.key) continue;
      if (by === 1) mention.key.addDocument(held);
      else mention.key.dropDocument(held);
      this.#tally.count(mention, mention.key, by);
    }
  }

  /** Brings the graph to the documents that are there, pausing for whoever has other things to do. It is not whole meanwhile. */
  *settle(): Generator<void, void, void> {
    const { groupOf } = identify(
      { keys: [...this.#tally.keys()], links: [...this.#tally.links()] },
      this.#apart,
    );
    yield;
    const again = new Set(this.#come);
    for (const key of this.#tally.keys()) {
      const group = groupOf(key.key);
      if (group?.id !== key.group?.id) for (const held of key.documents) again.add(held);
      key.group = group;
    }
    yield;
    for (const held of this.#references.affected())
      if (!again.has(held) && !this.#leadsAsBefore(held)) again.add(held);
    this.#withdraw([...this.#gone, ...again]);
    yield;
    for (const held of again) {
      this.#read(held);
      yield;
    }
    for (const { slot } of this.#gone) this.#bySlot.delete(slot);
    this.#gone.clear();
    this.#come.clear();
    this.#nameNodes();
    this.#inOrder = null;
    this.#strongest.clear();
  }

  #leadsAsBefore(held: Held): boolean {
    const { ids } = held.grown!;
    let n = 0;
    for (const { mentions } of held.chunks)
      for (const mention of mentions)
        if (mention.provision !== null && this.#provision(held, mention, mentions).id !== ids[n++])
          return false;
    return true;
  }

  #withdraw(all: readonly Held[]): void {
    const slots = new Set<number>();
    const elements = new Set<Element>();
    for (const held of all) {
      if (held.grown === null) continue;
      slots.add(held.slot);
      for (const element of held.grown.elements) elements.add(element);
      held.grown = null;
    }
    for (const element of elements) {
      element.withdraw(slots);
      if (element instanceof Edge) {
        element.source.byWeight = null;
        element.target.byWeight = null;
        if (element.packed.length > 0) continue;
        element.source.out.delete(edgeKey(element));
        element.target.in.delete(element);
      } else if (element instanceof Node && element.packed.length === 0) {
        this.#nodes.delete(element.id);
        this.#index(element, []);
        if (element.kind === 'provision') drop(this.#byNumber, numberIn(element.id), element.id);
      }
    }
  }

  #grow(named: Named): Node {
    const known = this.#nodes.get(named.id);
    if (known) {
      known.name = named.name;
      return known;
    }
    const node = new Node(this.#bySlot, ++this.#lastOrdinal, named);
    this.#nodes.set(node.id, node);
    if (node.kind === 'provision') put(this.#byNumber, numberIn(node.id), node.id);
    return node;
  }

  #join(source: Node, target: Node, relation: Relation): Edge {
    const key = target.ordinal * relations.length + relations.indexOf(relation);
    let edge = source.out.get(key);
    if (!edge) {
      edge = new Edge(this.#bySlot, source, target, relation);
      source.out.set(key, edge);
      target.in.add(edge);
    }
    source.byWeight = null;
    target.byWeight = null;
    return edge;
  }

  /** Adds what a document says to the graph. */
  #read(held: Held): void {
    const readNumber = ++this.#documentsRead;
    const ids: string[] = [];
    const elements: Element[] = [];
    held.grown = { ids, elements };
    for (const [n, chunk] of held.chunks.entries()) {
      const { mentions, statements, start: from } = chunk;
      const rest = (element: Element, { start, end }: { start: number; end: number }) => {
        element.add(held.slot, n, from + start, from + end);
        if (element.lastRead === readNumber) return;
        element.lastRead = readNumber;
        elements.push(element);
      };
      const join = (one: Node, other: Node, relation: Relation, span: { start: number; end: number }) => {
        if (one !== other) rest(this.#join(one, other, relation), span);
      };
      const holder = this.#grow(holderOf(held, chunk));
      rest(holder, { start: 0, end: 0 });
      const named = mentions.map((mention): Node | null => {
        if (mention.provision !== null) {
          const node = this.#grow(this.#provision(held, mention, mentions));
          ids.push(node.id);
          rest(node, mention);
          join(holder, node, 'refers_to', mention);
          return null;
        }
        const { group } = mention.key!;
        if (group === null) return null;
        const node = this.#grow(group);
        rest(node, mention);
        join(holder, node, 'mentions', mention);
        return node;
      });
      for (const [at, node] of named.entries()) {
        if (node === null) continue;
        for (let next = at + 1; next < named.length && next <= at + nearMentions; next++) {
          const other = named[next];
          if (mentions[next]!.start - mentions[at]!.end > nearUnits) break;
          if (other === null || other === undefined) continue;
          const [one, two] = node.id < other.id ? [node, other] : [other, node];
          join(one, two, 'near', { start: mentions[at]!.start, end: mentions[next]!.end });
        }
      }
      if (n === 0) {
        const { person, office } = held.stated;
        const start = { start: 0, end: 0 };
        const [who, what] = [person, office].map((mention) => {
          const group = mention?.key?.group;
          if (!group) return null;
          const node = this.#grow(group);
          rest(node, start);
          join(holder, node, 'mentions', start);
          return node;
        });
        if (who && what) join(who, what, 'holds', start);
      }
      for (const { kind, from: a, to: b, ...span } of statements) {
        const [one, other] = [named[a], b === null ? null : named[b]];
        if (kind !== 'abbreviates' && one && other) join(one, other, kind, span);
      }
    }
  }

  /** Where a reference leads: to a provision of a document at hand, of an act there is no text of, or of the text itself. */
  #provision(held: Held, { provision }: HeldMention, mentions: readonly HeldMention[]): Named {
    const { unit, number } = provision!.chain[0]!;
    const act = provision!.act === null ? null : (mentions[provision!.act] ?? null);
    const found = this.#references.resolve(held, `${unit} ${number}`, act?.name ?? null);
    if (found) return provisionNode(found, unit, number);
    const { doc_key, lang } = held.record;
    const own = { id: provisionId(doc_key, unit, number), kind: 'provision' } as const;
    if (!act?.key) return { ...own, name: provisionLabel(unit, number, lang) };
    const id = provisionId(act.key.key, unit, number);
    const known = this.#ofActs.get(id);
    if (known) known.key = act.key;
    else this.#ofActs.set(id, { key: act.key, unit, number, act: '', name: '' });
    return { id, kind: 'provision', name: known?.name ?? '' };
  }

  /** Names and keys of what was there before may have changed with what has come and gone. */
  #nameNodes(): void {
    const groups = new Set<EntityGroup>();
    for (const { group } of this.#tally.keys()) if (group !== null) groups.add(group);
    for (const { id, kind, name, keys } of groups) {
      const node = this.#nodes.get(id);
      if (!node) continue;
      node.kind = kind;
      node.name = name;
      if (keys.length !== node.keys.length || keys.some((key, n) => key !== node.keys[n]))
        this.#index(node, keys);
    }
    for (const [id, of] of this.#ofActs) {
      const node = this.#nodes.get(id);
      if (!node) {
        this.#ofActs.delete(id);
        continue;
      }
      const act = actName(of.key);
      // Texts of several languages may refer to it: it is called in that of the act's own name.
      if (act !== of.act)
        Object.assign(of, {
          act,
          name: `${act}: ${provisionLabel(of.unit, of.number, languageOfName(act))}`,
        });
      node.name = of.name;
    }
  }

  #index(node: Node, keys: readonly string[]): void {
    for (const word of new Set(node.keys.flatMap(wordsOf))) drop(this.#byWord, word, node.id);
    for (const word of new Set(keys.flatMap(wordsOf))) put(this.#byWord, word, node.id);
    node.keys = keys;
  }

  /** As of the last `settle`. */
  readonly graph: Graph = (() => {
    const fold = this;
    return {
      nodes: fold.#nodes,
      byWord: fold.#byWord,
      byNumber: fold.#byNumber,
      edges: () => fold.#edges(),
      joining: (id) => {
        const node = fold.#nodes.get(id);
        return node ? [...node.out.values(), ...node.in] : [];
      },
      of: (id) => {
        const node = fold.#nodes.get(id);
        if (!node) return [];
        node.byWeight ??= [...node.out.values(), ...node.in].sort(byWeight);
        return node.byWeight;
      },
      nodeOf: (key) => {
        const id = fold.#tally.get(key)?.group?.id ?? key;
        return fold.#nodes.has(id) ? id : null;
      },
      inOrder: () => {
        fold.#inOrder ??= {
          nodes: [...fold.#nodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
          edges: [...fold.#edges()].sort(byWeight),
        };
        return fold.#inOrder;
      },
      strongest: (relation, atMost) => fold.#first(relation, atMost),
    };
  })();

  *#edges(): Generator<Edge> {
    for (const { out } of this.#nodes.values()) yield* out.values();
  }

  #first(relation: Relation | null, atMost: number): readonly GraphEdge[] {
    const known = this.#strongest.get(relation);
    if (known && known.atMost >= atMost) return known.edges.slice(0, atMost);
    const all: Edge[] = [];
    for (const edge of this.#edges()) if (relation === null || edge.relation === relation) all.push(edge);
    // Only those that may be among the first are put in order.
    const counts = Float64Array.from(all, ({ count }) => count).sort();
    const least = counts[Math.max(0, counts.length - atMost)] ?? 0;
    const edges = all
      .filter(({ count }) => count >= least)
      .sort(byWeight)
      .slice(0, atMost);
    this.#strongest.set(relation, { atMost, edges });
    return edges;
  }
}

const edgeKey = ({ target, relation }: Edge): number =>
  target.ordinal * relations.length + relations.indexOf(relation);

function put(index: Map<string, Set<string>>, key: string, id: string): void {
  const known = index.get(key);
  if (known) known.add(id);
  else index.set(key, new Set([id]));
}

function drop(index: Map<string, Set<string>>, key: string, id: string): void {
  const known = index.get(key);
  known?.delete(id);
  if (known?.size === 0) index.delete(key);
}

const actName = ({ key, group, forms }: CountedKey<Held>): string =>
  group?.name ?? [...forms].map(({ name }) => name).sort()[0] ?? key;
const languageOfName = (name: string) => detectLanguage(name, languages, undefined, {}, true);

const numberOf = ({ chain }: NonNullable<Mention['provision']>): string =>
  `${chain[0]!.unit} ${chain[0]!.number}`;
const numberIn = (id: string): string => id.slice(id.lastIndexOf(':') + 1);

/** A chunk with what a model found in it among its entities. */
const completed = ({ given, ...chunk }: ChunkRecord): ChunkRecord =>
  given ? { ...chunk, entities: withGiven(chunk.entities, given) } : chunk;

function holderOf(document: Held, { unit, number }: Pick<ChunkRecord, 'unit' | 'number'>): Named {
  return unit !== null && number !== null
    ? provisionNode(document, unit, number)
    : { id: `document:${document.record.doc_key}`, kind: 'document', name: document.title };
}

const provisionNode = ({ record: { doc_key, lang }, title }: Held, unit: string, number: string): Named => ({
  id: provisionId(doc_key, unit, number),
  kind: 'provision',
  name: `${title}: ${provisionLabel(unit, number, lang)}`,
});
