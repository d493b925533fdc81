/**
 * The knowledge graphs of the corpora as readers see them: of the layers that are public and in force at this moment. A
 * graph is folded when it is asked for and its documents have changed; chunks of a revision are read once.
 */
import { setImmediate } from 'node:timers/promises';
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { GraphEdge, GraphNode, GraphQueryResponse, GraphStats } from '../api/graph.ts';
import { Failure } from '../failures.ts';
import {
  type GraphEdge as Edge,
  figuresOf,
  foldInSteps,
  type Graph,
  type GraphNode as Node,
} from '../graph/graph.ts';
import { askGraph, type GraphQuestion } from '../graph/query.ts';
import {
  type ChunkRecord,
  type DocumentRecord,
  type FoldedDocument,
  graphCollections,
  graphKey,
} from '../graph/records.ts';
import { pages } from '../reads/pages.ts';
import type { Reads } from '../reads/reads.ts';
import { StampedCache } from '../reads/stamped-cache.ts';
import type { FreshCatalog } from './fresh-catalog.ts';

export interface KnowledgeGraphDeps {
  reads: Pick<Reads, 'find' | 'getMany'>;
  catalog: Pick<FreshCatalog, 'load'>;
  progress: Pick<ProjectionProgress, 'changes'>;
}

interface Folded {
  graph: Graph;
  /** When the newest of its documents was published. */
  updated_at: string | null;
}

const documentsAtOnce = 500;
const chunksAtOnce = 200;
const topEntities = 10;

export class KnowledgeGraph {
  readonly #deps: KnowledgeGraphDeps;
  readonly #graphs: StampedCache<string, Folded>;
  /** By corpus: the documents its graph was last folded from, by id. */
  readonly #known = new Map<string, ReadonlyMap<number, FoldedDocument>>();

  constructor(deps: KnowledgeGraphDeps) {
    this.#deps = deps;
    const { progress } = deps;
    this.#graphs = new StampedCache(
      () => progress.changes(graphCollections.documents) + progress.changes('corpora'),
      (corpusId) => this.#fold(corpusId),
    );
  }

  /** Failure `not_found` for a corpus that is not active, `unavailable`. */
  async query(corpusId: string, question: GraphQuestion): Promise<GraphQueryResponse> {
    const { graph } = await this.#graphs.get(corpusId);
    const { found, nodes, edges, cut } = askGraph(graph, question);
    return {
      corpus_id: corpusId,
      found: [...found],
      nodes: nodes.map(shown),
      edges: edges.map(shownEdge),
      cut,
    };
  }

  /** All nodes by id, and all edges, the strongest first. Failure as `query`. */
  async whole(corpusId: string): Promise<Pick<GraphQueryResponse, 'nodes' | 'edges'>> {
    const { graph } = await this.#graphs.get(corpusId);
    return { nodes: [...graph.nodes.values()].map(shown), edges: graph.edges.map(shownEdge) };
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
    };
    let pairs = 0;
    const top: Node[] = [];
    for (const corpusId of corpusIds) {
      const { graph, updated_at } = await this.#graphs.get(corpusId);
      const figures = figuresOf(graph, topEntities);
      stats.nodes += figures.nodes;
      stats.edges += figures.edges;
      stats.components += figures.components;
      pairs += figures.pairs;
      addTo(stats.nodes_by_kind, figures.nodes_by_kind);
      addTo(stats.edges_by_relation, figures.edges_by_relation);
      stats.by_corpus[corpusId] = { nodes: figures.nodes, edges: figures.edges };
      top.push(...figures.top);
      if (updated_at !== null && updated_at > (stats.updated_at ?? '')) stats.updated_at = updated_at;
    }
    const possible = (stats.nodes * (stats.nodes - 1)) / 2;
    stats.density = possible === 0 ? 0 : pairs / possible;
    stats.top_entities = top
      .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
      .slice(0, topEntities)
      .map(shown);
    return stats;
  }

  async #fold(corpusId: string): Promise<Folded> {
    const { reads, catalog } = this.#deps;
    const corpus = (await catalog.load()).corpora.get(corpusId);
    if (!corpus?.active) throw new Failure('not_found', `There is no active corpus "${corpusId}".`);
    const layers = corpus.settings.layers.filter(
      ({ visibility, kind }) => visibility === 'public' && kind !== 'superseded',
    );
    const rank = new Map(layers.map(({ name }, n) => [name, n]));
    const before = this.#known.get(corpusId);
    const documents = new Map<number, FoldedDocument>();
    const where = { corpus_id: corpusId };
    const read = (page: { limit: number; offset: number }) =>
      reads.find(graphCollections.documents, { where, ...page });
    for await (const items of pages(read, documentsAtOnce))
      for (const item of items) {
        const record = item as unknown as DocumentRecord;
        if (!rank.has(record.layer)) continue;
        const same = before?.get(record.doc_id);
        const chunks = same?.revision === record.revision ? same.chunks : await this.#chunksOf(record);
        documents.set(record.doc_id, { ...record, chunks });
      }
    this.#known.set(corpusId, documents);
    const graph = await inTurns(
      foldInSteps([...documents.values()], (layer) => rank.get(layer) ?? rank.size),
    );
    const times = [...documents.values()].map(({ published_at }) => published_at).sort();
    return { graph, updated_at: times.at(-1) ?? null };
  }

  async #chunksOf({ doc_id, revision, chunk_count }: DocumentRecord): Promise<ChunkRecord[]> {
    const out: ChunkRecord[] = [];
    for (let first = 0; first < chunk_count; first += chunksAtOnce) {
      const count = Math.min(chunksAtOnce, chunk_count - first);
      const keys = Array.from({ length: count }, (_, n) => graphKey(doc_id, revision, first + n));
      // A revision that was replaced this moment has none any more: the next look sees its successor.
      for (const record of await this.#deps.reads.getMany(graphCollections.chunks, keys))
        if (record !== null) out.push(record as unknown as ChunkRecord);
      await setImmediate();
    }
    return out;
  }
}

/** Does work in steps beside everything else this thread does. */
async function inTurns<T>(steps: Generator<void, T, void>): Promise<T> {
  for (let from = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - from < turnMs) continue;
    await setImmediate();
    from = performance.now();
  }
}
/** So long it works before others have their turn. */
const turnMs = 10;

function addTo(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

const refsOf = (places: Node['places']): string[] => [...new Set(places.map(({ ref }) => ref))];
const shown = ({ id, kind, name, count, places }: Node): GraphNode => ({
  id,
  kind,
  name,
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
