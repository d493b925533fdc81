/** The recorded provenance of an answer. */
import type { AnswerProvenance } from '../domain/events.ts';
import type { ModelsUsed } from '../reading/passages.ts';
import { unique } from './kinds/findings.ts';
import type { Findings } from './kinds/kind.ts';
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

/** Maximum number of considered passages to list in the record of an answer. */
const passagesNamed = 60;

/** The part of an answer's record that is determined by its findings. */
export type MadeFrom = Pick<
  AnswerProvenance,
  'passages' | 'passages_considered' | 'retrieved_with' | 'degraded' | 'evidence'
>;

/** The passages considered, whether or not they were quoted, in order of quality, and the weight of the evidence. */
export function madeFrom(findings: Findings): MadeFrom {
  const { sides } = findings;
  const found = sides.flatMap(({ found: { exact, hits } }) => [
    ...exact.flatMap(({ provisions }) => provisions.map(({ passage }) => passage)),
    ...hits,
  ]);
  const considered = unique(found);
  return {
    passages: considered
      .slice(0, passagesNamed)
      .map((one) => ({
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

/** The models used, and whether a model that should have been used was unavailable. */
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

/** The weight of the evidence for an answer from the first side, and the reason if it is insufficient. */
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
