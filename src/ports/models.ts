/** Language models. Each capability may be absent: the service then does without it. */

/** What calls are billed by. */
export interface ModelUsage {
  /** Read and written by a model that writes. */
  input_tokens: number;
  output_tokens: number;
  embed_tokens: number;
  /** Reranks of up to 100 passages. */
  search_units: number;
}

export const noUsage: ModelUsage = { input_tokens: 0, output_tokens: 0, embed_tokens: 0, search_units: 0 };

export type ModelCall = 'chat' | 'embed' | 'rerank';

export interface Embedder {
  /** Model and version; only vectors of the same name are compared, and those of two may be kept side by side. */
  readonly name: string;
  /** Numbers in a vector. */
  readonly dimension: number;
  /** The same text always gives the same vector, at no cost: it is computed again instead of being kept. */
  readonly deterministic: boolean;
  /**
   * One vector for each text, in order. Rejects with Failure: `unavailable`, `rate_limited` and `timeout` may be
   * tried again, the others may not. `onUsage`: told what it cost, once for each call made.
   */
  embed(
    texts: readonly string[],
    kind: 'document' | 'query',
    signal?: AbortSignal,
    onUsage?: (usage: ModelUsage) => void,
  ): Promise<Float32Array[]>;
}

export interface Reranker {
  readonly name: string;
  /** How well each passage answers the question, 0 to 1, in the order of the passages. Rejects as an embedder does. */
  rerank(
    question: string,
    passages: readonly string[],
    signal?: AbortSignal,
    onUsage?: (usage: ModelUsage) => void,
  ): Promise<number[]>;
}

export interface GenerationRequest {
  /** The instructions the answer has to follow. */
  system: string;
  /** The dialogue, oldest first; the last message is the question. */
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
  /** What the answer may rest on; citations name a document by its id. */
  documents: readonly { id: string; title: string; text: string }[];
  /** Tokens of the answer at most. */
  maxTokens: number;
  /** The answer is JSON of this JSON Schema; there are no documents then. */
  json?: Readonly<Record<string, unknown>>;
}

export type GeneratedPart =
  | { type: 'text'; text: string }
  /** `start` and `end`: UTF-16 offsets into the text so far. */
  | { type: 'citation'; start: number; end: number; documents: readonly string[] }
  /** The last part. */
  | {
      type: 'end';
      finish: 'stop' | 'length';
      usage: { input_tokens: number; output_tokens: number } | null;
    };

export interface Generator {
  readonly name: string;
  /** An answer as it is written. Rejects as an embedder does, also after some of it has been handed out. */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GeneratedPart>;
}

export interface Models {
  readonly embedder: Embedder | null;
  readonly reranker: Reranker | null;
  readonly generator: Generator | null;
}
