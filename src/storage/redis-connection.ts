/**
 * Calls to the `redis` client with time limits and Failures; the client is used only in this file. The service uses one
 * Redis server: a Redis Cluster is not supported. Deliberate choices:
 *
 * - The client keeps reconnecting indefinitely, with pauses of up to a second. In the meantime calls fail immediately,
 *   because each of them has a waiting caller. Calls wait for a connection only directly after opening.
 * - A connection with an unanswered call is replaced after the time limit, and all calls pending on it fail.
 * - A server that accepts connections but never answers is abandoned after `silentMs` (pings keep a healthy connection
 *   from appearing silent). A caller never waits longer than the time limit of the call.
 * - An interrupted call may have been executed, so writers must be able to repeat it (see search/redis/chunk-store.ts).
 */
import { createHash } from 'node:crypto';
import { createClient, ErrorReply, RESP_TYPES } from 'redis';
import { within } from '../async/within.ts';
import { Failure } from '../failures.ts';

export type Arg = string | Buffer;

export interface RedisOptions {
  /** `redis://host:port` or `rediss://…`. */
  url: string;
  /** Time limit for a call, in ms. Default: 3000. */
  callTimeoutMs?: number;
  /**
   * Called when the server becomes unreachable and when it is reachable again. The sentence does not contain the
   * address.
   */
  onTrouble?: (sentence: string) => void;
}

export interface RedisConfig extends RedisOptions {
  /** Prefix of every key. */
  namespace: string;
}

/** A Lua script with its digest. Its source is sent only to a server that does not know it yet. */
export interface Script {
  text: string;
  sha: string;
}

export const script = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

/** Escapes a text for use as a literal SCAN pattern. */
export const escapeGlob = (text: string): string => text.replace(/[[\]*?\\^]/g, '\\$&');

const callTimeoutMsDefault = 3_000;
const pingMs = 1_000;
const silentMs = 4_000;
const reconnectMsMax = 1_000;
const reconnectMs = (retries: number): number =>
  Math.min(reconnectMsMax, 20 * 2 ** Math.min(retries, 10)) * (0.5 + Math.random() / 2);

const away = (cause?: unknown) =>
  new Failure('unavailable', 'Redis cannot be reached.', { retryAfterS: 1, cause });

/** Error replies that indicate a temporary condition. */
const passing = /^(?:LOADING|BUSY|MASTERDOWN|READONLY|NOREPLICAS|UNBLOCKED)\b|timeout limit was reached/i;

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof ErrorReply)) return away(error);
  const text = error.message;
  if (/^OOM\b/.test(text))
    return new Failure('storage_full', 'Redis has no memory left for writes.', { cause: error });
  if (/^(?:WRONGPASS|NOAUTH|NOPERM)\b/.test(text))
    return new Failure('unavailable', 'Redis refused the credentials or the command.', { cause: error });
  if (passing.test(text)) return away(error);
  // The text may contain arguments and thus people's words, so only its first word is reported.
  return new Failure('internal', `Redis refused a command (${text.split(' ', 1)[0]}).`, { cause: error });
}

const serverSaid = (what: RegExp) => (error: unknown) =>
  error instanceof Failure && error.cause instanceof Error && what.test(error.cause.message);

/** Whether the server reported a missing index. The wording differs between versions. */
export const isNoIndex = serverSaid(/no such index|index not found|unknown index/i);

export const isIndexExists = serverSaid(/already exists/i);

/** The parts of a connection that the adapters use. */
export type Redis = Pick<RedisConnection, 'call' | 'callBytes' | 'run' | 'close'>;

interface Client {
  /** Resolves when the first connection is up, or after the time limit of a call. */
  started: Promise<unknown>;
  send(args: readonly Arg[], buffers: boolean): Promise<unknown>;
  end(): void;
}

const asBuffers = { [RESP_TYPES.BLOB_STRING]: Buffer };

/** A connection created by `open`. Calls made at the same moment are sent together. */
export class RedisConnection {
  readonly #callTimeoutMs: number;
  readonly #connect: () => Client;
  #client: Client;
  #isClosed = false;

  /** Connects in the background. Fails with `invalid` if the address is invalid. */
  static open(options: RedisOptions): RedisConnection {
    return new RedisConnection(options);
  }

  private constructor({ url, callTimeoutMs = callTimeoutMsDefault, onTrouble = () => {} }: RedisOptions) {
    this.#callTimeoutMs = callTimeoutMs;
    const socket = { connectTimeout: callTimeoutMs, socketTimeout: silentMs, reconnectStrategy: reconnectMs };
    const own = {
      socket,
      pingInterval: pingMs,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      disableClientInfo: true,
    } as const;
    let lost = false;
    const said = (now: boolean) => {
      if (lost === now) return;
      lost = now;
      onTrouble(
        now
          ? 'Redis cannot be reached; retrying. Is the address in REDIS_URL right?'
          : 'Redis is reachable again.',
      );
    };
    try {
      this.#connect = () => {
        const client = connect(url, own, said);
        return { ...client, started: orAfter(client.started, callTimeoutMs) };
      };
      this.#client = this.#connect();
    } catch (error) {
      throw new Failure('invalid', 'REDIS_URL cannot be read.', { cause: error });
    }
  }

  /** Sends a command. May fail with `unavailable`, `storage_full` or `internal`. */
  async call<T>(...args: Arg[]): Promise<T> {
    return this.#limited<T>((client) => client.send(args, false));
  }

  /** Like `call`, but strings in the reply are returned as bytes. */
  async callBytes<T>(...args: Arg[]): Promise<T> {
    return this.#limited<T>((client) => client.send(args, true));
  }

  /** Runs a script that takes one key. */
  async run<T>(script: Script, key: string, ...args: Arg[]): Promise<T> {
    return this.#limited<T>(async (client) => {
      try {
        return await client.send(['EVALSHA', script.sha, '1', key, ...args], false);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.send(['EVAL', script.text, '1', key, ...args], false);
      }
    });
  }

  async #limited<T>(act: (client: Client) => Promise<unknown>): Promise<T> {
    const client = this.#client;
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(away());
      this.#replace(client);
    }, this.#callTimeoutMs);
    try {
      await Promise.race([client.started, promise]);
      return (await Promise.race([act(client), promise])) as T;
    } catch (error) {
      throw toFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Replaces a connection on which a call timed out. A server answers in order, so a call that it never answers also
   * blocks all calls behind it. Those calls fail as retryable.
   */
  #replace(silent: Client): void {
    if (this.#isClosed || this.#client !== silent) return;
    this.#client = this.#connect();
    endQuietly(silent);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    endQuietly(this.#client);
  }
}

function endQuietly(client: Client): void {
  try {
    client.end();
  } catch {
    // Already closed.
  }
}

function connect(
  url: string,
  options: Parameters<typeof createClient>[0],
  said: (lost: boolean) => void,
): Client {
  const client = createClient({ url, ...options });
  client.on('error', () => said(true)).on('ready', () => said(false));
  return {
    started: client.connect(),
    send: (args, buffers) => client.sendCommand(args, buffers ? { typeMapping: asBuffers } : undefined),
    end: () => client.destroy(),
  };
}

/** Resolves when the promise settles, or after this many ms. */
async function orAfter(promise: Promise<unknown>, ms: number): Promise<void> {
  await within(
    promise.catch(() => {}),
    ms,
    () => {},
  );
}
