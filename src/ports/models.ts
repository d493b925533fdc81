/** The language model ports. Each capability may be absent; the service then works without it. */

/** The billed usage of calls. */
export interface ModelUsage {
  /** Of a generator: input and output tokens. */
  input_tokens: number;
  output_tokens: number;
  embed_tokens: number;
  /** Reranks of up to 100 passages. */
  search_units: number;
}

export const noUsage: ModelUsage = { input_tokens: 0, output_tokens: 0, embed_tokens: 0, search_units: 0 };

/** `chat` counts every call of a chat model: answers, second readings, search queries, names. */
export type ModelCall = 'chat' | 'embed' | 'rerank';

export interface Embedder {
  /**
   * Model and version. Only vectors of the same name are compared; vectors of several embedders may be stored side by
   * side.
   */
  readonly name: string;
  /** Length of a vector. */
  readonly dimension: number;
  /**
   * Whether the same text always gives the same vector, at no cost; such vectors are recomputed instead of recorded.
   */
  readonly deterministic: boolean;
  /**
   * One vector for each text, in order. Rejects with Failure: `unavailable`, `rate_limited` and `timeout` may be
   * retried, others may not. `onUsage`: called with the usage of each call made.
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
   * A score for each passage from 0 to 1, in the order of the passages: how well it answers the question. Rejects like
   * an embedder.
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
  /** Whether it is in force. */
  status?: string;
  /** ISO 639-1. */
  language?: string;
  /** The texts and targets of its links: "form: https://…". */
  links?: readonly string[];
}

export interface GenerationRequest {
  /** The instructions for the answer. */
  system: string;
  /** The dialogue, oldest message first; the last one is the question. */
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
  /** The documents that the answer may use; citations refer to their ids. */
  documents: readonly ModelDocument[];
  /** Maximum tokens of the answer. */
  maxTokens: number;
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
  /**
   * The answer, streamed; a citation follows as soon as the cited words have been written. Rejects like an embedder,
   * possibly after some parts were yielded.
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GeneratedPart>;
}

export interface StructuredRequest {
  system: string;
  /** The data to work on. */
  content: string;
  /** JSON Schema that the answer must follow. */
  schema: Readonly<Record<string, unknown>>;
  maxTokens: number;
  /** Time limit of the call in ms, including retries. */
  withinMs: number;
}

/** A model that returns JSON, not streamed. */
export interface StructuredModel {
  readonly name: string;
  /**
   * The parsed answer; the caller validates its shape. Rejects like an embedder; also with `unavailable` if the answer
   * is not JSON or was truncated.
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
  /** The chat model for JSON output: search queries, names in documents. */
  readonly structured: StructuredModel | null;
  /** Verifies the generator's answers: the second reading. */
  readonly verifier: StructuredModel | null;
}
