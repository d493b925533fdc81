/** What of an OpenAI-compatible server is used, and how long it may take. */
export interface OpenAiSettings {
  /** Where its interface begins: http://localhost:8000/v1. */
  baseUrl: string;
  /** null: it wants none. */
  apiKey: string | null;
  /** null: no model writes answers, none reads them again, none embeds, none reranks. */
  chatModel: string | null;
  verifyModel: string | null;
  embedModel: string | null;
  rerankModel: string | null;
  embedDimension: number;
  /** The longest silence of a stream, before its first word too; of a call to embed, and of one to rerank. */
  silenceMs: number;
  embedMs: number;
  rerankMs: number;
}
