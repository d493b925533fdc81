/** The provenance of an answer, as recorded. */
import type { AnswerProvenance } from '../domain/events.ts';
import { unique } from './kinds/findings.ts';
import type { Findings } from './kinds/kind.ts';
import type { ModelsUsed } from './reading/passages.ts';
import { refOf } from './writing/sources.ts';

export const noProvenance: AnswerProvenance = {
  rewritten: null,
  passages: [],
  model: null,
  prompt_version: null,
  evidence: null,
  timings: {},
  usage: null,
};

/** Maximum number of considered passages named in the record of an answer. */
const passagesNamed = 60;

/** The part of an answer's record that comes from its findings. */
export type MadeFrom = Pick<
  AnswerProvenance,
  'passages' | 'passages_considered' | 'retrieved_with' | 'degraded' | 'evidence'
>;

/** The passages considered, best first, whether or not they were quoted, and the weight of the evidence. */
export function madeFrom(findings: Findings): MadeFrom {
  const { sides } = findings;
  const found = sides.flatMap(({ found: { exact, hits } }) => [
    ...exact.flatMap(({ provisions }) => provisions.map(({ passage }) => passage)),
    ...hits,
  ]);
  const considered = unique(found);
  return {
    passages: considered.slice(0, passagesNamed).map((one) => ({
      ref: refOf(one),
      doc_id: one.facts.doc_id,
      revision: one.facts.revision,
      content_hash: one.facts.content_hash,
      chunk_index: one.chunk.chunk_index,
      score: Math.round(one.score * 1000) / 1000,
    })),
    ...(considered.length > passagesNamed && { passages_considered: considered.length }),
    ...withModels(sides.map(({ found: { models } }) => models)),
    evidence: evidenceWeight(findings),
  };
}

/** The models used, and whether one that should have been used was not. */
function withModels(
  used: readonly (ModelsUsed | undefined)[],
): Pick<AnswerProvenance, 'retrieved_with' | 'degraded'> {
  const embedder = used.find((one) => one?.embedder)?.embedder ?? null;
  const reranker = used.find((one) => one?.reranker)?.reranker ?? null;
  return {
    ...((embedder ?? reranker) !== null && { retrieved_with: { embedder, reranker } }),
    ...(used.some((one) => one?.degraded) && { degraded: true }),
  };
}

/** The weight of the evidence on the first side, and the evidence against it. */
function evidenceWeight({ sides: [{ found }] }: Findings): NonNullable<AnswerProvenance['evidence']> {
  const { score, missingNumbers, missingNames } = found.evidence;
  const reason =
    missingNumbers.length > 0
      ? 'number'
      : missingNames.length > 0
        ? 'name'
        : found.answerable
          ? null
          : 'coverage';
  return { score, threshold: found.threshold, reason };
}
