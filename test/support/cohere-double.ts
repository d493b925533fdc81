/**
 * The Cohere API (v2 embed, rerank and chat) on loopback, as its client calls it, with answers as they are
 * scripted and faults to inject. What nobody scripted is answered well: vectors and scores by the words that texts
 * share, and an answer that quotes the first document.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stem, words } from '../../src/text/words.ts';

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  documents: {
    id: string;
    data: {
      title: string;
      text: string;
      date?: string;
      layer?: string;
      status?: string;
      language?: string;
    };
  }[];
  citation_options?: { mode: string };
  max_tokens?: number;
  stream: boolean;
}

/** A chat that is asked for JSON, in one piece. */
export interface StructuredChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  response_format: { type: string; json_schema: Record<string, unknown> };
  max_tokens?: number;
  temperature?: number;
  stream: false;
}

export interface EmbedRequest {
  model: string;
  texts: string[];
  input_type: string;
  output_dimension?: number;
}

export interface RerankRequest {
  model: string;
  query: string;
  documents: string[];
}

/** A call as it came. `aborted`: the caller has hung up before its answer was whole. */
export interface Call<Body = unknown> {
  body: Body;
  authorization: string | undefined;
  aborted: boolean;
}

/** What happens next on the way of a stream: an event, bytes as they are, waiting, or the end of it. */
export type Step =
  | object
  | { raw: string }
  | { until: Promise<unknown> }
  /** `cut`: the connection is lost; `end`: it ends as if all had been said; `stall`: nothing comes any more. */
  | 'cut'
  | 'end'
  | 'stall';

/** An answer without a stream. */
export interface Plain {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is where it is a text. */
  body: unknown;
}

/** What becomes of a call that is not answered: its connection is lost, or nothing comes. */
export type Fault = 'cut' | 'stall';

export type ChatReply = Plain | { steps: Step[] };

/** A stretch of the answer, by its words, and the documents it is said to rest on. */
export interface Cited {
  of: string;
  documents: string[];
  /** Adds so many units to both offsets. */
  shift?: number;
}

export interface Said {
  /** The answer in the pieces it comes in. */
  pieces: string[];
  citations?: Cited[];
  /** What offsets count. The API counts code points. */
  unit?: 'code points' | 'utf-16' | 'bytes';
  /** `fast`: a citation comes as soon as its words are said; `accurate`: all of them at the end. */
  mode?: 'fast' | 'accurate';
  finish?: string;
  usage?: { input_tokens: number; output_tokens: number };
}

const lengthIn: Record<NonNullable<Said['unit']>, (text: string) => number> = {
  'code points': (text) => [...text].length,
  'utf-16': (text) => text.length,
  bytes: (text) => Buffer.byteLength(text),
};

const start = { type: 'message-start', id: 'm-1', delta: { message: { role: 'assistant', content: [] } } };
const delta = (text: string) => ({
  type: 'content-delta',
  index: 0,
  delta: { message: { content: { text } } },
});

/** The events of an answer, the last one `message-end`. */
export function eventsOf({ pieces, citations = [], unit, mode = 'fast', finish, usage }: Said): object[] {
  const length = lengthIn[unit ?? 'code points'];
  const whole = pieces.join('');
  const placed = citations.map(({ of, documents, shift = 0 }, index) => {
    const at = whole.indexOf(of);
    const from = length(whole.slice(0, Math.max(0, at))) + shift;
    return {
      end: at + of.length,
      events: [
        {
          type: 'citation-start',
          index,
          delta: {
            message: {
              citations: {
                start: from,
                end: from + length(of),
                text: of,
                sources: documents.map((id) => ({ type: 'document', id, document: { id } })),
                type: 'TEXT_CONTENT',
                content_index: 0,
              },
            },
          },
        },
        { type: 'citation-end', index },
      ],
    };
  });
  const events: object[] = [
    start,
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  ];
  let said = 0;
  let sent = 0;
  for (const piece of pieces) {
    events.push(delta(piece));
    said += piece.length;
    while (mode === 'fast' && sent < placed.length && placed[sent]!.end <= said)
      events.push(...placed[sent++]!.events);
  }
  events.push({ type: 'content-end', index: 0 }, ...placed.slice(sent).flatMap(({ events }) => events));
  const tokens = usage ?? { input_tokens: 100, output_tokens: pieces.length };
  events.push({
    type: 'message-end',
    delta: { finish_reason: finish ?? 'COMPLETE', usage: { billed_units: tokens, tokens } },
  });
  return events;
}

/** An answer in one piece: JSON, or a text as it is. */
export const completes = (
  content: unknown,
  { finish = 'COMPLETE', usage = { input_tokens: 30, output_tokens: 5 } } = {},
): Plain => ({
  body: {
    id: 'c-1',
    finish_reason: finish,
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: typeof content === 'string' ? content : JSON.stringify(content) }],
    },
    usage: { billed_units: usage, tokens: usage },
  },
});

export const says = (said: Said): ChatReply => ({ steps: eventsOf(said) });

export class CohereDouble {
  readonly #server: Server;
  /** Calls taken so far. */
  readonly chats: Call<ChatRequest>[] = [];
  readonly structuredCalls: Call<StructuredChatRequest>[] = [];
  readonly embeds: Call<EmbedRequest>[] = [];
  readonly reranks: Call<RerankRequest>[] = [];
  /** Decides on an answer where none is scripted. */
  chat: (request: ChatRequest) => ChatReply = quoting;
  structured: (request: StructuredChatRequest) => Plain | Fault = () => completes({});
  embed: (request: EmbedRequest) => Plain | Fault = embedding;
  rerank: (request: RerankRequest) => Plain | Fault = ranking;
  readonly #next: ChatReply[] = [];
  readonly #faults: (Plain | Fault)[] = [];
  #whenAborted: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<CohereDouble> {
    const server = createServer();
    const double = new CohereDouble(server);
    server.on('request', (request, response) => void double.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The answers of the next chats, one each. */
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

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const call = { body, authorization: request.headers.authorization, aborted: false };
    response.on('close', () => {
      if (response.writableFinished) return;
      call.aborted = true;
      for (const wake of this.#whenAborted.splice(0)) wake();
    });
    const path = request.url ?? '';
    const isStructured = path.endsWith('/v2/chat') && body.stream !== true;
    if (isStructured) this.structuredCalls.push(call);
    else if (path.endsWith('/chat')) this.chats.push(call);
    else (path.endsWith('/embed') ? this.embeds : this.reranks).push(call);
    const fault = this.#faults.shift();
    if (fault) return answer(response, fault);
    if (path.endsWith('/v2/embed')) return answer(response, this.embed(body));
    if (path.endsWith('/v2/rerank')) return answer(response, this.rerank(body));
    if (isStructured) return answer(response, this.structured(body));
    if (!path.endsWith('/v2/chat')) return answer(response, { status: 404, body: { message: 'not found' } });
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
      else response.write(`event: ${(step as { type?: string }).type}\ndata: ${JSON.stringify(step)}\n\n`);
    }
    response.end();
  }
}

function answer(response: ServerResponse, reply: Plain | Fault): void {
  if (reply === 'stall') return;
  if (reply === 'cut') return void response.destroy();
  const { status = 200, headers = {}, body } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Says the first sentence of the first document, word for word, whatever was asked. */
function quoting({ documents }: ChatRequest): ChatReply {
  const [first] = documents ?? [];
  const sentence = /\p{Lu}[^.!?:\n]{25,}[.!?]/u.exec(first?.data.text.replace(/^.*\n/, '') ?? '')?.[0];
  if (!first || sentence === undefined) return says({ pieces: ['Nothing.'] });
  return says({
    pieces: sentence.match(/\s*\S+/gu) ?? [sentence],
    citations: [{ of: sentence, documents: [first.id] }],
  });
}

/** A vector in which each stem of a text has a place. */
export function madeVector(text: string, dimension: number): number[] {
  const vector = new Array<number>(dimension).fill(0);
  for (const word of words(text)) {
    let hash = 2166136261;
    for (const letter of stem(word)) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619) >>> 0;
    vector[hash % dimension]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function embedding({ texts, output_dimension = 1536 }: EmbedRequest): Plain {
  return {
    body: {
      id: 'e-1',
      embeddings: { float: texts.map((text) => madeVector(text, output_dimension)) },
      texts: [],
      meta: { billed_units: { input_tokens: texts.reduce((sum, text) => sum + words(text).length, 0) } },
    },
  };
}

function ranking({ query, documents }: RerankRequest): Plain {
  const asked = new Set(words(query).map(stem));
  const results = documents.map((text, index) => {
    const there = new Set(words(text).map(stem));
    const met = [...asked].filter((one) => there.has(one)).length;
    return { index, relevance_score: met / Math.max(1, asked.size) };
  });
  results.sort((a, b) => b.relevance_score - a.relevance_score);
  return { body: { id: 'r-1', results, meta: { billed_units: { search_units: 1 } } } };
}
