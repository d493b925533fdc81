/** The language model ports. Each capability may be absent, in which case the service works without it. */

/** The billed usage of calls. */
export interface ModelUsage {
  /** For a generator: input and output tokens. */
  input_tokens: number;
  output_tokens: number;
  embed_tokens: number;
  /** Reranking calls, each for up to 100 passages. */
  search_units: number;
}

export const noUsage: ModelUsage = { input_tokens: 0, output_tokens: 0, embed_tokens: 0, search_units: 0 };

/** `chat` counts every call to a chat model: answers, second readings, search queries and names. */
export type ModelCall = 'chat' | 'embed' | 'rerank';

export interface Embedder {
  /**
   * Model and version. Only vectors with the same name are compared; vectors from several embedders may be stored side
   * by side.
   */
  readonly name: string;
  /** Length of a vector. */
  readonly dimension: number;
  /**
   * Whether the same text always gives the same vector at no cost. Such vectors are recomputed instead of being
   * recorded.
   */
  readonly deterministic: boolean;
  /**
   * One vector for each text, in order. Rejects with Failure: `unavailable`, `rate_limited` and `timeout` may be
   * retried, others may not. `onUsage` is called with the usage of each call made.
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
  /**
   * A score from 0 to 1 for each passage, in the order of the passages, that says how well it answers the question.
   * Rejects like an embedder.
   */
  rerank(
    question: string,
    passages: readonly string[],
    signal?: AbortSignal,
    onUsage?: (usage: ModelUsage) => void,
  ): Promise<number[]>;
}

/** A passage in the form given to a model. */
export interface ModelDocument {
  /** The id that citations refer to. */
  id: string;
  title: string;
  text: string;
  /** The document's ISO date. */
  date?: string;
  /** The kind of text: norm, commentary, … */
  layer?: string;
  /** Whether the document is in force. */
  status?: string;
  /** ISO 639-1. */
  language?: string;
  /** The texts and targets of its links: "form: https://…". */
  links?: readonly string[];
}

export interface GenerationRequest {
  /** The instructions for the answer. */
  system: string;
  /** The dialogue, oldest message first. The last message is the question. */
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
  /** The documents that the answer may use; citations refer to their ids. */
  documents: readonly ModelDocument[];
  /** Maximum number of tokens in the answer. */
  maxTokens: number;
}

export type GeneratedPart =
  | { type: 'text'; text: string }
  /** `start` and `end` are UTF-16 offsets in the text so far. */
  | { type: 'citation'; start: number; end: number; documents: readonly string[] }
  /** The last part. */
  | { type: 'end'; finish: 'stop' | 'length'; usage: { input_tokens: number; output_tokens: number } | null };

export interface Generator {
  readonly name: string;
  /**
   * The answer, streamed. A citation follows as soon as the cited words have been written. Rejects like an embedder,
   * possibly after some parts were yielded.
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GeneratedPart>;
}

export interface StructuredRequest {
  system: string;
  /** The data to work on. */
  content: string;
  /** JSON Schema to which the answer must conform. */
  schema: Readonly<Record<string, unknown>>;
  maxTokens: number;
  /** Time limit for the call in ms, including retries. */
  withinMs: number;
}

/** A model that returns JSON, not streamed. */
export interface StructuredModel {
  readonly name: string;
  /**
   * The parsed answer; the caller validates its shape. Rejects like an embedder, and also with `unavailable` if the
   * answer is not JSON or was truncated.
   */
  complete(
    request: StructuredRequest,
    signal?: AbortSignal,
    onUsage?: (usage: ModelUsage) => void,
  ): Promise<unknown>;
}

export interface Models {
  readonly embedder: Embedder | null;
  readonly reranker: Reranker | null;
  /** Writes answers. */
  readonly generator: Generator | null;
  /** The chat model for JSON output: search queries and names in documents. */
  readonly structured: StructuredModel | null;
  /** Verifies the generator's answers in a second reading. */
  readonly verifier: StructuredModel | null;
}
