/** A test double of the use cases: gives short deterministic answers and records calls. */

import { onTestFinished } from 'vitest';
import type { Part, SourceRef } from '../../src/answering/parts.ts';
import type { App } from '../../src/app-port.ts';
import type { AskInput, SourceRefsInput, SourceRefsResult } from '../../src/asks/ask-port.ts';
import { Asks } from '../../src/asks/asks.ts';
import { GraphQueryResponse, GraphStats } from '../../src/asks/graph-schema.ts';
import type { InFlightLimits } from '../../src/asks/in-flight.ts';
import type { OpenedSource } from '../../src/asks/open-source.ts';
import type { Corpus } from '../../src/asks/public-corpora.ts';
import type { RecordedAsk } from '../../src/asks/replay-parts.ts';
import type { SourceInput } from '../../src/asks/source-document.ts';
import { Failure } from '../../src/failures.ts';
import type { HttpApp } from '../../src/http/context.ts';
import { buildServer, type HttpConfig } from '../../src/http/server.ts';
import { exampleOf } from '../../src/schema.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A limit for the event-loop delay that is never exceeded, even on a busy machine. */
export const patient = Number.POSITIVE_INFINITY;

export const source: SourceRef = {
  ref: 'norm/law_en#23',
  doc_key: 'norm/law_en',
  heading: 'Article 23',
  chunk_index: '23',
  url: 'https://example.org/law',
  title: 'The law',
  event_date: null,
  source_url: null,
  layer: 'norm',
  lang: 'en',
  revision: 2,
  page_url: '/source/krk_2026/7?revision=2&chunk=23#cited',
};

export const answer = 'Assemblies are free. They are announced a day before. 🙂';
const first = 'Assemblies are free. ';
const hash = 'ab'.repeat(32);

/** The parts of an answer to any question: two pieces of text, each followed by a citation. */
export function partsOf(input: AskInput): Part[] {
  const request_id = input.request_id ?? 'none';
  const cite = (start: number, end: number): Part => ({
    type: 'citation',
    start,
    end,
    ref: source.ref,
    quote: answer.slice(start, end),
    revision: 2,
    content_hash: hash,
  });
  return [
    { type: 'meta', request_id, mode: 'ordinary', lang: 'en', corpus_id: input.corpus_id ?? 'krk_2026' },
    { type: 'sources', source_refs: [source.ref], sources: [source] },
    { type: 'text', text: first },
    cite(0, 20),
    { type: 'text', text: answer.slice(first.length) },
    cite(21, 53),
    {
      type: 'done',
      request_id,
      latency_ms: 7,
      answer,
      mode: 'ordinary',
      finish_reason: 'stop',
      cached: false,
    },
  ];
}

/** Sends some parts of an answer, and ends only when it is cancelled. */
export const cancellable = (count: number): FakeApp['parts'] =>
  async function* (input, signal) {
    yield* partsOf(input).slice(0, count);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    yield {
      type: 'error',
      request_id: input.request_id ?? '',
      code: 'cancelled',
      detail: 'It was cancelled.',
      retryable: false,
    };
  };

/** Asks of other instances. The map contains the recorded ones; an unfinished ask ends when `end` is called. */
export class FakeRecordedAsks {
  readonly records = new Map<string, RecordedAsk>();
  readonly cancelled: string[] = [];
  readonly rated: { requestId: string; rating: string; comment: string | null }[] = [];
  readonly #endings = new Map<string, PromiseWithResolvers<RecordedAsk>>();

  async find(requestId: string): Promise<RecordedAsk | null> {
    return this.records.get(requestId) ?? null;
  }

  async ended(requestId: string): Promise<RecordedAsk> {
    const ending = this.#endings.get(requestId) ?? Promise.withResolvers<RecordedAsk>();
    this.#endings.set(requestId, ending);
    return ending.promise;
  }

  async rate(requestId: string, rating: { rating: 'up' | 'down'; comment: string | null }): Promise<void> {
    if (!this.records.has(requestId)) throw new Failure('not_found', 'There is no answer to rate.');
    this.rated.push({ requestId, ...rating });
  }

  async cancel(requestId: string): Promise<void> {
    this.cancelled.push(requestId);
  }

  end(requestId: string, ended: RecordedAsk | Failure): boolean {
    const ending = this.#endings.get(requestId);
    this.#endings.delete(requestId);
    if (ended instanceof Failure) ending?.reject(ended);
    else ending?.resolve(ended);
    return ending !== undefined;
  }
}

export class FakeApp implements HttpApp {
  graph: ReturnType<HttpApp['graphFor']> = {
    query: async (corpus_id) => ({ ...(exampleOf(GraphQueryResponse) as GraphQueryResponse), corpus_id }),
    stats: async () => exampleOf(GraphStats) as GraphStats,
  };
  readonly graphFor: HttpApp['graphFor'] = () => this.graph;
  readonly recordedAsks = new FakeRecordedAsks();
  readonly clock = new ManualClock();
  readonly asks: Asks;
  /** No keys, no limits, two corpora. */
  readonly access: HttpApp['access'] = {
    isPublic: true,
    subject: (key, address) => (key === null ? `net:${address}` : `key:${key.key_id}`),
    authenticate: (sent) => {
      if (sent !== undefined) throw new Failure('unauthorized', 'The API key is not valid.');
      return null;
    },
    corpusFor: async (_key, wanted) => {
      this.#known(wanted);
      return wanted ?? 'krk_2026';
    },
    mayRead: () => true,
    count: async () => null,
    clientOf: (_key, address) => ({ name: address, block: null, share: Number.POSITIVE_INFINITY }),
  };
  readonly asked: AskInput[] = [];
  readonly lookedUp: SourceRefsInput[] = [];
  /** Replace this to answer differently. */
  parts: (input: AskInput, signal: AbortSignal) => AsyncIterable<Part> | Iterable<Part> = partsOf;
  /** Pauses answers after this many parts, until the returned function is called. */
  hold(count: number): () => void {
    const gate = Promise.withResolvers<void>();
    this.parts = async function* (input) {
      yield* partsOf(input).slice(0, count);
      await gate.promise;
      yield* partsOf(input).slice(count);
    };
    return gate.resolve;
  }
  state: 'ok' | 'degraded' | 'down' = 'ok';

  constructor(limits: Partial<InFlightLimits> = {}) {
    const { recordedAsks, clock } = this;
    const secret = () => Buffer.from('a secret of the test');
    this.asks = new Asks(
      { ask: (...question) => this.ask(...question), recordedAsks, secret, clock },
      limits,
    );
  }

  async *ask(input: AskInput, signal: AbortSignal): AsyncIterable<Part> {
    this.asked.push(input);
    this.#known(input.corpus_id);
    yield* this.parts(input, signal);
  }

  async sourceRefs(input: SourceRefsInput): Promise<SourceRefsResult> {
    this.lookedUp.push(input);
    this.#known(input.corpus_id);
    const request_id = input.request_id ?? 'none';
    return {
      request_id,
      query: input.query,
      mode: 'ordinary',
      lang: 'en',
      latency_ms: 3,
      sources: [source],
      texts: [answer],
    };
  }

  async corpora(): Promise<Corpus[]> {
    return [
      {
        corpus_id: 'krk_2026',
        title: 'Constitution',
        description: null,
        languages: ['en', 'ru', 'kk'],
        styles: [],
        is_default: true,
        document_count: 1,
        chunk_count: 46,
        updated_at: '2026-03-01T10:00:00.000Z',
        examples: ['What is free?', 'What does article 23 say?'],
      },
    ];
  }

  async source(_input: SourceInput): Promise<OpenedSource> {
    throw new Failure('not_found', 'Source not found.');
  }

  health(): ReturnType<App['health']> {
    return {
      status: this.state,
      version: '2.0.0',
      uptime_s: 12,
      reasons: [],
      components: { event_log: this.state, read_models: 'ok', models: 'ok' },
      projections: { chunks: { position: '42', lag_ms: 0, lag_events: 0 } },
    };
  }

  #known(corpusId: string | null | undefined): void {
    if (corpusId != null && corpusId !== 'krk_2026' && corpusId !== 'reestr_texts')
      throw new Failure('not_found', 'There is no active corpus of this name.');
  }
}

/** An HTTP server over the double, without limits; it is closed after the test. */
export function serve({ app = new FakeApp(), ...more }: { app?: FakeApp } & Partial<HttpConfig> = {}) {
  const server = buildServer(app, { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient, ...more });
  onTestFinished(() => server.close());
  return { app, server };
}

export interface SseEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: unvalidated JSON.
  data: any;
}

/** The complete events of a stream. */
export const eventsIn = (body: string): SseEvent[] =>
  body
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
      return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    });

/** Runs everything that is already due without waiting. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}
