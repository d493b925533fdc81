/** The knowledge graphs, put together: for one asker among many, and for answers that say what refers to a provision. */
import type { AskDeps } from '../answering/ask-port.ts';
import { FairQueue } from '../async/fair-queue.ts';
import type { Core } from '../event-sourcing/core.ts';
import type { Graphs } from '../graph/graph-reads.ts';
import { crossReferences } from './cross-references.ts';
import { inTurn, KnowledgeGraph } from './knowledge-graph.ts';

/** Queries at once: the thread that reads has the next before it by the time it has answered one. */
const atOnce = 2;

export interface OpenedGraphs {
  graph: KnowledgeGraph;
  graphFor(who: string, signal: AbortSignal): Pick<KnowledgeGraph, 'query' | 'stats'>;
  references: NonNullable<AskDeps['references']>;
}

export function openGraphs(core: Core, graphs: Graphs): OpenedGraphs {
  const { catalog, progress, reads } = core;
  const waitForOwnWrites = () => core.showsOwnWrites('graph');
  const graph = new KnowledgeGraph({ graphs, catalog, progress, waitForOwnWrites });
  const turns = new FairQueue({ atOnce });
  return {
    graph,
    graphFor: (who, signal) => inTurn(graph, (work) => turns.take({ who, size: 1 }, work, signal)),
    references: (wanted) => crossReferences({ graph, reads }, wanted),
  };
}
