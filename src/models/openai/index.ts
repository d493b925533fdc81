/** An OpenAI-compatible server behind the ports. Loading this loads OpenAI's client. */
import type { ModelCall, ModelUsage } from '../../ports/models.ts';
import { Calls } from '../calls.ts';
import { type ModelOptions, type ProviderModels, realTiming } from '../options.ts';
import { openClient } from './client.ts';
import { namedEmbedder, openAiEmbedder } from './embedder.ts';
import { openAiGenerator } from './generator.ts';
import { openAiReranker } from './reranker.ts';
import type { OpenAiSettings } from './settings.ts';
import { openAiStructured } from './structured.ts';

/** The capabilities the settings name a model for. */
export function openOpenAi(
  settings: OpenAiSettings,
  { onTrouble, onUsage = () => {}, admit = () => {}, timing = realTiming }: ModelOptions,
): ProviderModels {
  const { chatModel, verifyModel, embedModel, embedDimension, rerankModel } = settings;
  const client = openClient(settings);
  const callsOf = (name: string) => new Calls({ name, timing, onTrouble, admit });
  // Each with a circuit breaker of its own: where one does not answer, the others still may.
  const calls = {
    chat: callsOf("The model server's chat"),
    structured: callsOf("The model server's chat in JSON"),
    verify: callsOf("The model server's second reading"),
    embed: callsOf("The model server's embed"),
    rerank: callsOf("The model server's rerank"),
  };
  const usageOf = (call: ModelCall) => (usage: ModelUsage) => onUsage(call, usage);
  const embedderOf = (named: { model: string; dimension: number }) =>
    openAiEmbedder(client, calls.embed, settings, named, usageOf('embed'));
  return {
    embedder: embedModel === null ? null : embedderOf({ model: embedModel, dimension: embedDimension }),
    embedderNamed: (name) => {
      const named = namedEmbedder(name);
      return named && embedderOf(named);
    },
    reranker:
      rerankModel === null
        ? null
        : openAiReranker(client, calls.rerank, settings, rerankModel, usageOf('rerank')),
    generator:
      chatModel === null
        ? null
        : openAiGenerator(client, calls.chat, settings, chatModel, timing, usageOf('chat')),
    structured:
      chatModel === null ? null : openAiStructured(client, calls.structured, chatModel, usageOf('chat')),
    verifier:
      verifyModel === null ? null : openAiStructured(client, calls.verify, verifyModel, usageOf('chat')),
    down: () => Object.values(calls).flatMap((one) => (one.isDown ? [one.name] : [])),
  };
}
