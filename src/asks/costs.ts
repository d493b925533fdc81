/** The cost of the models that took part in an answer. */
import type { MadeQueries } from '../answering/search-queries.ts';
import type { AnswerProvenance, ModelCalls } from '../domain/events.ts';
import { type ModelUsage, noUsage } from '../ports/models.ts';
import type { AskDeps } from './ask-port.ts';

export const added = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  embed_tokens: one.embed_tokens + other.embed_tokens,
  search_units: one.search_units + other.search_units,
});

/** The total usage and cost of an answer; null if no model was used. */
export function billed(
  written: AnswerProvenance['usage'],
  looked: ModelUsage,
  costOf: AskDeps['costOf'],
): AnswerProvenance['usage'] {
  const usage = added({ ...noUsage, ...written }, looked);
  if (written === null && Object.values(looked).every((n) => n === 0)) return null;
  return { ...usage, ...(costOf && { cost_micro_usd: costOf(usage) }) };
}

/** The record of how an answer was written, including all calls to chat models and their cost. */
export function accounted(
  { calls, ...rest }: NonNullable<AnswerProvenance['writing']>,
  searching: MadeQueries | null,
  costOf: AskDeps['costOf'],
): AnswerProvenance['writing'] {
  const searched: ModelCalls[] =
    searching && searching.model !== ''
      ? [{ purpose: 'search', model: searching.model, count: 1, ...tokensOf(searching.usage) }]
      : [];
  return {
    ...rest,
    calls: [...searched, ...calls].map((one) => ({
      ...one,
      ...(costOf && { cost_micro_usd: costOf({ ...noUsage, ...tokensOf(one) }) }),
    })),
  };
}

const tokensOf = ({ input_tokens, output_tokens }: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>) => ({
  input_tokens,
  output_tokens,
});
