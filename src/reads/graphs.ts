/**
 * The knowledge graphs of corpora, folded from their records when they are first asked and kept up while they are:
 * of each change only what it changes is read. What is no longer to be seen is gone before anything is answered; of what
 * has come a question waits two seconds, then it is answered from what is there, which is said.
 */
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import { GraphFold } from '../graph/fold.ts';
import { figuresOf, type GraphEdge, type GraphFigures, type GraphNode, placesMax } from '../graph/graph.ts';
import { askGraph, type GraphQuestion } from '../graph/query.ts';
import {
  type ChunkRecord,
  chunkIn,
  chunksPerRecord,
  type DocumentRecord,
  type FoldedDocument,
  graphCollections,
  graphKeys,
} from '../graph/records.ts';
import type { Position } from '../ports/event-log.ts';
import { pages } from './pages.ts';
import type { Reads } from './reads.ts';

/** Which graph is asked. */
export interface GraphScope {
  corpus_id: string;
  /** The layers that may be seen, by their rank. */
  layers: readonly string[];
  /** Keys that are entities of their own (see identify), sorted. */
  apart: readonly string[];
  /** Rises whenever the records may have changed (ProjectionProgress.changes). */
  stamp: number;
  /** How far the history has been read into the records at that stamp. */
  position: Position | null;
}

/** How current and how complete the graph is that answers. */
export interface GraphState {
  /** Everything visible at `position` is in it. */
  up_to_date: boolean;
  position: Position | null;
  /** The corpus is larger than a graph may be: documents are left out, those of the last layers first. */
  partial: boolean;
}

export interface GraphAnswer extends GraphState {
  found: readonly string[];
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  cut: boolean;
}

export interface CurrentFigures extends GraphState, GraphFigures {
  /** When the newest of its documents was published; null: there is none. */
  updated_at: string | null;
}

/** A part of the whole graph: nodes by id, then edges by weight. */
export interface GraphPart {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  /** Where the next part begins; null: this is the last. */
  next: number | null;
  /** Differs when the graph has changed between two parts. */
  version: number;
}

/** Failure `unavailable` while a graph is made for the first time, with how far it is. */
export interface Graphs {
  query(scope: GraphScope, question: GraphQuestion): Promise<GraphAnswer>;
  /** `top`: so many nodes with the most mentions. */
  figures(scope: GraphScope, top: number): Promise<CurrentFigures>;
  part(scope: GraphScope, from: number): Promise<GraphPart>;
}

export interface KeptGraphsOptions {
  reads: Pick<Reads, 'find' | 'getMany'>;
  /** Mentions and chunks of all graphs together. */
  weightMax: number;
  /** How long a question waits for what has just come, in ms. */
  waitMs: number;
}

/** Where each mention stands beside others than the one before, so many take 0.4 GB: four edges each. */
export const graphLimits = { weightMax: 200_000, waitMs: 2_000 };

const documentsAtOnce = 500;
const recordsAtOnce = 4;
/** What has come is shown after so many chunks, while more is being read. */
const chunksShown = 2_000;
/** Places listed in one answer, over all its nodes and edges. */
const placesPerAnswer = 4_000;
const partSize = 200;
/** So long it works before others have their turn. */
const turnMs = 10;

interface Kept {
  corpus_id: string;
  layers: readonly string[];
  fold: GraphFold;
  /** What was asked for, and what the graph is of: in all, and of what is gone alone. */
  wanted: Pick<GraphScope, 'stamp' | 'position' | 'apart'>;
  at: Pick<GraphScope, 'stamp' | 'position' | 'apart'>;
  goneAt: number;
  /** Documents read while it is made for the first time, of how many. */
  progress: { read: number; all: number };
  /** It has been made once. */
  made: boolean;
  partial: boolean;
  version: number;
  /** They go through the whole graph, and anybody may ask for them: once for each version. */
  figures: { version: number; top: number; figures: Omit<CurrentFigures, keyof GraphState> } | null;
  /** The graph is not whole meanwhile. */
  settling: Promise<void> | null;
  running: Promise<void> | null;
  changed: PromiseWithResolvers<void>;
}

export class KeptGraphs implements Graphs {
  readonly #options: KeptGraphsOptions;
  /** The one asked last comes last. */
  readonly #kept = new Map<string, Kept>();

  constructor(options: KeptGraphsOptions) {
    this.#options = options;
  }

  async query(scope: GraphScope, question: GraphQuestion): Promise<GraphAnswer> {
    return this.#from(scope, ({ fold }, state) => {
      const { found, nodes, edges, cut } = askGraph(fold.graph, question);
      const most = Math.max(
        1,
        Math.min(placesMax, Math.floor(placesPerAnswer / (nodes.length + edges.length))),
      );
      return {
        ...state,
        found,
        nodes: nodes.map((node) => shownNode(node, most)),
        edges: edges.map((edge) => shownEdge(edge, most)),
        cut: cut || state.partial,
      };
    });
  }

  async figures(scope: GraphScope, top: number): Promise<CurrentFigures> {
    return this.#from(scope, (kept, state) => {
      if (kept.figures?.version !== kept.version || kept.figures.top !== top)
        kept.figures = { version: kept.version, top, figures: this.#figuresOf(kept, top) };
      return { ...state, ...kept.figures.figures };
    });
  }

  async part(scope: GraphScope, from: number): Promise<GraphPart> {
    return this.#from(scope, ({ fold, version }) => {
      const { nodes, edges } = fold.graph.inOrder();
      const next = from + partSize;
      return {
        nodes: nodes.slice(from, next).map((node) => shownNode(node, placesMax)),
        edges: edges
          .slice(Math.max(0, from - nodes.length), Math.max(0, next - nodes.length))
          .map((edge) => shownEdge(edge, placesMax)),
        next: next < nodes.length + edges.length ? next : null,
        version,
      };
    });
  }

  #figuresOf({ fold }: Kept, top: number): Omit<CurrentFigures, keyof GraphState> {
    const { top: first, ...figures } = figuresOf(fold.graph, top);
    let updated_at: string | null = null;
    for (const { published_at } of fold.documents())
      if (updated_at === null || published_at > updated_at) updated_at = published_at;
    return { ...figures, top: first.map((node) => shownNode(node, placesMax)), updated_at };
  }

  /** Answers from a graph without anything that was withdrawn; new documents are waited for, within a limit. */
  async #from<T>(scope: GraphScope, answer: (kept: Kept, state: GraphState) => T): Promise<T> {
    const kept = this.#follow(scope);
    const waited = delay(this.#options.waitMs, true, { ref: false });
    const isThere = () => kept.at.stamp >= scope.stamp && same(kept.at.apart, scope.apart);
    for (let late = false; !isThere() && !late; )
      late = (await Promise.race([kept.changed.promise, waited])) === true;
    for (; kept.settling !== null; ) await kept.settling;
    if (!kept.made || kept.goneAt < scope.stamp || !this.#isKept(kept))
      throw new Failure(
        'unavailable',
        `The graph of "${scope.corpus_id}" is being made: ${kept.progress.read} of ${kept.progress.all} documents so far. Ask again.`,
        { retryAfterS: 2 },
      );
    const { position } = kept.at;
    return answer(kept, { up_to_date: isThere(), position, partial: kept.partial });
  }

  #follow({ corpus_id, layers, apart, stamp, position }: GraphScope): Kept {
    let kept = this.#kept.get(corpus_id);
    this.#kept.delete(corpus_id);
    if (kept === undefined || !same(kept.layers, layers)) kept = newKept(corpus_id, layers);
    this.#kept.set(corpus_id, kept);
    if (stamp > kept.wanted.stamp || (stamp === kept.wanted.stamp && !same(apart, kept.wanted.apart)))
      kept.wanted = { stamp, position, apart };
    if (isBehind(kept)) kept.running ??= this.#catchUp(kept);
    return kept;
  }

  async #catchUp(kept: Kept): Promise<void> {
    try {
      while (isBehind(kept) && this.#isKept(kept)) {
        const { wanted } = kept;
        await this.#bring(kept, wanted);
        if (this.#isKept(kept)) kept.at = wanted;
        wake(kept);
      }
    } catch (error) {
      // The next query starts over.
      if (this.#isKept(kept)) this.#kept.delete(kept.corpus_id);
      if (!(error instanceof Failure)) throw error;
    } finally {
      kept.running = null;
      wake(kept);
    }
  }

  #isKept(kept: Kept): boolean {
    return this.#kept.get(kept.corpus_id) === kept;
  }

  /** Takes in the records as they are now. */
  async #bring(kept: Kept, { stamp, apart }: Kept['wanted']): Promise<void> {
    const documents = await this.#documents(kept);
    const there = new Map(documents.map((record) => [record.doc_id, record]));
    const gone = [...kept.fold.documents()].filter(
      ({ doc_id, revision }) => there.get(doc_id)?.revision !== revision,
    );
    kept.fold.apart = apart;
    // Which documents are left out is decided over all of them.
    if (kept.partial) Object.assign(kept, { fold: foldOf(kept.layers, apart), partial: false, made: false });
    else if (gone.length > 0) {
      for (const { doc_id } of gone) kept.fold.remove(doc_id);
      if (kept.made) await this.#settle(kept);
    }
    kept.goneAt = stamp;
    wake(kept);
    kept.progress = { read: 0, all: documents.length };
    let unshown = 0;
    for (const record of documents) {
      kept.progress.read++;
      if (kept.fold.get(record.doc_id) !== null) continue;
      const document = { ...record, chunks: await this.#chunksOf(record) };
      if (!this.#isKept(kept)) return;
      kept.fold.add(document);
      if (!this.#hasRoom(kept)) {
        kept.fold.remove(record.doc_id);
        kept.partial = true;
        break;
      }
      unshown += record.chunk_count;
      if (!kept.made || unshown < chunksShown) continue;
      await this.#settle(kept);
      unshown = 0;
    }
    await this.#settle(kept);
    kept.made = true;
  }

  /** Graphs that were asked longest ago make room. */
  #hasRoom(kept: Kept): boolean {
    const { weightMax } = this.#options;
    const weight = () => [...this.#kept.values()].reduce((sum, { fold }) => sum + fold.weight, 0);
    for (const other of [...this.#kept.values()]) {
      if (weight() <= weightMax) return true;
      if (other !== kept) this.#kept.delete(other.corpus_id);
    }
    return weight() <= weightMax;
  }

  async #settle(kept: Kept): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    kept.settling = promise;
    try {
      let from = performance.now();
      for (const _ of kept.fold.settle()) {
        if (performance.now() - from < turnMs) continue;
        await setImmediate();
        from = performance.now();
      }
      kept.version++;
    } finally {
      kept.settling = null;
      resolve();
      wake(kept);
    }
  }

  /** The documents that may be seen, those that lead first. */
  async #documents({ corpus_id, layers }: Kept): Promise<DocumentRecord[]> {
    const rank = new Map(layers.map((name, n) => [name, n]));
    const found = new Map<number, DocumentRecord>();
    const read = (page: { limit: number; offset: number }) =>
      this.#options.reads.find(graphCollections.documents, { where: { corpus_id }, ...page });
    for await (const items of pages(read, documentsAtOnce))
      for (const item of items) {
        const record = item as unknown as DocumentRecord;
        if (rank.has(record.layer)) found.set(record.doc_id, record);
      }
    return [...found.values()].sort(
      (a, b) => rank.get(a.layer)! - rank.get(b.layer)! || (a.doc_key < b.doc_key ? -1 : 1),
    );
  }

  async #chunksOf({ doc_id, revision, chunk_count }: DocumentRecord): Promise<FoldedDocument['chunks']> {
    const out: ChunkRecord[] = [];
    const keys = graphKeys(doc_id, revision, chunk_count);
    for (let at = 0; at < keys.length; at += recordsAtOnce) {
      const records = await this.#options.reads.getMany(
        graphCollections.chunks,
        keys.slice(at, at + recordsAtOnce),
      );
      for (const [n, record] of records.entries()) {
        const first = (at + n) * chunksPerRecord;
        for (let ordinal = first; ordinal < Math.min(first + chunksPerRecord, chunk_count); ordinal++) {
          // A revision that was replaced this moment has none any more: the next stamp shows its successor.
          const chunk = chunkIn(record, ordinal);
          if (chunk !== null) out.push(chunk);
        }
      }
      await setImmediate();
    }
    return out;
  }
}

const foldOf = (layers: readonly string[], apart: readonly string[] = []): GraphFold => {
  const rank = new Map(layers.map((name, n) => [name, n]));
  return new GraphFold((layer) => rank.get(layer) ?? rank.size, apart);
};

const newKept = (corpus_id: string, layers: readonly string[]): Kept => ({
  ...{ corpus_id, layers, fold: foldOf(layers), goneAt: -1, version: 0 },
  wanted: { stamp: -1, position: null, apart: [] },
  at: { stamp: -1, position: null, apart: [] },
  progress: { read: 0, all: 0 },
  ...{ made: false, partial: false, figures: null, settling: null, running: null },
  changed: Promise.withResolvers<void>(),
});

const same = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

const isBehind = ({ at, wanted }: Kept): boolean => at.stamp < wanted.stamp || !same(at.apart, wanted.apart);

/** Lets those look again who wait for a graph. */
function wake(kept: Kept): void {
  kept.changed.resolve();
  kept.changed = Promise.withResolvers<void>();
}

const shownNode = ({ id, kind, name, keys, count, places }: GraphNode, most: number): GraphNode => ({
  ...{ id, kind, name, keys, count },
  places: places.slice(0, most),
});
const shownEdge = ({ from, to, relation, count, places }: GraphEdge, most: number): GraphEdge => ({
  ...{ from, to, relation, count },
  places: places.slice(0, most),
});
