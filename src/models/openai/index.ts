/** The adapter for OpenAI-compatible servers. Importing this module loads OpenAI's client. */
import type { ModelOptions, ProviderModels } from '../options.ts';
import { openProvider } from '../provider.ts';
import { openClient } from './client.ts';
import { openAiEmbedder } from './embedder.ts';
import { openAiGenerator } from './generator.ts';
import { openAiReranker } from './reranker.ts';
import type { OpenAiSettings } from './settings.ts';
import { openAiStructured } from './structured.ts';

export function openOpenAi(settings: OpenAiSettings, options: ModelOptions): ProviderModels {
  const client = openClient(settings);
  return openProvider({ key: 'openai', whose: "The model server's" }, settings, options, {
    embedder: (calls, vectors, onUsage) => openAiEmbedder(client, calls, settings, vectors, onUsage),
    reranker: (calls, model, onUsage) => openAiReranker(client, calls, settings, model, onUsage),
    generator: (calls, model, timing, onUsage) =>
      openAiGenerator(client, calls, settings, model, timing, onUsage),
    structured: (calls, model, onUsage) => openAiStructured(client, calls, model, onUsage),
  });
}
