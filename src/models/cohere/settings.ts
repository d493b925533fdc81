/** What of Cohere is used, and how long it may take. */
export interface CohereSettings {
  apiKey: string;
  /** Another address of the API; null: Cohere's own. */
  baseUrl: string | null;
  /** null: no model writes answers, none embeds, none reranks. */
  chatModel: string | null;
  embedModel: string | null;
  rerankModel: string | null;
  embedDimension: number;
  /** When citations come: between the words, or, surer, after them. */
  citations: 'fast' | 'accurate';
  /** The longest silence of a stream, before its first word too; of a call to embed, and of one to rerank. */
  chatSilenceMs: number;
  embedMs: number;
  rerankMs: number;
}

/** How time passes, and chance. */
export interface Timing {
  /** Milliseconds that only grow. */
  now(): number;
  /** Resolves after so long, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
}
