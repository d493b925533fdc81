/** What of Cohere is used. */
import type { ModelSettings } from '../options.ts';

export interface CohereSettings extends ModelSettings {
  apiKey: string;
  /** Another address of the API; null: Cohere's own. */
  baseUrl: string | null;
}
