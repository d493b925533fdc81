/** Builds a provider's models from its adapters: one for each capability for which the settings name a model. */
import type {
  Embedder,
  Generator,
  ModelCall,
  ModelUsage,
  Reranker,
  StructuredModel,
} from '../ports/models.ts';
import { Calls } from './calls.ts';
import {
  type ModelOptions,
  type ModelSettings,
  type ProviderModels,
  realTiming,
  type Timing,
} from './options.ts';

/**
 * The name of an embedder contains the model and the vector length, because vectors from different embedders must not
 * be compared.
 */
export interface NamedVectors {
  name: string;
  model: string;
  dimension: number;
}

type OnUsage = (usage: ModelUsage) => void;

export interface Adapters {
  embedder(calls: Calls, vectors: NamedVectors, onUsage: OnUsage): Embedder;
  reranker(calls: Calls, model: string, onUsage: OnUsage): Reranker;
  generator(calls: Calls, model: string, timing: Timing, onUsage: OnUsage): Generator;
  structured(calls: Calls, model: string, onUsage: OnUsage): StructuredModel;
}

/** `key` is the prefix of its embedders' names. `whose` is its possessive form for messages, such as "Cohere's". */
export function openProvider(
  { key, whose }: { key: string; whose: string },
  { chatModel, verifyModel, embedModel, embedDimension, rerankModel }: ModelSettings,
  { onTrouble, onUsage = () => {}, admit = () => {}, timing = realTiming }: ModelOptions,
  adapters: Adapters,
): ProviderModels {
  const callsOf = (what: string) => new Calls({ name: `${whose} ${what}`, timing, onTrouble, admit });
  // Each has a separate circuit breaker, so that one can fail while the others work.
  const calls = {
    chat: callsOf('chat'),
    structured: callsOf('structured output'),
    verify: callsOf('second reading'),
    embed: callsOf('embed'),
    rerank: callsOf('rerank'),
  };
  const usageOf = (call: ModelCall) => (usage: ModelUsage) => onUsage(call, usage);
  const embedderOf = (model: string, dimension: number) =>
    adapters.embedder(
      calls.embed,
      { name: `${key}:${model}:${dimension}`, model, dimension },
      usageOf('embed'),
    );
  const where = <T>(model: string | null, open: (model: string) => T) =>
    model === null ? null : open(model);
  return {
    embedder: where(embedModel, (model) => embedderOf(model, embedDimension)),
    embedderNamed: (name) => {
      const [, whom, model, dimension] = /^(\w+):(.+):(\d+)$/.exec(name) ?? [];
      return whom === key ? embedderOf(model!, Number(dimension)) : null;
    },
    reranker: where(rerankModel, (model) => adapters.reranker(calls.rerank, model, usageOf('rerank'))),
    generator: where(chatModel, (model) => adapters.generator(calls.chat, model, timing, usageOf('chat'))),
    structured: where(chatModel, (model) => adapters.structured(calls.structured, model, usageOf('chat'))),
    verifier: where(verifyModel, (model) => adapters.structured(calls.verify, model, usageOf('chat'))),
    down: () => Object.values(calls).flatMap((one) => (one.isDown ? [one.name] : [])),
  };
}
