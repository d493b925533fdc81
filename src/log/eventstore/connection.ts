/**
 * Calls to EventStoreDB with time limits, retries and Failures. `@eventstore/db-client` is used only for node discovery
 * and connecting (connection string, TLS, credentials); the calls use its generated protocol (see wire.ts).
 * The client's own calls have these problems in version 6.2.1 (see test/log/eventstore-connection.test.ts):
 *
 * - They parse and re-serialize the JSON of events, which may change the bytes.
 * - Appends share one batch call: a single stream error rejects all pending appends, a late reply crashes the process,
 *   deadlines do not apply to a frozen server, and a failed discovery is cached forever. Here, each append is a
 *   separate call. Throughput of 500-byte events on a real server, with two cores each: 3,600 per second instead of
 *   7,000 with 32 appends in flight, 1,030 instead of 1,270 sequentially, and 27,000 instead of 26,000 in batches of
 *   500. This is more than the service needs.
 * - When reconnecting, they do not handle a failed discovery, which crashes the process, and they keep using a
 *   connection that never answers. Here, a client is replaced when a call finds the server unreachable or silent; the
 *   old client is closed once its last call has ended.
 * - Reads have no deadline, and an abandoned read leaks. Here, each read must make progress within the time limit, and
 *   reads are cancelled when they are no longer needed.
 * - A subscription does not resume automatically and may stay silent forever: see EventStoreLog.subscribe.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, Channel, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { within } from '../../async/within.ts';
import { Failure } from '../../failures.ts';
import { type Position, pageBytesMax } from '../../ports/event-log.ts';
import { Silence, toFailure } from './failures.ts';
import {
  type AllRange,
  appendMessages,
  type NewMessage,
  readAllRequest,
  readStreamRequest,
  type StoredMessage,
  type StreamRange,
  subscribeRequest,
  toMessage,
  toPosition,
} from './wire.ts';

export interface ConnectionOptions {
  /** `esdb://host:port?tls=…` (one or several hosts) or `esdb+discover://…`. */
  url: string;
  /** How long a call may remain unanswered, in ms. Default: 3000. */
  callTimeoutMs?: number;
  /** Time limit for a call including its retries, in ms. Default: 8000. */
  giveUpMs?: number;
  /** Time limit for the server to find one deployment's messages among those of others, in ms. Default: 5000. */
  lookMs?: number;
}

/** Protected members of the client. If a version lacks them, every test of this file fails. */
interface ClientInternals {
  getChannel(): Promise<Channel>;
  callArguments(base: object, options: { deadline: number }): [Metadata, Partial<CallOptions>];
}

type Read = ClientReadableStream<ReadResp>;

const callTimeoutMsDefault = 3_000;
const giveUpMsDefault = 8_000;
const lookMsDefault = 5_000;
const backoffMsMin = 50;
const backoffMsMax = 2_000;
/** Maximum number and size of messages that a subscription buffers before it pauses the server. */
const bufferedMax = 2_000;
const bufferedBytesMax = 4 * 1024 * 1024;

/**
 * Delay before retry `n` (counted from 0), in ms. It doubles each time, with full jitter so that clients do not all
 * return at the same moment.
 */
export function backoffMs(n: number): number {
  return backoffMsMin + Math.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** n);
}

/** The result of a read. */
export interface EventPage {
  messages: StoredMessage[];
  /** Whether the page ended at its limit of events or at `pageBytesMax`, so that there may be more. */
  more: boolean;
}

/** A client and its calls in progress. */
class Session {
  readonly #client: ClientInternals;
  #calls = 0;
  #retired = false;
  #opened: Promise<{ channel: Channel; streams: StreamsClient }> | undefined;

  /** Throws if the connection string is invalid. */
  constructor(url: string) {
    this.#client = EventStoreDBClient.connectionString(url) as unknown as ClientInternals;
  }

  /**
   * Makes the call once a node is found. If no node is found within the limit (in ms), rejects with Silence and does
   * not make the call.
   */
  async use<T>(limitMs: number, call: (session: Session, limitMs: number) => Promise<T>): Promise<T> {
    const until = performance.now() + limitMs;
    this.#calls++;
    try {
      await within(this.#open(), limitMs, silent);
      return await call(this, Math.max(1, Math.ceil(until - performance.now())));
    } finally {
      this.#calls--;
      this.#closeWhenIdle();
    }
  }

  #open() {
    this.#opened ??= this.#client.getChannel().then((channel) => ({
      channel,
      // The channel provides the address and credentials.
      streams: new StreamsClient(null as never, null as never, { channelOverride: channel }),
    }));
    return this.#opened;
  }

  async append(
    stream: string,
    expectedRevision: number,
    events: readonly NewMessage[],
    deadlineMs: number,
  ): Promise<AppendResp> {
    const { streams } = await this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<AppendResp>();
    const sink = streams.append(
      ...this.#client.callArguments({}, { deadline: Date.now() + deadlineMs }),
      (error, answer) => (error ? reject(error) : resolve(answer)),
    );
    sink.on('error', reject);
    for (const message of appendMessages(stream, expectedRevision, events)) sink.write(message);
    sink.end();
    return promise;
  }

  async read(request: ReadReq): Promise<Read> {
    const { streams } = await this.#open();
    return streams.read(request, ...this.#client.callArguments({}, { deadline: Number.POSITIVE_INFINITY }));
  }

  /** Accepts no new calls and closes when the last one has ended. */
  retire(): void {
    this.#retired = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#retired || this.#calls > 0) return;
    this.#opened?.then(
      ({ channel }) => channel.close(),
      () => {},
    );
  }
}

/** Cancels a read. Deferred, as in the client itself: https://github.com/grpc/grpc-node/issues/1464 */
function cancel(read: Read): void {
  setImmediate(() => read.cancel());
}

export class EventStoreConnection {
  readonly #url: string;
  readonly #callTimeoutMs: number;
  readonly #giveUpMs: number;
  readonly #lookMs: number;
  readonly #underWay = new Set<Promise<unknown>>();
  #session: Session | null = null;
  #closed = false;

  /** Fails with `invalid` if the connection string is invalid. Connects on the first call. */
  constructor({ url, callTimeoutMs, giveUpMs, lookMs }: ConnectionOptions) {
    this.#url = url;
    this.#callTimeoutMs = callTimeoutMs ?? callTimeoutMsDefault;
    this.#giveUpMs = giveUpMs ?? giveUpMsDefault;
    this.#lookMs = lookMs ?? lookMsDefault;
    try {
      this.#session = new Session(url);
    } catch {
      // The client's own message may contain the password.
      throw new Failure(
        'invalid',
        'The EventStoreDB connection string is invalid or refers to a missing file.',
      );
    }
  }

  /** If the outcome is unknown, retries with the same ids, which the server treats as one append. */
  async append(
    stream: string,
    expectedRevision: number,
    events: readonly NewMessage[],
  ): Promise<{ revision: number; position: Position | null }> {
    return this.#call(async (session, limitMs) => {
      const answer = await within(session.append(stream, expectedRevision, events, limitMs), limitMs, silent);
      const conflict = answer.getWrongExpectedVersion();
      if (conflict) {
        const current = conflict.hasCurrentRevision() ? conflict.getCurrentRevision() : 'no revision';
        throw new Failure('conflict', `Stream ${stream} is at ${current}, expected ${expectedRevision}.`);
      }
      const success = answer.getSuccess();
      if (!success) throw new Failure('unavailable', 'EventStoreDB did not report the outcome of an append.');
      const at = success.getPosition();
      return {
        revision: Number(success.getCurrentRevision()),
        position: at ? toPosition(at.getCommitPosition(), at.getPreparePosition()) : null,
      };
    });
  }

  /** Empty if the stream does not exist. */
  readStream(range: StreamRange): Promise<EventPage> {
    return this.#read(readStreamRequest(range), range.maxCount);
  }

  /**
   * Reads all streams, or those of one deployment. Fails with `unavailable`, also if finding a deployment's streams
   * takes too long.
   */
  readAll(range: AllRange): Promise<EventPage> {
    const lookMs = range.prefix === undefined ? undefined : this.#lookMs;
    return this.#read(readAllRequest(range), range.maxCount, lookMs);
  }

  /** Live messages after a position, from the streams whose names begin with `prefix`. */
  subscribe(prefix: string, after: Position | null): Feed {
    return new Feed(new Session(this.#url), subscribeRequest(prefix, after));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Waits for the calls in progress to end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    this.#session?.retire();
    this.#session = null;
  }

  #read(request: ReadReq, maxCount: number, lookMs?: number): Promise<EventPage> {
    return this.#call(
      async (session, limitMs) => collect(await session.read(request), maxCount, limitMs),
      lookMs,
    );
  }

  /**
   * Makes a call and retries it while the server is unreachable, up to the caller's time limit. `lookMs` replaces both
   * limits: for a single call and for all retries together.
   */
  #call<T>(call: (session: Session, limitMs: number) => Promise<T>, lookMs?: number): Promise<T> {
    if (this.#closed)
      return Promise.reject(new Failure('unavailable', 'The connection to EventStoreDB is closed.'));
    const answer = this.#repeat(call, lookMs ?? this.#callTimeoutMs, lookMs ?? this.#giveUpMs);
    this.#underWay.add(answer);
    const done = () => this.#underWay.delete(answer);
    answer.then(done, done);
    return answer;
  }

  async #repeat<T>(
    call: (session: Session, limitMs: number) => Promise<T>,
    callTimeoutMs: number,
    giveUpMs: number,
  ): Promise<T> {
    const until = performance.now() + giveUpMs;
    for (let repeat = 0; ; repeat++) {
      this.#session ??= new Session(this.#url);
      const session = this.#session;
      try {
        const limitMs = Math.max(1, Math.min(callTimeoutMs, Math.ceil(until - performance.now())));
        return await session.use(limitMs, call);
      } catch (error) {
        const failure = toFailure(error);
        if (failure.code !== 'unavailable') throw failure;
        if (this.#session === session) {
          this.#session = null;
          session.retire();
        }
        const pauseMs = backoffMs(repeat);
        if (performance.now() + pauseMs >= until) throw failure;
        await delay(pauseMs);
      }
    }
  }
}

/** Collects the messages of a read. Each must arrive within the limit. */
function collect(read: Read, maxCount: number, limitMs: number): Promise<EventPage> {
  const { promise, resolve, reject } = Promise.withResolvers<EventPage>();
  const messages: StoredMessage[] = [];
  let bytes = 0;
  let isFull = false;
  const silence = setTimeout(() => reject(new Silence()), limitMs);
  read.on('data', (answer: ReadResp) => {
    silence.refresh();
    const message = toMessage(answer);
    if (message === null || isFull) return;
    messages.push(message);
    bytes += message.data.length;
    // At least two messages, because the first may be the previous event, of any size, and the reader must make
    // progress.
    isFull = bytes >= pageBytesMax && messages.length > 1;
    if (isFull) resolve({ messages, more: true });
  });
  read.on('error', reject);
  read.on('end', () => resolve({ messages, more: messages.length === maxCount }));
  return promise.finally(() => {
    clearTimeout(silence);
    cancel(read);
  });
}

/**
 * A live subscription. It always ends with an error: the server is unreachable, has ended it, or has dropped it as a
 * slow consumer.
 */
export class Feed {
  readonly #session: Session;
  #read: Read | null = null;
  #closed = false;
  #messages: StoredMessage[] = [];
  /** Total size of the buffered messages. */
  #bytes = 0;
  #end: unknown;
  #wake: () => void = () => {};

  constructor(session: Session, request: ReadReq) {
    this.#session = session;
    session.read(request).then(
      (read) => this.#follow(read),
      (error: unknown) => this.#ended(error),
    );
  }

  #follow(read: Read): void {
    this.#read = read;
    read.on('data', (answer: ReadResp) => {
      const message = toMessage(answer);
      if (message === null) return;
      this.#bytes += message.data.length + message.metadata.length;
      if (this.#messages.push(message) >= bufferedMax || this.#bytes >= bufferedBytesMax) read.pause();
      this.#wake();
    });
    read.on('error', (error) => this.#ended(error));
    read.on('end', () => this.#ended(new Error('The server has ended the subscription.')));
    if (this.#closed) this.#leave();
  }

  #ended(error: unknown): void {
    this.#end ??= error;
    this.#wake();
  }

  /**
   * Returns the messages received so far, waiting up to `silenceMs` for the first one. Empty after that time, or when
   * the signal aborts. Rejects with a Failure (usually `unavailable`) if the subscription has ended.
   */
  async next(silenceMs: number, signal: AbortSignal): Promise<StoredMessage[]> {
    if (this.#messages.length === 0 && this.#end === undefined && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      const timer = setTimeout(wake, silenceMs);
      this.#wake = wake;
      signal.addEventListener('abort', wake);
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    }
    if (this.#messages.length === 0 && this.#end !== undefined) throw toFailure(this.#end);
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    this.#read?.resume();
    return messages;
  }

  /** Does not wait for the server, because finding a node may take a long time. */
  close(): void {
    this.#closed = true;
    this.#leave();
  }

  #leave(): void {
    if (this.#read) cancel(this.#read);
    setImmediate(() => this.#session.retire());
  }
}

function silent(): never {
  throw new Silence();
}
