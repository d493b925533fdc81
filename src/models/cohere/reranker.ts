/** Cohere's rerank. */
import type { CohereClientV2 } from 'cohere-ai';
import { type ModelUsage, noUsage, type Reranker } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { billing } from '../options.ts';
import { requestOptions } from './client.ts';
import type { CohereSettings } from './settings.ts';

/** The model reads at most 4,096 tokens of a passage. */
const unitsMax = 16_000;

export function cohereReranker(
  client: CohereClientV2,
  calls: Calls,
  { rerankMs }: Pick<CohereSettings, 'rerankMs'>,
  model: string,
  onUsage: (usage: ModelUsage) => void,
): Reranker {
  return {
    name: `cohere:${model}`,
    async rerank(question, passages, signal, onCallUsage) {
      if (passages.length === 0) return [];
      const documents = passages.map((text) => text.slice(0, unitsMax) || ' ');
      return calls.call({ withinMs: rerankMs, signal }, async (ending) => {
        const { results, meta } =
          (await client.rerank({ model, query: question, documents }, requestOptions(ending))) ?? {};
        const scores = new Array<number>(passages.length).fill(Number.NaN);
        for (const { index, relevanceScore } of Array.isArray(results) ? results : [])
          if (Number.isInteger(index) && index >= 0 && index < scores.length)
            scores[index] = Math.min(1, Math.max(0, Number(relevanceScore)));
        if (scores.some(Number.isNaN)) throw garbled(calls.name);
        billing(onUsage, onCallUsage)({ ...noUsage, search_units: meta?.billedUnits?.searchUnits ?? 1 });
        return scores;
      });
    },
  };
}
