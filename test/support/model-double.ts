/**
 * A model provider on loopback: it records calls, returns scripted replies and injects faults. Without a script it
 * replies sensibly: with vectors and scores based on shared words, and with an answer that quotes the first document.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stem, words } from '../../src/text/words.ts';

/** A recorded call. `aborted`: the caller hung up before the reply was complete. */
export interface Call<Body = unknown> {
  body: Body;
  authorization: string | undefined;
  aborted: boolean;
}

/** The next step of a stream: an event, raw bytes, a delay, or the end. */
export type Step =
  | object
  | { raw: string }
  | { until: Promise<unknown> }
  /** `cut`: the connection is lost; `end`: it ends as if the answer were complete; `stall`: nothing more arrives. */
  | 'cut'
  | 'end'
  | 'stall';

/** A reply that is not streamed. */
export interface Plain {
  status?: number;
  headers?: Record<string, string>;
  /** Sent unchanged if it is a string. */
  body: unknown;
}

/** A call without a reply: the connection is lost, or nothing arrives. */
export type Fault = 'cut' | 'stall';

export type ChatReply = Plain | { steps: Step[] };

/** The bodies of calls, by capability. */
export interface Bodies {
  chat: object;
  structured: object;
  embed: object;
  rerank: object;
}

/** The default reply to a kind of call if nothing is scripted. */
export interface Answers<B extends Bodies> {
  chat(request: B['chat']): ChatReply;
  structured(request: B['structured']): Plain | Fault;
  embed(request: B['embed']): Plain | Fault;
  rerank(request: B['rerank']): Plain | Fault;
}

export abstract class ModelDouble<B extends Bodies> {
  readonly #server: Server = createServer();
  /** The calls so far; chats that are not streamed are separate. */
  readonly chats: Call<B['chat']>[] = [];
  readonly structuredCalls: Call<B['structured']>[] = [];
  readonly embeds: Call<B['embed']>[] = [];
  readonly reranks: Call<B['rerank']>[] = [];
  /** Produces a reply if none is scripted. */
  chat: Answers<B>['chat'];
  structured: Answers<B>['structured'];
  embed: Answers<B>['embed'];
  rerank: Answers<B>['rerank'];
  readonly #answers: Answers<B>;
  readonly #next: ChatReply[] = [];
  readonly #faults: (Plain | Fault)[] = [];
  #whenAborted: (() => void)[] = [];

  protected constructor(answers: Answers<B>) {
    this.#answers = answers;
    ({ chat: this.chat, structured: this.structured, embed: this.embed, rerank: this.rerank } = answers);
    this.#server.on('request', (request, response) => void this.#take(request, response));
  }

  /** The capability of a path; null if there is none. */
  protected abstract kindOf(path: string, isStream: boolean): keyof Bodies | null;
  /** An event of a stream as it is sent. */
  protected abstract framed(event: object): string;
  /** Requests that the server rejects. */
  protected refusal(_kind: keyof Bodies, _body: object): Plain | null {
    return null;
  }

  protected async listening(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the replies to the next streamed chats, one each. */
  next(...replies: ChatReply[]): void {
    this.#next.push(...replies);
  }

  /** Sets the outcomes of the next calls of any kind, one each. */
  fail(...faults: (Plain | Fault)[]): void {
    this.#faults.push(...faults);
  }

  /** Resolves when a caller hangs up before its reply is complete. */
  aborted(): Promise<void> {
    return new Promise((resolve) => this.#whenAborted.push(resolve));
  }

  /** Resets it to its initial state. */
  reset(): void {
    for (const calls of [this.chats, this.structuredCalls, this.embeds, this.reranks]) calls.length = 0;
    this.#next.length = this.#faults.length = 0;
    Object.assign(this, this.#answers);
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
    const kind = this.kindOf(request.url ?? '', body.stream === true);
    if (kind === null) return answer(response, { status: 404, body: { message: 'not found' } });
    const { chats: chat, structuredCalls: structured, embeds: embed, reranks: rerank } = this;
    ({ chat, structured, embed, rerank })[kind].push(call);
    const fault = this.#faults.shift() ?? this.refusal(kind, body);
    if (fault) return answer(response, fault);
    const reply = kind === 'chat' ? (this.#next.shift() ?? this.chat(body)) : this[kind](body);
    if (typeof reply === 'string' || !('steps' in reply)) return answer(response, reply);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const step of reply.steps) {
      if (response.destroyed) return;
      if (step === 'stall') return;
      // Earlier data has been sent by then.
      if (step === 'cut') return void response.socket?.destroySoon();
      if (step === 'end') break;
      if (typeof step === 'object' && 'until' in step) await step.until;
      else if (typeof step === 'object' && 'raw' in step) response.write(String(step.raw));
      else response.write(this.framed(step as object));
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

/** The first sentence of a document. */
export const firstSentence = (text: string): string | undefined =>
  /\p{Lu}[^.!?:\n]{25,}[.!?]/u.exec(text.replace(/^.*\n/, ''))?.[0];

/** A vector with one place for each stem of a text. */
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

/** The texts with their share of the question's stems, best first. */
export function ranked(question: string, texts: readonly string[]): { index: number; score: number }[] {
  const asked = new Set(words(question).map(stem));
  return texts
    .map((text, index) => {
      const there = new Set(words(text).map(stem));
      return { index, score: [...asked].filter((one) => there.has(one)).length / Math.max(1, asked.size) };
    })
    .sort((a, b) => b.score - a.score);
}
