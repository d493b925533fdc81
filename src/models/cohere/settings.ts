/** Settings for Cohere. */
import type { ModelSettings } from '../options.ts';

export interface CohereSettings extends ModelSettings {
  apiKey: string;
  /** An alternative address of the API; null for the default. */
  baseUrl: string | null;
}
