/**
 * Answers queries to the knowledge graph directly from its records. A node is assembled from the passages that mention
 * it, so only these are read. Content that is not visible is excluded.
 */
import { setImmediate } from 'node:timers/promises';
import { pages } from '../async/pages.ts';
import { languages } from '../language/index.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import { detectLanguage } from '../text/language.ts';
import { parseReferences } from '../text/references/parse.ts';
import { Assembly, mentionsOf } from './assembly.ts';
import { namePrefix } from './extract.ts';
import {
  byCount,
  byWeight,
  documentOf,
  edgesPerNode,
  entityKinds,
  type GraphEdge,
  type GraphNode,
  type GraphQuestion,
  placesMax,
  provisionId,
  provisionOf,
  type Relation,
  relations,
} from './graph.ts';
import { keyOf } from './names.ts';
import {
  type GraphDocument,
  graphCollections,
  type PassageRecord,
  passageKey,
  passageKeys,
  tokens,
  wordsOf,
} from './records.ts';
import type { ReferenceFound } from './references.ts';

/** The scope of a query: the visible layers of a corpus, in order of precedence. */
export interface GraphScope {
  corpus_id: string;
  layers: readonly string[];
}

export interface GraphAnswer {
  /** The ids of the nodes named in the question, best first. */
  found: string[];
  /** The nodes named in the question first, then the others by distance. */
  nodes: GraphNode[];
  /** The edges of the nodes named in the question, strongest first, then the edges among other nodes. */
  edges: GraphEdge[];
  /** Whether the limits excluded some results. */
  cut: boolean;
}

export interface GraphFigures {
  nodes_by_kind: Record<string, number>;
  edges_by_relation: Record<string, number>;
  /** Number of connected pairs of nodes. */
  pairs: number;
  /** The most frequently mentioned nodes, excluding provisions and documents. */
  top: GraphNode[];
  /** The time at which the newest document was published (RFC 3339); null if there are no documents. */
  updated_at: string | null;
}

export interface Graphs {
  query(scope: GraphScope, question: GraphQuestion): Promise<GraphAnswer>;
  /** `top`: the number of most frequently mentioned nodes to return. */
  figures(scope: GraphScope, top: number): Promise<GraphFigures>;
  /** Returns the whole graph, with nodes ordered by id and edges by weight. */
  whole(scope: GraphScope): Promise<Pick<GraphAnswer, 'nodes' | 'edges'>>;
}

/** Number of documents and of passages per read. */
const documentsAtOnce = 500;
const passagesAtOnce = 200;
/** Maximum number of passages read for a node, and for a question. */
const passagesOfNode = 1_000;
const passagesOfQuestion = 10_000;
/** Maximum number of nodes that a name or text may refer to. */
const seedsMax = 10;
/** Maximum number of edges followed from a node, strongest first. */
const branchesMax = 100;
/** Maximum number of edges in a path. */
const pathMax = 8;
/** Maximum number of locations in an answer, including all nodes and edges. */
const placesPerAnswer = 4_000;
/** Maximum number of words of a text that are looked up, and maximum number of words in a name. */
const wordsMax = 64;
const nameWordsMax = 5;

export class GraphReads implements Graphs {
  readonly #reads: Pick<ReadModelReads, 'find' | 'getMany'>;

  constructor(reads: Pick<ReadModelReads, 'find' | 'getMany'>) {
    this.#reads = reads;
  }

  async query(scope: GraphScope, question: GraphQuestion): Promise<GraphAnswer> {
    const { entity, to, query, relation, limit } = question;
    const lookup = new GraphLookup(this.#reads, scope);
    if (entity === null && query === null) return trimmed(await this.#strongest(scope, relation, limit));
    if (entity !== null && to !== null) return trimmed(await pathBetween(lookup, entity, to, relation));
    const found = entity === null ? await lookup.namedIn(query ?? '') : await lookup.meantBy(entity);
    return trimmed(await around(lookup, found.slice(0, seedsMax), question));
  }

  async figures(scope: GraphScope, top: number): Promise<GraphFigures> {
    const { assembly, updated_at } = await this.#whole(scope);
    const count = (names: readonly string[], all: readonly string[]): Record<string, number> => {
      const made = new Map(names.map((name) => [name, 0]));
      for (const name of all) made.set(name, made.get(name)! + 1);
      return Object.fromEntries(made);
    };
    const nodes = [...assembly.nodes()];
    const edges = [...assembly.edges()];
    return {
      nodes_by_kind: count(
        entityKinds,
        nodes.map(({ kind }) => kind),
      ),
      edges_by_relation: count(
        relations,
        edges.map(({ relation }) => relation),
      ),
      pairs: new Set(edges.map(({ from, to }) => (from < to ? `${from}\n${to}` : `${to}\n${from}`))).size,
      top: nodes
        .filter(({ id }) => id.startsWith(namePrefix))
        .sort(byCount)
        .slice(0, top),
      updated_at,
    };
  }

  async whole(scope: GraphScope): Promise<Pick<GraphAnswer, 'nodes' | 'edges'>> {
    const { assembly } = await this.#whole(scope);
    return {
      nodes: [...assembly.nodes()].sort((a, b) => (a.id < b.id ? -1 : 1)),
      edges: [...assembly.edges()].sort(byWeight),
    };
  }

  async #strongest(scope: GraphScope, relation: Relation | null, limit: number): Promise<GraphAnswer> {
    const { nodes, edges } = await this.whole(scope);
    const wanted = edges.filter((edge) => relation === null || edge.relation === relation);
    const ids = new Set<string>();
    const taken: GraphEdge[] = [];
    for (const edge of wanted) {
      const added = [edge.from, edge.to].filter((id) => !ids.has(id));
      if (ids.size + added.length > limit || taken.length >= limit * edgesPerNode) break;
      for (const id of added) ids.add(id);
      taken.push(edge);
    }
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const shown = [...ids].map((id) => byId.get(id)!);
    return { found: [], nodes: shown, edges: taken, cut: taken.length < wanted.length };
  }

  /** Reads all visible documents and passages. Yields to other work between reads. */
  async #whole(scope: GraphScope): Promise<{ assembly: Assembly; updated_at: string | null }> {
    const { corpus_id } = scope;
    const order = orderOf(scope);
    const documents: GraphDocument[] = [];
    const read = (page: { limit: number; offset: number }) =>
      this.#reads.find(graphCollections.documents, { where: { corpus_id }, ...page });
    for await (const items of pages(read, documentsAtOnce))
      for (const document of items as unknown as GraphDocument[])
        if (scope.layers.includes(document.layer)) documents.push(document);
    documents.sort(order);
    const having = new Map<string, Set<GraphDocument>>();
    for await (const [document, { unit, number }] of this.#passagesOf(documents))
      if (unit !== null && number !== null) {
        const name = numberOf({ unit, number });
        having.set(name, (having.get(name) ?? new Set()).add(document));
      }
    const sorted = new Map([...having].map(([name, set]) => [name, [...set]]));
    const assembly = new Assembly(rankIn(scope), (_, reference) => sorted.get(numberOf(reference)) ?? []);
    for await (const [document, passage] of this.#passagesOf(documents)) {
      if (passage.ordinal === 0) assembly.addDocument(document, passage);
      assembly.addPassage(document, passage);
    }
    const updated_at = documents.reduce<string | null>(
      (latest, { published_at }) => (latest === null || published_at > latest ? published_at : latest),
      null,
    );
    return { assembly, updated_at };
  }

  async *#passagesOf(
    documents: readonly GraphDocument[],
  ): AsyncGenerator<[GraphDocument, PassageRecord], void, undefined> {
    for (const document of documents) {
      const keys = passageKeys(document.doc_id, document.revision, document.chunk_count);
      for (let at = 0; at < keys.length; at += passagesAtOnce) {
        const found = await this.#reads.getMany(
          graphCollections.passages,
          keys.slice(at, at + passagesAtOnce),
        );
        // A revision that has just been replaced has no passages any more.
        for (const passage of found) if (passage) yield [document, passage as unknown as PassageRecord];
        await setImmediate();
      }
    }
  }
}

const numberOf = ({ unit, number }: { unit: string; number: string }): string => `${unit} ${number}`;

const rankIn =
  ({ layers }: GraphScope) =>
  (layer: string): number =>
    layers.indexOf(layer);

const orderOf =
  ({ layers }: GraphScope) =>
  (a: GraphDocument, b: GraphDocument): number =>
    layers.indexOf(a.layer) - layers.indexOf(b.layer) || (a.doc_key < b.doc_key ? -1 : 1);

/** A node with its edges, strongest first. */
interface View {
  node: GraphNode;
  edges: GraphEdge[];
}

/** Reads records for a single question, without reading any of them twice. */
class GraphLookup {
  readonly #reads: Pick<ReadModelReads, 'find' | 'getMany'>;
  readonly #scope: GraphScope;
  readonly #documents = new Map<number, GraphDocument | null>();
  readonly #views = new Map<string, View | null>();
  readonly #having = new Map<string, GraphDocument[]>();
  /** Whether a document contains a given provision. */
  readonly #own = new Map<string, boolean>();
  #passagesRead = 0;
  /** Whether a limit excluded some records. */
  cut = false;

  constructor(reads: Pick<ReadModelReads, 'find' | 'getMany'>, scope: GraphScope) {
    this.#reads = reads;
    this.#scope = scope;
  }

  /** Returns null if no visible content mentions the node. */
  async view(id: string): Promise<View | null> {
    const known = this.#views.get(id);
    if (known !== undefined) return known;
    // Yields to other work.
    await setImmediate();
    const made = await this.#assembled(id);
    this.#views.set(id, made);
    return made;
  }

  async #assembled(id: string): Promise<View | null> {
    const [provision, docKey] = [provisionOf(id), documentOf(id)];
    const assembly = new Assembly(rankIn(this.#scope), (from, reference) => {
      const isOwn = this.#own.get(`${from.doc_id} ${numberOf(reference)}`) === true;
      return isOwn ? [from] : (this.#having.get(numberOf(reference)) ?? []);
    });
    if (provision !== null || docKey !== null) {
      const document = await this.#documentOf(provision?.doc_key ?? docKey!);
      if (document === null) return null;
      const { unit, number } = provision ?? { unit: '', number: '' };
      const own = provision
        ? `${tokens.document(document.doc_id)} ${tokens.own(unit, number)}`
        : tokens.document(document.doc_id);
      const passages = await this.#passages(own);
      if (provision === null) await this.#addStated(assembly, [document]);
      else passages.push(...(await this.#passages(tokens.to(unit, number))));
      for (const [of, passage] of passages)
        for (const reference of passage.references) await this.#loadTarget(of, reference);
      for (const [of, passage] of distinct(passages)) assembly.addPassage(of, passage);
    } else if (id.startsWith(namePrefix)) {
      for (const [of, passage] of await this.#passages(tokens.name(id))) assembly.addPassage(of, passage);
      const { items } = await this.#find(graphCollections.documents, tokens.name(id), documentsAtOnce);
      await this.#addStated(assembly, this.#visible(items as unknown as GraphDocument[]));
    }
    const node = assembly.node(id);
    const edges = [...assembly.edges()].filter(({ from, to }) => from === id || to === id);
    return node && { node, edges: edges.sort(byWeight) };
  }

  async #addStated(assembly: Assembly, documents: readonly GraphDocument[]): Promise<void> {
    const keys = documents.map(({ doc_id, revision }) => passageKey(doc_id, revision, 0));
    const first = await this.#reads.getMany(graphCollections.passages, keys);
    for (const [n, document] of documents.entries())
      if (first[n]) assembly.addDocument(document, first[n] as unknown as PassageRecord);
  }

  /**
   * Loads the documents to which a reference may point. If no act is named, the referring document takes precedence.
   */
  async #loadTarget(document: GraphDocument, { unit, number, act }: ReferenceFound): Promise<void> {
    const key = `${document.doc_id} ${numberOf({ unit, number })}`;
    if (act === null && !this.#own.has(key)) {
      const search = `${tokens.document(document.doc_id)} ${tokens.own(unit, number)}`;
      const { total } = await this.#find(graphCollections.passages, search, 0);
      this.#own.set(key, total > 0);
    }
    if (act !== null || this.#own.get(key) === false) await this.documentsHaving(unit, number);
  }

  /** Returns the documents that contain a provision, in layer order. */
  async documentsHaving(unit: string, number: string): Promise<readonly GraphDocument[]> {
    const name = numberOf({ unit, number });
    let known = this.#having.get(name);
    if (known === undefined) {
      const passages = await this.#passages(tokens.own(unit, number));
      known = [...new Set(passages.map(([document]) => document))].sort(orderOf(this.#scope));
      this.#having.set(name, known);
    }
    return known;
  }

  async #documentOf(docKey: string): Promise<GraphDocument | null> {
    const where = { corpus_id: this.#scope.corpus_id, doc_key: docKey };
    const { items } = await this.#reads.find(graphCollections.documents, { where, limit: 1 });
    const [document] = this.#visible(items as unknown as GraphDocument[]);
    return document ?? null;
  }

  #find(collection: string, search: string, limit: number) {
    return this.#reads.find(collection, { where: { corpus_id: this.#scope.corpus_id }, search, limit });
  }

  /** Returns the visible passages that match a search, with their documents. */
  async #passages(search: string): Promise<[GraphDocument, PassageRecord][]> {
    const limit = Math.min(passagesOfNode, passagesOfQuestion - this.#passagesRead);
    if (limit <= 0) {
      this.cut = true;
      return [];
    }
    const { items, total } = await this.#find(graphCollections.passages, search, limit);
    if (total > items.length) this.cut = true;
    this.#passagesRead += items.length;
    const passages = items as unknown as PassageRecord[];
    const unknown = new Set(passages.map(({ doc_id }) => doc_id).filter((id) => !this.#documents.has(id)));
    const read = await this.#reads.getMany(graphCollections.documents, [...unknown].map(String));
    for (const [n, id] of [...unknown].entries())
      this.#documents.set(id, this.#shown(read[n] as unknown as GraphDocument | null));
    return passages.flatMap((passage): [GraphDocument, PassageRecord][] => {
      const document = this.#documents.get(passage.doc_id);
      return document?.revision === passage.revision ? [[document, passage]] : [];
    });
  }

  #visible(documents: readonly GraphDocument[]): GraphDocument[] {
    return documents.flatMap((document) => {
      const known = this.#documents.get(document.doc_id) ?? this.#shown(document);
      this.#documents.set(document.doc_id, known);
      return known ?? [];
    });
  }

  #shown(document: GraphDocument | null): GraphDocument | null {
    return document !== null && this.#scope.layers.includes(document.layer) ? document : null;
  }

  /** Returns the nodes to which a name may refer, best first. Provisions are recognised by their numbers. */
  async meantBy(text: string): Promise<string[]> {
    if ((await this.view(text)) !== null) return [text];
    const found = await this.#provisionsIn(text);
    // A name alone does not determine its language.
    const keys = new Set(languages.map((language) => keyOf(text, language)));
    const hits = new Map<string, number>();
    for (const key of keys) {
      if (key === '') continue;
      const asked = key.split(' ');
      const count = (ids: readonly string[]) => {
        for (const id of ids) {
          const words = wordsOf(id).split(' ');
          if (asked.every((word) => words.includes(word))) hits.set(id, (hits.get(id) ?? 0) + 1);
        }
      };
      for (const [, passage] of await this.#passages(key)) count(mentionsOf(passage).map(({ id }) => id));
      const { items } = await this.#find(graphCollections.documents, key, documentsAtOnce);
      for (const { person, office } of this.#visible(items as unknown as GraphDocument[]))
        count([person, office].flatMap((mention) => mention?.id ?? []));
    }
    const wordCount = (id: string) => wordsOf(id).split(' ').length;
    const named = [...hits].sort(
      ([a, n], [b, m]) => wordCount(a) - wordCount(b) || m - n || (a < b ? -1 : 1),
    );
    return [...found, ...named.map(([id]) => id)];
  }

  /** Returns the nodes named in a text: first the provisions, then the others, longest names first. */
  async namedIn(text: string): Promise<string[]> {
    const language = detectLanguage(text, languages, undefined, {});
    const words = (text.match(/[\p{L}\d’'-]+/gu) ?? []).slice(0, wordsMax);
    const ids = new Set(
      words.flatMap((_, at) =>
        Array.from({ length: Math.min(nameWordsMax, words.length - at) }, (_, more) =>
          keyOf(words.slice(at, at + more + 1).join(' '), language),
        ),
      ),
    );
    const views: View[] = [];
    for (const key of ids) {
      const view = key === '' ? null : await this.view(namePrefix + key);
      if (view !== null) views.push(view);
    }
    const length = ({ node: { id } }: View) => wordsOf(id).split(' ').length;
    views.sort((a, b) => length(b) - length(a) || byCount(a.node, b.node));
    return [...(await this.#provisionsIn(text)), ...views.map(({ node }) => node.id)];
  }

  async #provisionsIn(text: string): Promise<string[]> {
    const out = new Set<string>();
    for (const { chain } of parseReferences(text)) {
      const { unit, number } = chain[0]!;
      for (const { doc_key } of await this.documentsHaving(unit, number))
        out.add(provisionId(doc_key, unit, number));
    }
    return [...out];
  }
}

function distinct(passages: readonly [GraphDocument, PassageRecord][]): [GraphDocument, PassageRecord][] {
  const key = ({ doc_id, revision, ordinal }: PassageRecord) => passageKey(doc_id, revision, ordinal);
  return [...new Map(passages.map((one) => [key(one[1]), one])).values()];
}

const otherEnd = ({ from, to }: GraphEdge, id: string): string => (from === id ? to : from);
const branches = ({ edges }: View, relation: Relation | null): GraphEdge[] =>
  edges.filter((edge) => relation === null || edge.relation === relation).slice(0, branchesMax);

/** Returns the given nodes and the nodes around them, up to a depth. The most strongly connected nodes come first. */
async function around(
  lookup: GraphLookup,
  found: readonly string[],
  { relation, depth, limit }: GraphQuestion,
): Promise<GraphAnswer> {
  const views = new Map<string, View>();
  const edges = new Map<string, GraphEdge>();
  let open = [...found];
  let cut = false;
  for (let step = 0; open.length > 0; step++) {
    const strength = new Map<string, number>();
    for (const id of open) {
      if (views.size >= limit) {
        cut = true;
        break;
      }
      const view = await lookup.view(id);
      if (view === null) continue;
      views.set(id, view);
      for (const edge of branches(view, relation)) {
        edges.set(`${edge.from}\n${edge.relation}\n${edge.to}`, edge);
        const other = otherEnd(edge, id);
        if (!views.has(other) && !open.includes(other))
          strength.set(other, (strength.get(other) ?? 0) + edge.count);
      }
    }
    if (step === depth) break;
    open = [...strength].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([id]) => id);
  }
  const isFound = new Set(found);
  const own = ({ from, to }: GraphEdge) => Number(isFound.has(from) || isFound.has(to));
  const among = [...edges.values()]
    .filter(({ from, to }) => views.has(from) && views.has(to))
    .sort((a, b) => own(b) - own(a) || byWeight(a, b));
  return {
    found: found.filter((id) => views.has(id)),
    nodes: [...views.values()].map(({ node }) => node),
    edges: among.slice(0, limit * edgesPerNode),
    cut: cut || lookup.cut || among.length > limit * edgesPerNode,
  };
}

/** Finds the shortest path between the best matches for two names, searching from both ends. */
async function pathBetween(
  lookup: GraphLookup,
  entity: string,
  to: string,
  relation: Relation | null,
): Promise<GraphAnswer> {
  const ends = [(await lookup.meantBy(entity))[0], (await lookup.meantBy(to))[0]];
  const [first, last] = ends;
  const found = ends.filter((id) => id !== undefined);
  if (first === undefined || last === undefined) return { found, nodes: [], edges: [], cut: lookup.cut };
  /** For each end, the edge through which each node was reached. */
  const sides = [first, last].map((id) => new Map<string, GraphEdge | null>([[id, null]]));
  const opens = [[first], [last]];
  let met = first === last ? first : null;
  for (let step = 0; step < pathMax && met === null && opens.every((open) => open.length > 0); step++) {
    const side = opens[0]!.length <= opens[1]!.length ? 0 : 1;
    const [mine, theirs] = [sides[side]!, sides[1 - side]!];
    const next: string[] = [];
    for (const id of opens[side]!) {
      const view = await lookup.view(id);
      for (const edge of view ? branches(view, relation) : []) {
        const other = otherEnd(edge, id);
        if (mine.has(other)) continue;
        mine.set(other, edge);
        next.push(other);
        if (theirs.has(other)) met ??= other;
      }
      if (met !== null) break;
    }
    opens[side] = next;
  }
  if (met === null) return { found, nodes: [], edges: [], cut: lookup.cut };
  const ids = [met];
  const edges: GraphEdge[] = [];
  for (const [side, reached] of sides.entries())
    for (let at = met, edge = reached.get(at); edge; edge = reached.get(at)) {
      at = otherEnd(edge, at);
      if (side === 0) {
        ids.unshift(at);
        edges.unshift(edge);
      } else {
        ids.push(at);
        edges.push(edge);
      }
    }
  const nodes: GraphNode[] = [];
  for (const id of ids) nodes.push((await lookup.view(id))!.node);
  return { found, nodes, edges, cut: false };
}

/** Limits the number of locations per node and edge to keep the answer small. */
function trimmed({ nodes, edges, ...rest }: GraphAnswer): GraphAnswer {
  const most = Math.max(1, Math.min(placesMax, Math.floor(placesPerAnswer / (nodes.length + edges.length))));
  const cut = <T extends GraphNode | GraphEdge>(one: T): T => ({ ...one, places: one.places.slice(0, most) });
  return { ...rest, nodes: nodes.map(cut), edges: edges.map(cut) };
}
