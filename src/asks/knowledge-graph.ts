/**
 * The knowledge graphs of the corpora as seen by readers: limited to the layers that are currently public and in force.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { FairQueue } from '../async/fair-queue.ts';
import { isPublic } from '../domain/events.ts';
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
import type { AskDeps } from './ask-port.ts';
import { crossReferences } from './cross-references.ts';
import type { GraphQueryResponse, GraphStats } from './graph-schema.ts';

export interface KnowledgeGraphDeps {
  graphs: Graphs;
  catalog: Pick<FreshCatalog, 'load'>;
  progress: Pick<ProjectionProgress, 'changes' | 'checkpoint' | 'hasReached'>;
  /** Resolves when the records include this process's own writes, or after a timeout. */
  waitForOwnWrites(): Promise<void>;
  /** How long statistics wait for a count, in ms, before they return the previous one. Default: 500. */
  countMs?: number;
}

const topEntities = 10;
const countMsDefault = 500;

/** The statistics of a corpus at its last count. */
interface Counted {
  /** The stamp of the documents, and the layers that were counted. */
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

  /** Queries the current graph. Fails with `not_found` if the corpus is not active. */
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

  /** All nodes by id, and all edges, strongest first. Fails like `query`. */
  async whole(corpusId: string): Promise<Pick<GraphQueryResponse, 'nodes' | 'edges'>> {
    const { nodes, edges } = await this.#deps.graphs.whole(await this.#scope(corpusId));
    return { nodes: nodes.map(shown), edges: edges.map(shown) };
  }

  /**
   * Combined statistics of these corpora, as far as they have been counted; `up_to_date` states whether they are
   * complete. Fails like `query`.
   */
  async stats(corpusIds: readonly string[]): Promise<GraphStats> {
    const stats: GraphStats = {
      nodes: 0,
      edges: 0,
      nodes_by_kind: {},
      edges_by_relation: {},
      by_corpus: {},
      density: 0,
      top_entities: [],
      updated_at: null,
      up_to_date: true,
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
      // An entity that occurs in several corpora counts once.
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

  /** The statistics of the current documents, or the previous statistics if counting takes longer. */
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
    // The previous numbers are nearly correct, but the top entities may no longer be visible.
    const last = before?.layers === layers ? before.figures : none;
    return { figures: { ...last, top: [] }, isCurrent: false };
  }

  /** Runs only one count per corpus at a time, shared by concurrent callers. */
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
      .filter((layer) => isPublic(layer) && layer.kind !== 'superseded')
      .map(({ name }) => name);
    return { corpus_id: corpusId, layers };
  }

  /** Whether the records cover everything that can be searched. */
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
  /** The graph as used by one of many askers: each query runs when it is the asker's turn. */
  graphFor(who: string, signal: AbortSignal): Pick<KnowledgeGraph, 'query' | 'stats'>;
  references: NonNullable<AskDeps['references']>;
}

/** Number of concurrent queries. With two, the reading thread has the next query ready when it finishes one. */
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

/** Adds the passages that contain its locations. */
const shown = <T extends Node | Edge>(one: T): T & { source_refs: string[] } => ({
  ...one,
  source_refs: [...new Set(one.places.map(({ ref }) => ref))],
});
