/** References to and from provisions according to the knowledge graph, with the passages that contain them. */
import type {
  CrossReference,
  CrossReferences,
  ProvisionKey,
  ReferencesWanted,
} from '../answering/kinds/references/port.ts';
import { mapLimited } from '../async/map-limited.ts';
import { type GraphQuestion, provisionId, provisionOf } from '../graph/graph.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { GraphEdge, GraphQueryResponse } from './graph-schema.ts';

export interface CrossReferencesDeps {
  graph: { query(corpusId: string, question: GraphQuestion): Promise<GraphQueryResponse> };
  reads: Pick<ReadModelReads, 'chunks'>;
}

/** Maximum number of passages read for an answer. */
const passagesMax = 60;
/** Number of passages read at a time. All askers share the queue of reads. */
const readsAtOnce = 4;
const nodesMax = 200;

/** May fail with `unavailable`. */
export async function crossReferences(
  { graph, reads }: CrossReferencesDeps,
  { corpus_id, layers, provisions, referring }: ReferencesWanted,
): Promise<CrossReferences> {
  const occurrences: { at: GraphEdge['places'][number]; to: ProvisionKey }[] = [];
  const seen = new Set<string>();
  let more = false;
  for (const { doc_key, unit, number } of provisions) {
    const id = provisionId(doc_key, unit, number);
    const question = { entity: id, to: null, query: null, relation: 'refers_to', depth: 1 } as const;
    const { found, edges, cut, up_to_date } = await graph.query(corpus_id, { ...question, limit: nodesMax });
    more ||= !up_to_date;
    // If no passage mentions the provision, the graph may return one with the same number elsewhere.
    if (found[0] !== id) continue;
    more ||= cut;
    for (const edge of edges) {
      if ((referring === 'to' ? edge.to : edge.from) !== id) continue;
      const to = provisionOf(edge.to);
      if (to === null) continue;
      more ||= edge.count > edge.places.length;
      for (const occurrence of edge.places) {
        const key = referring === 'to' ? occurrence.ref : `${occurrence.ref} ${occurrence.start} ${edge.to}`;
        if (seen.has(key)) continue;
        seen.add(key);
        occurrences.push({ at: occurrence, to });
      }
    }
  }
  const inOrder = occurrences.sort(
    ({ at: a }, { at: b }) => a.doc_id - b.doc_id || a.start - b.start || a.end - b.end,
  );
  const items = await mapLimited(inOrder.slice(0, passagesMax), readsAtOnce, (one) =>
    passageAt(reads, layers, one),
  );
  return { items: items.filter((one) => one !== null), more: more || occurrences.length > passagesMax };
}

/** The passage at a location; null if it has changed since then or is not visible. */
async function passageAt(
  reads: Pick<ReadModelReads, 'chunks'>,
  layers: readonly string[],
  { at, to }: { at: GraphEdge['places'][number]; to: ProvisionKey },
): Promise<CrossReference | null> {
  const { items } = await reads.chunks(at.doc_id, 1, at.ordinal, null);
  const [passage] = items;
  if (!passage) return null;
  const { facts, chunk } = passage;
  const isSame = facts.revision === at.revision && `${facts.doc_key}#${chunk.chunk_index}` === at.ref;
  if (!isSame || !layers.includes(facts.layer.name)) return null;
  return { passage, start: at.start - chunk.start, end: at.end - chunk.start, to };
}
