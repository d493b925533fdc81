/** Questions to the graph: what a name or a text means in it, and what lies around that. Order is always the same. */
import { editDistance } from '../text/edit-distance.ts';
import { detectLanguage, type LanguageEvidence } from '../text/language.ts';
import { type Language, languages } from '../text/languages/index.ts';
import { parseReferences } from '../text/references/parse.ts';
import {
  byCount,
  byWeight,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type Relation,
  wordsOf,
} from './graph.ts';
import { tokensOf } from './tokens.ts';

export interface GraphQuestion {
  /** A name, in any form, or a node's id. */
  entity: string | null;
  /** The same: the shortest path from `entity` to it is asked for, whatever the depth. */
  to: string | null;
  /** Any text. */
  query: string | null;
  relation: Relation | null;
  /** Edges to go, 1 to 3. */
  depth: number;
  /** Nodes at most; of edges at most `edgesPerNode` times as many. */
  limit: number;
}

export interface GraphAnswer {
  /** What the question names, best first. */
  found: readonly string[];
  nodes: readonly GraphNode[];
  /** Those of what was found, the strongest first, then those among its neighbours. */
  edges: readonly GraphEdge[];
  /** There is more than the limit lets through. */
  cut: boolean;
}

export const edgesPerNode = 5;
/** What a name or a text may mean at once. */
const seedsMax = 10;
/** Edges of one node that are gone along: the strongest. */
const branchesMax = 100;

/** Answers from one graph. Time is bounded by the limit and the depth. */
export function askGraph(graph: Graph, question: GraphQuestion): GraphAnswer {
  const { entity, to, query, relation, depth, limit } = question;
  if (entity === null && query === null) return byRelation(graph, relation, limit);
  if (entity !== null && to !== null)
    return pathBetween(graph, meantBy(graph, entity), meantBy(graph, to), relation);
  const found = (entity === null ? namedIn(graph, query ?? '') : meantBy(graph, entity)).slice(0, seedsMax);
  const reached = new Set(found);
  let cut = false;
  let edge: readonly string[] = found;
  for (let step = 0; step < depth && edge.length > 0; step++) {
    // Whether there is more beyond is not looked for one by one.
    if (reached.size >= limit) {
      cut = true;
      break;
    }
    const strength = new Map<string, number>();
    for (const id of edge) {
      const all = branchesOf(graph, id, relation);
      cut ||= all.length > branchesMax;
      for (const one of all.slice(0, branchesMax)) {
        const other = one.from === id ? one.to : one.from;
        if (!reached.has(other)) strength.set(other, (strength.get(other) ?? 0) + one.count);
      }
    }
    const next = [...strength].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    const room = limit - reached.size;
    cut ||= next.length > room;
    edge = next.slice(0, Math.max(0, room)).map(([id]) => id);
    for (const id of edge) reached.add(id);
  }
  const nodes = [...reached].slice(0, limit).map((id) => graph.nodes.get(id)!);
  return withEdges(graph, found, nodes, relation, cut, limit);
}

/** The edges of a node of one kind: the bound is theirs, not one of all that a hub has. */
const branchesOf = (graph: Graph, id: string, relation: Relation | null): readonly GraphEdge[] =>
  relation === null ? graph.of(id) : graph.of(id).filter((one) => one.relation === relation);

/** Edges of a path at most, and nodes looked at for one. */
const pathMax = 8;
const lookedAtMax = 20_000;

/** The shortest path between what two names mean best; of several the one along the strongest edges. */
function pathBetween(
  graph: Graph,
  [from]: readonly string[],
  [to]: readonly string[],
  relation: Relation | null,
): GraphAnswer {
  const none: GraphAnswer = {
    found: [from, to].filter((id) => id !== undefined),
    nodes: [],
    edges: [],
    cut: false,
  };
  if (from === undefined || to === undefined) return none;
  const cameBy = new Map<string, GraphEdge | null>([[from, null]]);
  let open = [from];
  let cut = false;
  for (let step = 0; step < pathMax && open.length > 0 && !cameBy.has(to); step++) {
    const next: string[] = [];
    for (const id of open)
      for (const edge of graph.of(id)) {
        if (relation !== null && edge.relation !== relation) continue;
        const other = edge.from === id ? edge.to : edge.from;
        if (cameBy.has(other)) continue;
        if (cameBy.size >= lookedAtMax) {
          cut = true;
          break;
        }
        cameBy.set(other, edge);
        next.push(other);
      }
    open = next;
  }
  if (!cameBy.has(to)) return { ...none, cut: cut || open.length > 0 };
  const edges: GraphEdge[] = [];
  const ids = [to];
  for (let edge = cameBy.get(to); edge; edge = cameBy.get(ids[0]!)) {
    edges.unshift(edge);
    ids.unshift(edge.from === ids[0] ? edge.to : edge.from);
  }
  return { found: [from, to], nodes: ids.map((id) => graph.nodes.get(id)!), edges, cut: false };
}

function byRelation(graph: Graph, relation: Relation | null, limit: number): GraphAnswer {
  const most = limit * edgesPerNode;
  const edges = graph.strongest(relation, most + 1);
  const ids = new Set<string>();
  const taken: GraphEdge[] = [];
  for (const edge of edges) {
    const added = [edge.from, edge.to].filter((id) => !ids.has(id));
    if (ids.size + added.length > limit || taken.length >= most) break;
    for (const id of added) ids.add(id);
    taken.push(edge);
  }
  const nodes = [...ids].map((id) => graph.nodes.get(id)!);
  return { found: [], nodes, edges: taken, cut: taken.length < edges.length };
}

function withEdges(
  graph: Graph,
  found: readonly string[],
  nodes: readonly GraphNode[],
  relation: Relation | null,
  cut: boolean,
  limit: number,
): GraphAnswer {
  const ids = new Set(nodes.map(({ id }) => id));
  const isFound = new Set(found);
  const isOwn = ({ from, to }: GraphEdge) => Number(isFound.has(from) || isFound.has(to));
  // An edge that is one of many for a hub is among the first of its other end.
  const edges = [
    ...new Set(
      nodes.flatMap(({ id }) =>
        branchesOf(graph, id, relation)
          .slice(0, branchesMax)
          .filter((one) => ids.has(one.from) && ids.has(one.to)),
      ),
    ),
  ].sort((a, b) => isOwn(b) - isOwn(a) || byWeight(a, b));
  const most = limit * edgesPerNode;
  return { found, nodes, edges: edges.slice(0, most), cut: cut || edges.length > most };
}

/** The stems a text's words may have in names, word by word. */
function stemsOf(text: string): string[][] {
  const lang: Language = detectLanguage(text, languages, undefined, {} satisfies LanguageEvidence);
  return tokensOf(text, lang)
    .filter(({ kind, facts }) => kind === 'word' && !facts.isStop)
    .slice(0, wordsMax)
    .map(({ low, facts }) => [...new Set([facts.stem, facts.nameStem, low])]);
}

/** The words of the graph that each word means: itself, or, of the first few that are not there, what one slip makes of it. */
function wordsLike(graph: Graph, given: readonly (readonly string[])[]): string[][] {
  let slips = slipsMax;
  return given.map((stems) => {
    const same = stems.filter((stem) => graph.byWord.has(stem));
    const [stem = ''] = stems;
    if (same.length > 0 || stem.length < slipMin || slips-- <= 0) return same;
    return [...graph.byWord.keys()].filter(
      (word) => word.charAt(0) === stem.charAt(0) && editDistance(stem, word, 1) <= 1,
    );
  });
}
const slipMin = 5;
/** Each look for slips goes through all words of the graph. */
const slipsMax = 4;
/** Words of a question that are looked up. */
const wordsMax = 64;

/** The nodes that may have a name, best first: as many of its words as possible, and few besides. */
export function meantBy(graph: Graph, name: string): string[] {
  if (graph.nodes.has(name)) return [name];
  const given = stemsOf(name);
  const hits = new Map<string, number>();
  for (const words of wordsLike(graph, given))
    for (const id of new Set(words.flatMap((word) => [...(graph.byWord.get(word) ?? [])])))
      hits.set(id, (hits.get(id) ?? 0) + 1);
  const provisions = provisionsNamed(graph, name);
  const scored = [...hits]
    .filter(([, count]) => count * 2 > given.length)
    .map(([id, count]) => ({
      node: graph.nodes.get(id)!,
      score: count / Math.max(given.length, wordsOf(id).length),
    }))
    .sort((a, b) => b.score - a.score || byCount(a.node, b.node))
    .map(({ node }) => node.id);
  return [...new Set([...provisions, ...scored])];
}

/** The nodes a text names: all of whose words it holds, the longest names first; provisions by their numbers. */
function namedIn(graph: Graph, text: string): string[] {
  const given = new Set(wordsLike(graph, stemsOf(text)).flat());
  const ids = new Set([...given].flatMap((word) => [...(graph.byWord.get(word) ?? [])]));
  const whole = [...ids].filter((id) => {
    const words = wordsOf(id);
    return words.length > 0 && words.every((word) => given.has(word));
  });
  const sorted = whole.sort(
    (a, b) => wordsOf(b).length - wordsOf(a).length || byCount(graph.nodes.get(a)!, graph.nodes.get(b)!),
  );
  return [...provisionsNamed(graph, text), ...sorted];
}

function provisionsNamed(graph: Graph, text: string): string[] {
  const named = parseReferences(text).map(({ chain: [first] }) => `${first!.unit} ${first!.number}`);
  return [...new Set(named)]
    .flatMap((number) => [...(graph.byNumber.get(number) ?? [])])
    .map((id) => graph.nodes.get(id)!)
    .sort(byCount)
    .map(({ id }) => id);
}
