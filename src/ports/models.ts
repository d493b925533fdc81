/** The language model ports. Each capability may be absent; the service then works without it. */

/** Usage that calls are billed by. */
export interface ModelUsage {
  /** Of a generator: tokens read and written. */
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
  /** Model and version. Only vectors of the same name are compared; those of several may be stored side by side. */
  readonly name: string;
  /** Length of a vector. */
  readonly dimension: number;
  /** The same text always gives the same vector, at no cost: vectors are recomputed rather than recorded. */
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
  /** How well each passage answers the question, from 0 to 1, in the order of the passages. Rejects like an embedder. */
  rerank(
    question: string,
    passages: readonly string[],
    signal?: AbortSignal,
    onUsage?: (usage: ModelUsage) => void,
  ): Promise<number[]>;
}

/** A passage as a model is given it. Fields that are absent say nothing. */
export interface ModelDocument {
  /** What a citation names it by. */
  id: string;
  title: string;
  text: string;
  /** ISO date the document is of. */
  date?: string;
  /** What kind of text it is: norm, commentary, … */
  layer?: string;
  /** Whether it is in force. */
  status?: string;
  /** ISO 639-1. */
  language?: string;
  /** What its links are called and where they lead: "form: https://…". */
  links?: readonly string[];
}

export interface GenerationRequest {
  /** The instructions the answer has to follow. */
  system: string;
  /** The dialogue, oldest message first; the last one is the question. */
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
  /** What the answer may be based on; citations name a document by its id. */
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
   * The answer, streamed; a citation comes as soon as the words it is for have been written. Rejects like an embedder,
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
  /** The call takes no longer than this, tries included. */
  withinMs: number;
}

/** A model asked for JSON, in one piece. */
export interface StructuredModel {
  readonly name: string;
  /**
   * The answer, parsed; the caller checks its shape. Rejects like an embedder: `unavailable` too for what is no JSON, or
   * was cut for its length.
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
  /** The chat model asked for JSON: search queries, names in documents. */
  readonly structured: StructuredModel | null;
  /** Checks what the generator wrote: the second reading. */
  readonly verifier: StructuredModel | null;
}
