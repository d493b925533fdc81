/** Settings for Cohere. */
import type { ModelSettings } from '../options.ts';

export interface CohereSettings extends ModelSettings {
  apiKey: string;
  /** Another address of the API; null: the default. */
  baseUrl: string | null;
}
