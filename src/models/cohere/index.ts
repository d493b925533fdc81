/** Cohere behind the ports. Loading this loads its client, which takes some 200 ms. */
import { setTimeout as delay } from 'node:timers/promises';
import { CohereClientV2 } from 'cohere-ai';
import type { Embedder, ModelCall, Models, ModelUsage } from '../../ports/models.ts';
import { Calls, checkedFetch } from './calls.ts';
import { cohereEmbedder, namedEmbedder } from './embedder.ts';
import { cohereGenerator } from './generator.ts';
import { silenceClientWarnings } from './quiet-client.ts';
import { cohereReranker } from './reranker.ts';
import type { CohereSettings, Timing } from './settings.ts';

export interface CohereOptions {
  /** Sentences for the operator; no question, prompt or key stands in them. */
  onTrouble(sentence: string): void;
  /** What each call cost, as it has ended. */
  onUsage?(call: ModelCall, usage: ModelUsage): void;
  /** Throws the Failure by which a call is not to be made. */
  admit?(): void;
  timing?: Timing;
}

const realTiming: Timing = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

/**
 * The capabilities the settings name a model for. `down`: what is done without at the moment; `embedderNamed`: one that
 * made vectors before, null for one that is not Cohere's.
 */
export function openCohere(
  settings: CohereSettings,
  { onTrouble, onUsage = () => {}, admit = () => {}, timing = realTiming }: CohereOptions,
): Models & { down(): string[]; embedderNamed(name: string): Embedder | null } {
  const { apiKey, baseUrl, chatModel, embedModel, embedDimension, rerankModel } = settings;
  silenceClientWarnings();
  const client = new CohereClientV2({
    token: apiKey,
    clientName: 'docent',
    fetch: checkedFetch,
    ...(baseUrl !== null && { environment: baseUrl }),
  });
  const callsOf = (name: string) => new Calls({ name, timing, onTrouble, admit });
  const calls = {
    chat: callsOf("Cohere's chat"),
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
        : cohereGenerator(client, calls.chat, settings, chatModel, timing, usageOf('chat')),
    down: () => Object.values(calls).flatMap((one) => (one.isDown ? [one.name] : [])),
  };
}
