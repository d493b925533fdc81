/**
 * An OpenAI-compatible server (chat, embeddings and rerank) on loopback, with answers as they are scripted, faults to
 * inject, and the peculiarities by which such servers differ. What nobody scripted is answered well: vectors and scores
 * by the words that texts share, and an answer that quotes the first passage.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stem, words } from '../../src/text/words.ts';
import type { Call, Fault, Plain, Step } from './cohere-double.ts';
import { madeVector } from './cohere-double.ts';

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  stream_options?: { include_usage: boolean };
  response_format?: { type: string; json_schema: { name: string; schema: unknown; strict: boolean } };
  max_tokens?: number;
  temperature?: number;
}

export interface EmbedRequest {
  model: string;
  input: string[];
  encoding_format?: string;
}

/** Jina's and vLLM's, or that of Text Embeddings Inference. */
export type RerankRequest =
  | { model: string; query: string; documents: string[] }
  | { query: string; texts: string[] };

export type ChatReply = Plain | { steps: Step[] };

export interface Said {
  /** The answer in the pieces it comes in, with its marks. */
  pieces: string[];
  finish?: string;
  /** null: the server does not say. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
});

/** The chunks of an answer, its end apart. */
export function chunksOf({ pieces, finish = 'stop', usage }: Said): object[] {
  const tokens = usage === undefined ? { prompt_tokens: 100, completion_tokens: pieces.length } : usage;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, finish),
    ...(tokens ? [{ ...chunk({}), choices: [], usage: tokens }] : []),
  ];
}

export const done = { raw: 'data: [DONE]\n\n' };
export const says = (said: Said): ChatReply => ({ steps: [...chunksOf(said), done] });

/** An answer in one piece: JSON, or a text as it is. */
export const completes = (content: unknown, finish = 'stop'): Plain => ({
  body: {
    ...{ id: 'c-1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
        },
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 },
  },
});

/** What a server does not take, and says so with this status. */
export interface Peculiarities {
  streamOptions?: number;
  responseFormat?: number;
  /** The form of rerank that it does not know. */
  rerank?: { form: 'documents' | 'texts'; status: number };
}

export class OpenAiDouble {
  readonly #server: Server;
  /** Calls taken so far, those of chats in one piece apart. */
  readonly chats: Call<ChatRequest>[] = [];
  readonly structuredCalls: Call<ChatRequest>[] = [];
  readonly embeds: Call<EmbedRequest>[] = [];
  readonly reranks: Call<RerankRequest>[] = [];
  /** Decides on an answer where none is scripted. */
  chat: (request: ChatRequest) => ChatReply = quoting;
  structured: (request: ChatRequest) => Plain | Fault = () => completes({});
  embed: (request: EmbedRequest) => Plain | Fault = embedding;
  rerank: (request: RerankRequest) => Plain | Fault = ranking;
  refuses: Peculiarities = {};
  readonly #next: ChatReply[] = [];
  readonly #faults: (Plain | Fault)[] = [];
  #whenAborted: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<OpenAiDouble> {
    const server = createServer();
    const double = new OpenAiDouble(server);
    server.on('request', (request, response) => void double.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The answers of the next streamed chats, one each. */
  next(...replies: ChatReply[]): void {
    this.#next.push(...replies);
  }

  /** What becomes of the next calls of whatever kind, one each. */
  fail(...faults: (Plain | Fault)[]): void {
    this.#faults.push(...faults);
  }

  /** Resolves when a caller hangs up before its answer is whole. */
  aborted(): Promise<void> {
    return new Promise((resolve) => this.#whenAborted.push(resolve));
  }

  /** As if it had just been started. */
  reset(): void {
    for (const calls of [this.chats, this.structuredCalls, this.embeds, this.reranks]) calls.length = 0;
    this.#next.length = this.#faults.length = 0;
    this.refuses = {};
    this.chat = quoting;
    this.structured = () => completes({});
    this.embed = embedding;
    this.rerank = ranking;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const bytes of request) chunks.push(bytes as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const call = { body, authorization: request.headers.authorization, aborted: false };
    response.on('close', () => {
      if (response.writableFinished) return;
      call.aborted = true;
      for (const wake of this.#whenAborted.splice(0)) wake();
    });
    const path = request.url ?? '';
    if (path === '/v1/chat/completions') (body.stream ? this.chats : this.structuredCalls).push(call);
    else if (path === '/v1/embeddings') this.embeds.push(call);
    else if (path === '/v1/rerank') this.reranks.push(call);
    else return answer(response, { status: 404, body: { error: { message: 'not found' } } });
    const fault = this.#faults.shift() ?? this.#refusal(path, body);
    if (fault) return answer(response, fault);
    if (path === '/v1/embeddings') return answer(response, this.embed(body));
    if (path === '/v1/rerank') return answer(response, this.rerank(body));
    if (!body.stream) return answer(response, this.structured(body));
    const reply = this.#next.shift() ?? this.chat(body);
    if (!('steps' in reply)) return answer(response, reply);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const step of reply.steps) {
      if (response.destroyed) return;
      if (step === 'stall') return;
      // What was written before has come through.
      if (step === 'cut') return void response.socket?.destroySoon();
      if (step === 'end') break;
      if (typeof step === 'object' && 'until' in step) await step.until;
      else if (typeof step === 'object' && 'raw' in step) response.write(String(step.raw));
      else response.write(`data: ${JSON.stringify(step)}\n\n`);
    }
    response.end();
  }

  #refusal(path: string, body: object): Plain | null {
    const { streamOptions, responseFormat, rerank } = this.refuses;
    const status =
      ('stream_options' in body && streamOptions) ||
      ('response_format' in body && responseFormat) ||
      (path === '/v1/rerank' && rerank && rerank.form in body && rerank.status);
    return status ? { status, body: { error: { message: 'Unknown field. leaked' } } } : null;
  }
}

function answer(response: ServerResponse, reply: Plain | Fault): void {
  if (reply === 'stall') return;
  if (reply === 'cut') return void response.destroy();
  const { status = 200, headers = {}, body } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The passages as they stand in a prompt, by their numbers. */
export function passagesIn({ messages }: ChatRequest): Map<number, Record<string, string>> {
  const said = messages.at(-1)?.content ?? '';
  return new Map(
    [...said.matchAll(/^\[(\d+)\] (\{.*\})$/gm)].map(([, number, json]) => [
      Number(number),
      JSON.parse(json!),
    ]),
  );
}

/** Says the first sentence of the first passage, word for word, whatever was asked. */
function quoting(request: ChatRequest): ChatReply {
  const text = passagesIn(request).get(1)?.text ?? '';
  const sentence = /\p{Lu}[^.!?:\n]{25,}[.!?]/u.exec(text.replace(/^.*\n/, ''))?.[0];
  if (sentence === undefined) return says({ pieces: ['Nothing.'] });
  const marked = `${sentence.slice(0, -1)} [1]${sentence.at(-1)}`;
  return says({ pieces: marked.match(/\s*\S+/gu) ?? [marked] });
}

function embedding({ input }: EmbedRequest): Plain {
  return {
    body: {
      object: 'list',
      data: input.map((text, index) => ({ object: 'embedding', index, embedding: madeVector(text, 64) })),
      usage: { prompt_tokens: input.reduce((sum, text) => sum + words(text).length, 0) },
    },
  };
}

function ranking(request: RerankRequest): Plain {
  const asked = new Set(words(request.query).map(stem));
  const texts = 'texts' in request ? request.texts : request.documents;
  const scored = texts.map((text, index) => {
    const there = new Set(words(text).map(stem));
    return { index, score: [...asked].filter((one) => there.has(one)).length / Math.max(1, asked.size) };
  });
  scored.sort((a, b) => b.score - a.score);
  return {
    body:
      'texts' in request
        ? scored
        : { results: scored.map(({ index, score }) => ({ index, relevance_score: score })) },
  };
}
