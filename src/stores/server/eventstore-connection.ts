/**
 * The calls of `@eventstore/db-client` with time limits, repeats and failures the service understands: nothing but this
 * file and eventstore-failures.ts knows it. What is worked around (6.2.1; test/stores/eventstore-connection.test.ts):
 *
 * - Appends go one call each, not over the client's shared batch call, where one client's stream error rejects the
 *   appends of all others, a late reply ends the process, no deadline holds against a frozen server and one failed
 *   discovery is remembered for ever. Measured on a real server, both on two cores, events of 500 bytes: 3,600 a second
 *   instead of 7,000 with 32 in flight, 1,030 instead of 1,270 one after the other, 27,000 instead of 26,000 in
 *   batches of 500: more than the service needs, for calls that end when they should and stand for themselves.
 * - Its own reconnecting forgets to handle a failed discovery, which ends the process, and leaves a connection that
 *   never answers in use. Here a client is used until a call on it finds the server away or silent; then a new one
 *   takes its place, and the old one is closed once its last call has ended.
 * - Reads have no deadline: each must show progress within the time limit. Leaving one early leaks it: all are cancelled.
 * - A subscription never resumes by itself and may stay silent for ever: see EventStoreLog.subscribe.
 */

import { setTimeout as delay } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
  streamNameFilter,
} from '@eventstore/db-client';
import { Failure } from '../../failures.ts';
import type { Position } from '../../ports/event-log.ts';
import { Silence, toFailure } from './eventstore-failures.ts';

export interface ConnectionOptions {
  /** `esdb://host:port?tls=…`, several hosts, or `esdb+discover://…`. */
  url: string;
  /** The longest one call may take without an answer, in ms; default 3000. */
  callTimeoutMs?: number;
  /** The longest a caller waits for a call and its repeats, in ms; default 8000. */
  giveUpMs?: number;
}

export interface NewMessage {
  id: string;
  type: string;
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** An event as the server has it. */
export interface Message {
  stream: string;
  revision: number;
  position: Position;
  id: string;
  type: string;
  data: unknown;
  metadata: unknown;
}

type Client = EventStoreDBClient;
type Read = ReturnType<Client['readAll']> | ReturnType<Client['readStream']>;
type Subscription = ReturnType<Client['subscribeToAll']>;
type Resolved = Pick<ResolvedEvent, 'event'>;

const callTimeoutMsDefault = 3_000;
const giveUpMsDefault = 8_000;
const backoffMsMin = 50;
const backoffMsMax = 2_000;
/** Messages a subscription holds before it stops taking more from the server. */
const bufferedMax = 2_000;

/** Before the n-th repeat (from 0), in ms: doubling, with full jitter so that many do not come back at once. */
export function backoffMs(n: number): number {
  return backoffMsMin + Math.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** n);
}

/** Commit and prepare, 20 digits each, so that positions compare as strings. */
function toPosition({ commit, prepare }: { commit: bigint; prepare: bigint }): Position {
  return `${String(commit).padStart(20, '0')}/${String(prepare).padStart(20, '0')}`;
}

function fromPosition(position: Position): { commit: bigint; prepare: bigint } {
  const [commit, prepare] = position.split('/');
  return { commit: BigInt(commit!), prepare: BigInt(prepare!) };
}

/** One client and the calls under way on it. */
class Session {
  readonly client: Client;
  #calls = 0;
  #retired = false;
  #channel: Promise<{ close(): void }> | undefined;

  constructor(url: string) {
    this.client = EventStoreDBClient.connectionString(url);
    // biome-ignore lint/complexity/useLiteralKeys: the three are protected; there is no other way to them.
    const getChannel = this.client['getChannel'];
    Object.assign(this.client, {
      supports: async () => false,
      handleError: async () => {},
      getChannel: () => {
        this.#channel = getChannel();
        return this.#channel;
      },
    });
  }

  /**
   * Calls once a node to talk to is found; rejects with Silence when none is within the limit, in ms. The call is then
   * never made: the client would make it as soon as the node is found, on a channel that may be closed by then, and an
   * append on a closed channel throws where nothing catches it, which ends the process.
   */
  async use<T>(limitMs: number, call: (client: Client, limitMs: number) => Promise<T>): Promise<T> {
    const until = performance.now() + limitMs;
    this.#calls++;
    try {
      // biome-ignore lint/complexity/useLiteralKeys: protected, as above.
      await within(limitMs, this.client['getChannel']());
      return await call(this.client, Math.max(1, Math.ceil(until - performance.now())));
    } finally {
      this.#calls--;
      this.#closeWhenIdle();
    }
  }

  /** No new call is made on it; it is closed when the last one has ended. */
  retire(): void {
    this.#retired = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#retired || this.#calls > 0) return;
    this.#channel?.then(
      (channel) => channel.close(),
      () => {},
    );
  }
}

export class EventStoreConnection {
  readonly #url: string;
  readonly #callTimeoutMs: number;
  readonly #giveUpMs: number;
  readonly #underWay = new Set<Promise<unknown>>();
  #session: Session | null = null;
  #closed = false;

  /** Failure `invalid` for a connection string that cannot be read. Connects with the first call. */
  constructor({ url, callTimeoutMs, giveUpMs }: ConnectionOptions) {
    this.#url = url;
    this.#callTimeoutMs = callTimeoutMs ?? callTimeoutMsDefault;
    this.#giveUpMs = giveUpMs ?? giveUpMsDefault;
    try {
      this.#session = new Session(url);
    } catch {
      // The client's own message may repeat the password.
      throw new Failure(
        'invalid',
        'The connection string of EventStoreDB cannot be read, or names a missing file.',
      );
    }
  }

  /** Repeats after an unknown outcome with the same ids, which the server takes as one append. */
  async append(
    stream: string,
    expectedRevision: number,
    messages: readonly NewMessage[],
  ): Promise<{ revision: number; position: Position | null }> {
    const events = messages.map((message) => jsonEvent(message));
    const expected = expectedRevision === -1 ? NO_STREAM : BigInt(expectedRevision);
    return this.#call(async (client, limitMs) => {
      const options = { expectedRevision: expected, deadline: limitMs } as const;
      const written = await within(limitMs, client.appendToStream(stream, events, options));
      const { nextExpectedRevision, position } = written;
      return { revision: Number(nextExpectedRevision), position: position ? toPosition(position) : null };
    });
  }

  /** Messages of a stream from a revision on, or its last; none for a stream that is not there. */
  async readStream(stream: string, from: number | 'last', maxCount: number): Promise<Message[]> {
    const start =
      from === 'last'
        ? ({ fromRevision: END, direction: BACKWARDS } as const)
        : { fromRevision: BigInt(from) };
    try {
      return await this.#read((client) => client.readStream(stream, { ...start, maxCount }));
    } catch (error) {
      if (error instanceof Failure && error.cause instanceof StreamNotFoundError) return [];
      throw error;
    }
  }

  /** Messages of all streams, the message at `from` itself included. */
  readAll(from: Position | null, maxCount: number): Promise<Message[]> {
    const position = from === null ? START : fromPosition(from);
    return this.#read((client) => client.readAll({ fromPosition: position, maxCount }));
  }

  /** Messages of all streams before `before` (null: from the end), the last first. */
  readAllBackwards(before: Position | null, maxCount: number): Promise<Message[]> {
    const position = before === null ? END : fromPosition(before);
    return this.#read((client) => client.readAll({ fromPosition: position, direction: BACKWARDS, maxCount }));
  }

  /** Messages after a position of the streams whose names begin with `prefix`, as they come. */
  subscribe(prefix: string, after: Position | null): Feed {
    return new Feed(new Session(this.#url), prefix, after);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Lets the calls under way end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    this.#session?.retire();
    this.#session = null;
  }

  #read(start: (client: Client) => Read): Promise<Message[]> {
    return this.#call((client, limitMs) => collect(start(client), limitMs));
  }

  /** Calls, and calls again while the server is away, as long as the caller may wait. */
  #call<T>(call: (client: Client, limitMs: number) => Promise<T>): Promise<T> {
    if (this.#closed)
      return Promise.reject(new Failure('unavailable', 'The connection to EventStoreDB is closed.'));
    const answer = this.#repeat(call);
    this.#underWay.add(answer);
    const done = () => this.#underWay.delete(answer);
    answer.then(done, done);
    return answer;
  }

  async #repeat<T>(call: (client: Client, limitMs: number) => Promise<T>): Promise<T> {
    const until = performance.now() + this.#giveUpMs;
    for (let repeat = 0; ; repeat++) {
      this.#session ??= new Session(this.#url);
      const session = this.#session;
      try {
        const limitMs = Math.min(this.#callTimeoutMs, Math.ceil(until - performance.now()));
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

/** What a read brings; each part of it must come within the limit. */
function collect(read: Read, limitMs: number): Promise<Message[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Message[]>();
  const messages: Message[] = [];
  const silence = setTimeout(() => reject(new Silence()), limitMs);
  read.on('data', (resolved: Resolved) => {
    silence.refresh();
    const message = toMessage(resolved);
    if (message !== null) messages.push(message);
  });
  read.on('error', reject);
  read.on('end', () => resolve(messages));
  return promise.finally(() => {
    clearTimeout(silence);
    read.cancel().catch(() => {});
  });
}

/**
 * What a subscription brings, as it comes. Ends with an error whatever ends it: the server away, a clean end, a slow
 * consumer dropped.
 */
export class Feed {
  readonly #session: Session;
  readonly #subscription: Subscription;
  #messages: Message[] = [];
  #end: unknown;
  #wake: () => void = () => {};

  constructor(session: Session, prefix: string, after: Position | null) {
    this.#session = session;
    this.#subscription = session.client.subscribeToAll({
      fromPosition: after === null ? START : fromPosition(after),
      filter: streamNameFilter({ prefixes: [prefix], checkpointInterval: 100 }),
    });
    this.#subscription.on('data', (resolved: Resolved) => {
      const message = toMessage(resolved);
      if (message === null) return;
      if (this.#messages.push(message) >= bufferedMax) this.#subscription.pause();
      this.#wake();
    });
    this.#subscription.on('error', (error) => this.#ended(error));
    this.#subscription.on('end', () => this.#ended(new Error('The server has ended the subscription.')));
    this.#subscription.on('close', () => this.#ended(new Error('The subscription was closed.')));
  }

  #ended(error: unknown): void {
    this.#end ??= error;
    this.#wake();
  }

  /**
   * The messages that have come, waiting up to `silenceMs` for the first; none after that time or when the signal
   * aborts. Rejects with Failure (`unavailable` mostly) when no more will come.
   */
  async next(silenceMs: number, signal: AbortSignal): Promise<Message[]> {
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
    this.#subscription.resume();
    return messages;
  }

  /** Does not wait for the server: a node still looked for may not be found for a long time. */
  close(): void {
    const retire = () => this.#session.retire();
    this.#subscription.unsubscribe().then(retire, retire);
  }
}

function toMessage({ event }: Resolved): Message | null {
  if (!event?.position) return null;
  const { streamId, revision, position, id, type, data, metadata } = event;
  return {
    stream: streamId,
    revision: Number(revision),
    position: toPosition(position),
    id,
    type,
    data,
    metadata,
  };
}

async function within<T>(ms: number, call: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Silence()), ms);
  try {
    return await Promise.race([call, promise]);
  } finally {
    clearTimeout(timer);
  }
}
