/**
 * Reranking, which is not part of OpenAI's interface. It uses the form of Jina and vLLM (also llama.cpp), or that of
 * Text Embeddings Inference. Some servers send raw model scores, which may be any number; others send values between 0
 * and 1. If a single score is outside that range, all scores from the server are treated as raw.
 */
import type OpenAI from 'openai';
import { type ModelUsage, noUsage, type Reranker } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { billing } from '../options.ts';
import { RequestForms } from './forms.ts';
import type { OpenAiSettings } from './settings.ts';

/** Models read at most a few thousand tokens of a passage. */
const unitsMax = 16_000;
/** Tolerance for rounding errors at the bounds. */
const tolerance = 0.01;

interface Form {
  body(model: string, query: string, texts: string[]): unknown;
  scores(answer: unknown): [index: unknown, score: unknown][];
}

const rows = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((row) => row !== null && typeof row === 'object') : [];

const forms: readonly [Form, Form] = [
  {
    body: (model, query, documents) => ({ model, query, documents }),
    scores: (answer) =>
      rows((answer as { results?: unknown } | null)?.results).map((row) => [row.index, row.relevance_score]),
  },
  {
    body: (_, query, texts) => ({ query, texts, truncate: true }),
    scores: (answer) => rows(answer).map((row) => [row.index, row.score]),
  },
];

export function openAiReranker(
  client: OpenAI,
  calls: Calls,
  { rerankMs }: Pick<OpenAiSettings, 'rerankMs'>,
  model: string,
  onUsage: (usage: ModelUsage) => void,
): Reranker {
  const taken = new RequestForms(forms);
  let isUnbounded = false;
  return {
    name: `openai:${model}`,
    async rerank(question, passages, signal, onCallUsage) {
      if (passages.length === 0) return [];
      const texts = passages.map((text) => text.slice(0, unitsMax) || ' ');
      return calls.call({ withinMs: rerankMs, signal }, async (ending) => {
        const found = await taken.send(async (form) =>
          form.scores(
            await client.post('/rerank', { body: form.body(model, question, texts), signal: ending }),
          ),
        );
        const scores = new Array<number>(passages.length).fill(Number.NaN);
        for (const [index, score] of found)
          if (typeof score === 'number' && Number.isInteger(index) && (index as number) in scores)
            scores[index as number] = score;
        if (!scores.every(Number.isFinite)) throw garbled(calls.name);
        billing(onUsage, onCallUsage)({ ...noUsage, search_units: 1 });
        isUnbounded ||= scores.some((score) => score < -tolerance || score > 1 + tolerance);
        return scores.map((score) =>
          isUnbounded ? 1 / (1 + Math.exp(-score)) : Math.min(1, Math.max(0, score)),
        );
      });
    },
  };
}
