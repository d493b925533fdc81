/** Builds nodes and edges from the records of documents and passages. Pure. */
import type { Span } from '../domain/span.ts';
import { joined, referenceUnits } from '../language/index.ts';
import { calledIn } from '../text/references/names.ts';
import type { Mention } from './extract.ts';
import {
  documentId,
  type EntityKind,
  type GraphEdge,
  type GraphNode,
  type Occurrence,
  placesMax,
  provisionId,
  type Relation,
} from './graph.ts';
import type { GraphDocument, PassageRecord } from './records.ts';
import { isTitleOf, type ReferenceFound } from './references.ts';

/**
 * Returns the documents that contain the referenced provision, in layer order. If the referring document contains it,
 * the others may be omitted.
 */
export type Having = (from: GraphDocument, reference: ReferenceFound) => readonly GraphDocument[];

interface Support {
  document: GraphDocument;
  occurrence: Occurrence;
}

interface Supported {
  count: number;
  places: Support[];
}

interface Node extends Supported {
  id: string;
  kinds: Map<EntityKind, number>;
  forms: Map<string, number>;
}

interface Edge extends Supported {
  from: string;
  to: string;
  relation: Relation;
}

/** The least specific kinds. If a name has several kinds, the others take precedence. */
const vague: ReadonlySet<EntityKind> = new Set(['name', 'term']);

export class Assembly {
  readonly #rankOf: (layer: string) => number;
  readonly #having: Having;
  readonly #nodes = new Map<string, Node>();
  readonly #edges = new Map<string, Edge>();

  /** `rankOf`: returns the rank of a layer; 0 is the leading layer. */
  constructor(rankOf: (layer: string) => number, having: Having) {
    this.#rankOf = rankOf;
    this.#having = having;
  }

  /** Adds the metadata of a document. `first`: its first passage, at which the metadata is located. */
  addDocument(document: GraphDocument, first: PassageRecord): void {
    const place = placeIn(document, first, 0, 0);
    const holder = this.#holder(document, null, place);
    const [person, office] = [document.person, document.office].map((mention) => {
      if (mention === null) return null;
      const node = this.#mentioned(mention, place);
      this.#join(holder, node, 'mentions', place);
      return node;
    });
    if (person && office) this.#join(person, office, 'holds', place);
  }

  addPassage(document: GraphDocument, passage: PassageRecord): void {
    const at = ({ start, end }: Span) =>
      placeIn(document, passage, passage.start + start, passage.start + end);
    const holder = this.#holder(document, passage, placeIn(document, passage, passage.start, passage.start));
    for (const mention of mentionsOf(passage)) {
      const node = this.#mentioned(mention, at(mention));
      this.#join(holder, node, mention.kind === 'term' ? 'defines' : 'mentions', at(mention));
    }
    for (const reference of passage.references) {
      const target = this.#meant(document, reference);
      if (target === null) continue;
      const { unit, number } = reference;
      const node = this.#grow(
        provisionId(target.doc_key, unit, number),
        'provision',
        provisionName(target, unit, number),
        at(reference),
      );
      this.#join(holder, node, 'refers_to', at(reference));
    }
  }

  /** The node with this id; null if nothing added so far mentions it. */
  node(id: string): GraphNode | null {
    const node = this.#nodes.get(id);
    return node ? this.#shownNode(node) : null;
  }

  *nodes(): Generator<GraphNode> {
    for (const node of this.#nodes.values()) yield this.#shownNode(node);
  }

  *edges(): Generator<GraphEdge> {
    for (const { from, to, relation, count, places } of this.#edges.values())
      yield { from, to, relation, count, places: this.#first(places) };
  }

  #holder(document: GraphDocument, passage: PassageRecord | null, place: Support): Node {
    const { doc_key, title } = document;
    if (passage?.unit == null || passage.number === null)
      return this.#grow(documentId(doc_key), 'document', title || doc_key, place);
    const { unit, number } = passage;
    return this.#grow(
      provisionId(doc_key, unit, number),
      'provision',
      provisionName(document, unit, number),
      place,
    );
  }

  #mentioned({ id, kind, name }: Mention, place: Support): Node {
    return this.#grow(id, kind, name, place);
  }

  #grow(id: string, kind: EntityKind, name: string, place: Support): Node {
    let node = this.#nodes.get(id);
    if (!node) {
      node = { id, kinds: new Map(), forms: new Map(), count: 0, places: [] };
      this.#nodes.set(id, node);
    }
    node.kinds.set(kind, (node.kinds.get(kind) ?? 0) + 1);
    node.forms.set(name, (node.forms.get(name) ?? 0) + 1);
    node.count++;
    node.places.push(place);
    return node;
  }

  #join(from: Node, to: Node, relation: Relation, place: Support): void {
    if (from === to) return;
    const key = `${from.id}\n${relation}\n${to.id}`;
    let edge = this.#edges.get(key);
    if (!edge) {
      edge = { from: from.id, to: to.id, relation, count: 0, places: [] };
      this.#edges.set(key, edge);
    }
    edge.count++;
    edge.places.push(place);
  }

  /**
   * Returns the document that a reference points to, or null if there is none or it is ambiguous. If an act is named,
   * the document's title must match. The referring document takes precedence, then documents in its language, then the
   * leading layer. If no act is named, only an article may be in another document.
   */
  #meant(from: GraphDocument, reference: ReferenceFound): GraphDocument | null {
    const { unit, act } = reference;
    const fitting = this.#having(from, reference).filter(
      ({ title }) => act === null || isTitleOf(title, act),
    );
    const own = fitting.find(({ doc_id }) => doc_id === from.doc_id);
    if (own) return own;
    if (act === null && unit !== 'article') return null;
    const same = fitting.filter(({ lang }) => lang === from.lang);
    const [first, second] = same.length > 0 ? same : fitting;
    const leads = second === undefined || this.#rankOf(second.layer) > this.#rankOf(first!.layer);
    return first !== undefined && leads ? first : null;
  }

  #shownNode({ id, kinds, forms, count, places }: Node): GraphNode {
    return { id, kind: kindOf(kinds), name: nameOf(forms), count, places: this.#first(places) };
  }

  #first(places: Support[]): Occurrence[] {
    return places
      .sort(
        (a, b) =>
          this.#rankOf(a.document.layer) - this.#rankOf(b.document.layer) ||
          (a.document.doc_key < b.document.doc_key ? -1 : a.document.doc_key > b.document.doc_key ? 1 : 0) ||
          a.occurrence.ordinal - b.occurrence.ordinal ||
          a.occurrence.start - b.occurrence.start,
      )
      .slice(0, placesMax)
      .map(({ occurrence }) => occurrence);
  }
}

/** The mentions in a passage: its terms, and the names found by a model or, if none was used, by rules. */
export const mentionsOf = ({ mentions, named }: PassageRecord): readonly Mention[] =>
  named === undefined ? mentions : [...mentions.filter(({ kind }) => kind === 'term'), ...named];

function placeIn(document: GraphDocument, passage: PassageRecord, start: number, end: number): Support {
  const { doc_id, revision, doc_key } = document;
  const { ordinal, chunk_index } = passage;
  return {
    document,
    occurrence: { doc_id, revision, ref: `${doc_key}#${chunk_index}`, ordinal, start, end },
  };
}

function provisionName({ title, doc_key, lang }: GraphDocument, unit: string, number: string): string {
  const known = referenceUnits.find((one) => one === unit);
  return `${title || doc_key}: ${known ? calledIn(lang, known, number) : `${unit} ${number}`}`;
}

function kindOf(kinds: ReadonlyMap<EntityKind, number>): EntityKind {
  const [best] = [...kinds].sort(
    ([a, n], [b, m]) => Number(vague.has(a)) - Number(vague.has(b)) || m - n || (a < b ? -1 : 1),
  );
  return kinds.has('term') && vague.has(best![0]) ? 'term' : best![0];
}

/** Final letters of base forms, likeliest first. They are compared with other forms of the same length. */
const baseEndings = joined('entities.baseEndings').replaceAll(/\s/g, '');

/**
 * Chooses the form to display: the shortest one. Of equally short forms, the one with the likeliest base ending at the
 * first difference is preferred.
 */
function nameOf(forms: ReadonlyMap<string, number>): string {
  const differing = (a: string, b: string) => [...a].findIndex((letter, n) => letter !== b[n]);
  const rank = (letter: string | undefined) => baseEndings.indexOf(letter ?? '') + 1 || Number.MAX_VALUE;
  const [best] = [...forms].sort(([a, n], [b, m]) => {
    const at = differing(a, b);
    return a.length - b.length || rank(a[at]) - rank(b[at]) || m - n || (a < b ? -1 : 1);
  });
  return best![0];
}
