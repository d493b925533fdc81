/** What of an OpenAI-compatible server is used. */
import type { ModelSettings } from '../options.ts';

export interface OpenAiSettings extends ModelSettings {
  /** Where its interface begins: http://localhost:8000/v1. */
  baseUrl: string;
  /** null: it wants none. */
  apiKey: string | null;
}
