/** The knowledge graphs of the corpora as readers see them: of the layers that are public and in force at this moment. */
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { GraphEdge, GraphNode, GraphQueryResponse, GraphStats } from '../api/graph.ts';
import type { Language } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { GraphEdge as Edge, GraphNode as Node } from '../graph/graph.ts';
import { amountLabel } from '../graph/labels.ts';
import type { GraphQuestion } from '../graph/query.ts';
import { graphCollections } from '../graph/records.ts';
import type { GraphScope, GraphState, Graphs } from '../reads/graphs.ts';
import type { FreshCatalog } from './fresh-catalog.ts';

export interface KnowledgeGraphDeps {
  graphs: Graphs;
  catalog: Pick<FreshCatalog, 'load'>;
  progress: Pick<ProjectionProgress, 'changes' | 'checkpoint' | 'hasReached'>;
  /** The keys of a corpus that administrators have parted, sorted. */
  apart(corpusId: string): Promise<readonly string[]>;
  /** Resolves when the records hold what this process has written, or after a while. */
  waitForOwnWrites(): Promise<void>;
}

const topEntities = 10;

export class KnowledgeGraph {
  readonly #deps: KnowledgeGraphDeps;

  constructor(deps: KnowledgeGraphDeps) {
    this.#deps = deps;
  }

  /**
   * `lang`: of the reader, in which amounts are named; null: in that of their texts. Failure `not_found` for a corpus that
   * is not active, `unavailable` also while its graph is made for the first time.
   */
  async query(
    corpusId: string,
    question: GraphQuestion,
    lang: Language | null = null,
  ): Promise<GraphQueryResponse> {
    const scope = await this.#scope(corpusId);
    const { found, nodes, edges, cut, ...state } = await this.#deps.graphs.query(scope, question);
    return {
      corpus_id: corpusId,
      found: [...found],
      nodes: nodes.map((node) => shown(lang === null ? node : namedFor(lang, node))),
      edges: edges.map(shownEdge),
      cut,
      up_to_date: this.#isUpToDate(state),
      position: state.position,
    };
  }

  /**
   * All nodes by id, then all edges, the strongest first, in portions. Failure as `query`, and `conflict` where documents
   * have changed meanwhile.
   */
  async *whole(corpusId: string): AsyncGenerator<Pick<GraphQueryResponse, 'nodes' | 'edges'>, void, void> {
    const scope = await this.#scope(corpusId);
    let version: number | null = null;
    for (let from: number | null = 0; from !== null; ) {
      const part = await this.#deps.graphs.part(scope, from);
      if (part.version !== (version ?? part.version))
        throw new Failure('conflict', 'Documents changed during the export of the graph; try again.');
      ({ version, next: from } = part);
      yield { nodes: part.nodes.map(shown), edges: part.edges.map(shownEdge) };
    }
  }

  /** Of these corpora together. Failure as `query`. */
  async stats(corpusIds: readonly string[]): Promise<GraphStats> {
    const stats: GraphStats = {
      nodes: 0,
      edges: 0,
      nodes_by_kind: {},
      edges_by_relation: {},
      by_corpus: {},
      density: 0,
      components: 0,
      top_entities: [],
      updated_at: null,
      up_to_date: true,
      partial: false,
    };
    let pairs = 0;
    const top: Node[] = [];
    for (const corpusId of corpusIds) {
      const figures = await this.#deps.graphs.figures(await this.#scope(corpusId), topEntities);
      const { updated_at, partial } = figures;
      stats.nodes += figures.nodes;
      stats.edges += figures.edges;
      stats.components += figures.components;
      pairs += figures.pairs;
      addTo(stats.nodes_by_kind, figures.nodes_by_kind);
      addTo(stats.edges_by_relation, figures.edges_by_relation);
      stats.by_corpus[corpusId] = { nodes: figures.nodes, edges: figures.edges, partial };
      stats.partial ||= partial;
      top.push(...figures.top);
      if (updated_at !== null && updated_at > (stats.updated_at ?? '')) stats.updated_at = updated_at;
      stats.up_to_date &&= this.#isUpToDate(figures);
    }
    const possible = (stats.nodes * (stats.nodes - 1)) / 2;
    stats.density = possible === 0 ? 0 : pairs / possible;
    stats.top_entities = top
      .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
      .slice(0, topEntities)
      .map(shown);
    return stats;
  }

  async #scope(corpusId: string): Promise<GraphScope> {
    const { catalog, progress, apart, waitForOwnWrites } = this.#deps;
    await waitForOwnWrites();
    const corpus = (await catalog.load()).corpora.get(corpusId);
    if (!corpus?.active) throw new Failure('not_found', `There is no active corpus "${corpusId}".`);
    const layers = corpus.settings.layers
      .filter(({ visibility, kind }) => visibility === 'public' && kind !== 'superseded')
      .map(({ name }) => name);
    const position = progress.checkpoint('graph');
    const stamp = progress.changes(graphCollections.documents);
    return { corpus_id: corpusId, layers, apart: await apart(corpusId), stamp, position };
  }

  /** Whether the records, too, are as new as what is searched. */
  #isUpToDate({ up_to_date }: GraphState): boolean {
    const { progress } = this.#deps;
    return up_to_date && progress.hasReached('graph', progress.checkpoint('chunks'));
  }
}

/** The graphs as one asker among many has them: each question is asked when it is their turn. */
export function inTurn(
  graph: Pick<KnowledgeGraph, 'query' | 'stats'>,
  turn: <T>(work: () => Promise<T>) => Promise<T>,
): Pick<KnowledgeGraph, 'query' | 'stats'> {
  return {
    query: (...question) => turn(() => graph.query(...question)),
    stats: (corpusIds) => turn(() => graph.stats(corpusIds)),
  };
}

function addTo(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

/** What several languages say is called as most of its texts do, which are not the reader's. */
const namedFor = (lang: Language, node: Node): Node =>
  node.kind === 'amount'
    ? { ...node, name: amountLabel(node.id.slice(node.id.indexOf(':') + 1), lang) }
    : node;

const refsOf = (places: Node['places']): string[] => [...new Set(places.map(({ ref }) => ref))];
const shown = ({ id, kind, name, keys, count, places }: Node): GraphNode => ({
  id,
  kind,
  name,
  keys: [...keys],
  count,
  source_refs: refsOf(places),
  places: [...places],
});
const shownEdge = ({ from, to, relation, count, places }: Edge): GraphEdge => ({
  from,
  to,
  relation,
  count,
  source_refs: refsOf(places),
  places: [...places],
});
