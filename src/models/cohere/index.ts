/** The Cohere adapter. Importing this module loads its client. */
import type { ModelOptions, ProviderModels } from '../options.ts';
import { openProvider } from '../provider.ts';
import { openClient } from './client.ts';
import { cohereEmbedder } from './embedder.ts';
import { cohereGenerator } from './generator.ts';
import { silenceClientWarnings } from './quiet-client.ts';
import { cohereReranker } from './reranker.ts';
import type { CohereSettings } from './settings.ts';
import { cohereStructured } from './structured.ts';

export function openCohere(settings: CohereSettings, options: ModelOptions): ProviderModels {
  silenceClientWarnings();
  const client = openClient(settings);
  return openProvider({ key: 'cohere', whose: "Cohere's" }, settings, options, {
    embedder: (calls, vectors, onUsage) => cohereEmbedder(client, calls, settings, vectors, onUsage),
    reranker: (calls, model, onUsage) => cohereReranker(client, calls, settings, model, onUsage),
    generator: (calls, model, timing, onUsage) =>
      cohereGenerator((way) => openClient(settings, way), calls, settings, model, timing, onUsage),
    structured: (calls, model, onUsage) => cohereStructured(client, calls, model, onUsage),
  });
}
