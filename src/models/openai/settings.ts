/** Settings for an OpenAI-compatible server. */
import type { ModelSettings } from '../options.ts';

export interface OpenAiSettings extends ModelSettings {
  /** The base URL of the interface, such as http://localhost:8000/v1. */
  baseUrl: string;
  /** Null if the server requires none. */
  apiKey: string | null;
}
