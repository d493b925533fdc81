/** The knowledge graphs of the corpora as readers see them: of the layers that are public and in force at this moment. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { AskDeps } from '../answering/ask-port.ts';
import { FairQueue } from '../async/fair-queue.ts';
import type { Core } from '../event-sourcing/core.ts';
import type { FreshCatalog } from '../event-sourcing/fresh-catalog.ts';
import { Failure } from '../failures.ts';
import {
  byCount,
  type GraphEdge as Edge,
  type GraphQuestion,
  type GraphNode as Node,
} from '../graph/graph.ts';
import type { GraphFigures, GraphScope, Graphs } from '../graph/graph-reads.ts';
import { graphCollections } from '../graph/records.ts';
import { crossReferences } from './cross-references.ts';
import type { GraphQueryResponse, GraphStats } from './graph-schema.ts';

export interface KnowledgeGraphDeps {
  graphs: Graphs;
  catalog: Pick<FreshCatalog, 'load'>;
  progress: Pick<ProjectionProgress, 'changes' | 'checkpoint' | 'hasReached'>;
  /** Resolves when the records hold what this process has written, or after a while. */
  waitForOwnWrites(): Promise<void>;
  /** Statistics wait for a count so long, in ms, then they give the one before; default 500. */
  countMs?: number;
}

const topEntities = 10;
const countMsDefault = 500;

/** The figures of a corpus as they were last counted. */
interface Counted {
  /** Of the documents; and the layers they were counted over. */
  stamp: number;
  layers: string;
  figures: GraphFigures;
}

export class KnowledgeGraph {
  readonly #deps: KnowledgeGraphDeps;
  readonly #counted = new Map<string, Counted>();
  readonly #counting = new Map<string, Promise<Counted>>();

  constructor(deps: KnowledgeGraphDeps) {
    this.#deps = deps;
  }

  /** What the graph holds at this moment. Failure `not_found` for a corpus that is not active. */
  async query(corpusId: string, question: GraphQuestion): Promise<GraphQueryResponse> {
    const { progress, graphs, waitForOwnWrites } = this.#deps;
    await waitForOwnWrites();
    const scope = await this.#scope(corpusId);
    const [up_to_date, position] = [this.#isUpToDate(), progress.checkpoint('graph')];
    const { found, nodes, edges, cut } = await graphs.query(scope, question);
    return {
      corpus_id: corpusId,
      found,
      nodes: nodes.map(shown),
      edges: edges.map(shown),
      cut,
      up_to_date,
      position,
    };
  }

  /** All nodes by id, and all edges, the strongest first. Failure as `query`. */
  async whole(corpusId: string): Promise<Pick<GraphQueryResponse, 'nodes' | 'edges'>> {
    const { nodes, edges } = await this.#deps.graphs.whole(await this.#scope(corpusId));
    return { nodes: nodes.map(shown), edges: edges.map(shown) };
  }

  /**
   * Of these corpora together, as far as they have been counted: `up_to_date` tells whether that is all there is. Failure
   * as `query`.
   */
  async stats(corpusIds: readonly string[]): Promise<GraphStats> {
    const stats: GraphStats = {
      ...{ nodes: 0, edges: 0, nodes_by_kind: {}, edges_by_relation: {}, by_corpus: {}, density: 0 },
      ...{ top_entities: [], updated_at: null, up_to_date: true },
    };
    let pairs = 0;
    const top = new Map<string, Node>();
    for (const corpusId of corpusIds) {
      const { figures, isCurrent } = await this.#figures(await this.#scope(corpusId));
      stats.up_to_date &&= isCurrent;
      const [nodes, edges] = [figures.nodes_by_kind, figures.edges_by_relation].map((counts) =>
        Object.values(counts).reduce((sum, count) => sum + count, 0),
      ) as [number, number];
      stats.by_corpus[corpusId] = { nodes, edges };
      stats.nodes += nodes;
      stats.edges += edges;
      pairs += figures.pairs;
      addTo(stats.nodes_by_kind, figures.nodes_by_kind);
      addTo(stats.edges_by_relation, figures.edges_by_relation);
      // What several corpora speak of is one entity.
      for (const node of figures.top) {
        const known = top.get(node.id);
        const kind = known && known.kind !== 'name' ? known.kind : node.kind;
        top.set(node.id, known ? { ...known, kind, count: known.count + node.count } : node);
      }
      if (figures.updated_at !== null && figures.updated_at > (stats.updated_at ?? ''))
        stats.updated_at = figures.updated_at;
    }
    stats.up_to_date &&= this.#isUpToDate();
    const possible = (stats.nodes * (stats.nodes - 1)) / 2;
    stats.density = possible === 0 ? 0 : pairs / possible;
    stats.top_entities = [...top.values()].sort(byCount).slice(0, topEntities).map(shown);
    return stats;
  }

  /** The figures of the documents as they are, or the last ones where counting takes longer. */
  async #figures(scope: GraphScope): Promise<{ figures: GraphFigures; isCurrent: boolean }> {
    const [stamp, layers] = [
      this.#deps.progress.changes(graphCollections.documents),
      scope.layers.join('\n'),
    ];
    const isCurrent = (one: Counted | null) => one?.stamp === stamp && one.layers === layers;
    const before = this.#counted.get(scope.corpus_id) ?? null;
    if (before !== null && isCurrent(before)) return { figures: before.figures, isCurrent: true };
    const counted = await Promise.race([
      this.#count(scope, stamp, layers).catch(unlessUnavailable),
      delay(this.#deps.countMs ?? countMsDefault, null, { ref: false }),
    ]);
    if (counted !== null && counted.layers === layers)
      return { figures: counted.figures, isCurrent: isCurrent(counted) };
    // Its numbers hold nearly, but what it says is spoken of may not be visible any more.
    const last = before?.layers === layers ? before.figures : none;
    return { figures: { ...last, top: [] }, isCurrent: false };
  }

  /** One count of a corpus at a time: those who ask meanwhile have the same. */
  #count(scope: GraphScope, stamp: number, layers: string): Promise<Counted> {
    const { corpus_id } = scope;
    const underWay = this.#counting.get(corpus_id);
    if (underWay) return underWay;
    const counting = this.#deps.graphs
      .figures(scope, topEntities)
      .then((figures) => {
        const counted = { stamp, layers, figures };
        this.#counted.set(corpus_id, counted);
        return counted;
      })
      .finally(() => this.#counting.delete(corpus_id));
    this.#counting.set(corpus_id, counting);
    return counting;
  }

  async #scope(corpusId: string): Promise<GraphScope> {
    const corpus = (await this.#deps.catalog.load()).corpora.get(corpusId);
    if (!corpus?.active) throw new Failure('not_found', `There is no active corpus "${corpusId}".`);
    const layers = corpus.settings.layers
      .filter(({ visibility, kind }) => visibility === 'public' && kind !== 'superseded')
      .map(({ name }) => name);
    return { corpus_id: corpusId, layers };
  }

  /** Whether the records hold all that can be searched. */
  #isUpToDate(): boolean {
    const { progress } = this.#deps;
    return progress.hasReached('graph', progress.checkpoint('chunks'));
  }
}

const none: GraphFigures = { nodes_by_kind: {}, edges_by_relation: {}, pairs: 0, top: [], updated_at: null };

function unlessUnavailable(error: unknown): null {
  if (error instanceof Failure && error.code === 'unavailable') return null;
  throw error;
}

export interface OpenedGraphs {
  graph: KnowledgeGraph;
  /** For one asker among many: each question is asked when it is their turn. */
  graphFor(who: string, signal: AbortSignal): Pick<KnowledgeGraph, 'query' | 'stats'>;
  references: NonNullable<AskDeps['references']>;
}

/** Queries at once: the thread that reads has the next before it by the time it has answered one. */
const atOnce = 2;

export function openGraphs(core: Core, graphs: Graphs): OpenedGraphs {
  const { catalog, progress, reads } = core;
  const waitForOwnWrites = () => core.showsOwnWrites('graph');
  const graph = new KnowledgeGraph({ graphs, catalog, progress, waitForOwnWrites });
  const turns = new FairQueue({ atOnce });
  return {
    graph,
    graphFor: (who, signal) => ({
      query: (...question) => turns.take({ who, size: 1 }, () => graph.query(...question), signal),
      stats: (corpusIds) => turns.take({ who, size: 1 }, () => graph.stats(corpusIds), signal),
    }),
    references: (wanted) => crossReferences({ graph, reads }, wanted),
  };
}

function addTo(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

/** With the passages that its places stand in. */
const shown = <T extends Node | Edge>(one: T): T & { source_refs: string[] } => ({
  ...one,
  source_refs: [...new Set(one.places.map(({ ref }) => ref))],
});
