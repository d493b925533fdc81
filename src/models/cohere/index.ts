/** Cohere behind the ports. Loading this loads its client. */
import type { ModelCall, ModelUsage } from '../../ports/models.ts';
import { Calls } from '../calls.ts';
import { type ModelOptions, type ProviderModels, realTiming } from '../options.ts';
import { openClient } from './client.ts';
import { cohereEmbedder, namedEmbedder } from './embedder.ts';
import { cohereGenerator } from './generator.ts';
import { silenceClientWarnings } from './quiet-client.ts';
import { cohereReranker } from './reranker.ts';
import type { CohereSettings } from './settings.ts';
import { cohereStructured } from './structured.ts';

/** The capabilities the settings name a model for. */
export function openCohere(
  settings: CohereSettings,
  { onTrouble, onUsage = () => {}, admit = () => {}, timing = realTiming }: ModelOptions,
): ProviderModels {
  const { chatModel, verifyModel, embedModel, embedDimension, rerankModel } = settings;
  silenceClientWarnings();
  const client = openClient(settings);
  const callsOf = (name: string) => new Calls({ name, timing, onTrouble, admit });
  // Each with a circuit breaker of its own: where one does not answer, the others still may.
  const calls = {
    chat: callsOf("Cohere's chat"),
    structured: callsOf("Cohere's chat in JSON"),
    verify: callsOf("Cohere's second reading"),
    embed: callsOf("Cohere's embed"),
    rerank: callsOf("Cohere's rerank"),
  };
  const usageOf = (call: ModelCall) => (usage: ModelUsage) => onUsage(call, usage);
  const embedderOf = (named: { model: string; dimension: number }) =>
    cohereEmbedder(client, calls.embed, settings, named, usageOf('embed'));
  return {
    embedder: embedModel === null ? null : embedderOf({ model: embedModel, dimension: embedDimension }),
    embedderNamed: (name) => {
      const named = namedEmbedder(name);
      return named && embedderOf(named);
    },
    reranker:
      rerankModel === null
        ? null
        : cohereReranker(client, calls.rerank, settings, rerankModel, usageOf('rerank')),
    generator:
      chatModel === null
        ? null
        : cohereGenerator(
            (way) => openClient(settings, way),
            ...([calls.chat, settings, chatModel, timing, usageOf('chat')] as const),
          ),
    structured:
      chatModel === null ? null : cohereStructured(client, calls.structured, chatModel, usageOf('chat')),
    verifier:
      verifyModel === null ? null : cohereStructured(client, calls.verify, verifyModel, usageOf('chat')),
    down: () => Object.values(calls).flatMap((one) => (one.isDown ? [one.name] : [])),
  };
}
