/**
 * The calls of `redis` with time limits and failures the service understands: nothing but this file knows the client.
 * Commands are raw: their replies then are the same for a single server and a cluster. What is chosen on purpose:
 *
 * - The client connects again for ever, the pauses growing to a second; while it does, calls are refused at once, as
 *   somebody waits for each of them. Only right after opening a call waits for the first connection.
 * - A connection that a call was not answered over in time is given up for a new one, with all that waits on it.
 * - A server that accepts and never answers is left after `silentMs` (pings keep a healthy connection from being
 *   taken for one); a caller waits no longer than the time limit of the call.
 * - A call that was cut off may have been done: who writes must be able to repeat (see redis-chunk-store.ts).
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, createCluster, ErrorReply, RESP_TYPES } from 'redis';
import { within } from '../../async/within.ts';
import { Failure } from '../../failures.ts';

export type Arg = string | Buffer;

export interface RedisOptions {
  /**
   * `redis://host:port` or `rediss://…`; several hosts with commas between them, or `?cluster` after one, are the
   * nodes of a cluster.
   */
  url: string;
  /** The longest a call may take, in ms; default 3000. */
  callTimeoutMs?: number;
  /** Told when the server is lost and when it is back: a sentence without the address. */
  onTrouble?: (sentence: string) => void;
}

/** A Lua script with its digest: it is sent whole only to a server that does not know it. */
export interface Script {
  text: string;
  sha: string;
}

export const script = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

/** A text as a pattern of SCAN that matches nothing else. */
export const escapeGlob = (text: string): string => text.replace(/[[\]*?\\^]/g, '\\$&');

const callTimeoutMsDefault = 3_000;
const pingMs = 1_000;
const silentMs = 4_000;
const reconnectMsMax = 1_000;
const reconnectMs = (retries: number): number =>
  Math.min(reconnectMsMax, 20 * 2 ** Math.min(retries, 10)) * (0.5 + Math.random() / 2);

const away = (cause?: unknown) =>
  new Failure('unavailable', 'Redis cannot be reached.', { retryAfterS: 1, cause });

/** Errors of the server's own words that pass by themselves. */
const passing =
  /^(?:LOADING|BUSY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|READONLY|NOREPLICAS|UNBLOCKED|ASK|MOVED)\b|timeout limit was reached|^could not (?:send query|distribute)/i;

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof ErrorReply)) return away(error);
  const text = error.message;
  if (/^OOM\b/.test(text))
    return new Failure('storage_full', 'Redis has no memory left for writes.', { cause: error });
  if (/^(?:WRONGPASS|NOAUTH|NOPERM)\b/.test(text))
    return new Failure('unavailable', 'Redis refuses the credentials or the command.', { cause: error });
  if (passing.test(text)) return away(error);
  // The text may repeat arguments, and so what people wrote: only its first word is told.
  return new Failure('internal', `Redis refused a command (${text.split(' ', 1)[0]}).`, { cause: error });
}

const serverSaid = (what: RegExp) => (error: unknown) =>
  error instanceof Failure && error.cause instanceof Error && what.test(error.cause.message);

/** Whether the server said that there is no such index. Wordings differ between versions. */
export const isNoIndex = serverSaid(/no such index|index not found|unknown index/i);

export const isIndexExists = serverSaid(/already exists/i);

/** Whether a node could pass a command on to no node of its cluster. */
export const isUnreached = serverSaid(/^could not (?:send query|distribute)/i);

/** What the adapters need of a connection. */
export type Redis = Pick<RedisConnection, 'clustered' | 'call' | 'callBytes' | 'onMasters' | 'run' | 'close'>;

/** A client of one server or of a cluster, whose way of speaking to either is the same. */
interface Client {
  /** Resolves when the first connection stands, at the latest after the time limit of a call. */
  started: Promise<unknown>;
  send(key: string, args: readonly Arg[], buffers: boolean): Promise<unknown>;
  sendAll(args: readonly Arg[]): Promise<unknown[]>;
  end(): void;
}

const asBuffers = { [RESP_TYPES.BLOB_STRING]: Buffer };

/** A connection, made with `open`; calls of the same moment go out together. */
export class RedisConnection {
  /** Whether the keys are spread over the nodes of a cluster. */
  readonly clustered: boolean;
  readonly #callTimeoutMs: number;
  readonly #connect: () => Client;
  #client: Client;
  #isClosed = false;

  /** Connects in the background. Failure `invalid` for an address that cannot be read. */
  static open(options: RedisOptions): RedisConnection {
    return new RedisConnection(options);
  }

  private constructor({ url, callTimeoutMs = callTimeoutMsDefault, onTrouble = () => {} }: RedisOptions) {
    this.#callTimeoutMs = callTimeoutMs;
    const socket = {
      connectTimeout: callTimeoutMs,
      socketTimeout: silentMs,
      reconnectStrategy: reconnectMs,
    };
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
      const nodes = nodesOf(url);
      const clustered = nodes.length > 1 || /[?&]cluster\b/.test(url);
      this.clustered = clustered;
      this.#connect = () => {
        const client = clustered ? ofCluster(nodes, own, said) : ofServer(url, own, said);
        return { ...client, started: orAfter(client.started, callTimeoutMs) };
      };
      this.#client = this.#connect();
    } catch (error) {
      throw new Failure('invalid', 'REDIS_URL cannot be read.', { cause: error });
    }
  }

  /** A command whose keys are in the slot of `key`. Failure `unavailable`, `storage_full`, `internal`. */
  async call<T>(key: string, ...args: Arg[]): Promise<T> {
    return this.#limited<T>((client) => client.send(key, args, false));
  }

  /** The same with strings of the reply as bytes. */
  async callBytes<T>(key: string, ...args: Arg[]): Promise<T> {
    return this.#limited<T>((client) => client.send(key, args, true));
  }

  /** The replies of every master to the same command; the one server's alone without a cluster. */
  async onMasters<T>(...args: Arg[]): Promise<T[]> {
    return this.#limited<T[]>((client) => client.sendAll(args));
  }

  /** Runs a script; its first key is where it runs. */
  async run<T>(script: Script, key: string, ...args: Arg[]): Promise<T> {
    return this.#limited<T>(async (client) => {
      try {
        return await client.send(key, ['EVALSHA', script.sha, '1', key, ...args], false);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.send(key, ['EVAL', script.text, '1', key, ...args], false);
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
   * Gives up a connection that a call was not answered over in time: a server answers in order, and one that owes a reply
   * for ever (a search of Redis 8.0.6 whose nodes lost each other) owes all behind it too. Those are told to come again.
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
    // It was closed already.
  }
}

type ClientOptions = NonNullable<Parameters<typeof createCluster>[0]['defaults']>;

function ofServer(url: string, options: ClientOptions, said: (lost: boolean) => void): Client {
  const client = createClient({ url, ...options });
  client.on('error', () => said(true)).on('ready', () => said(false));
  return {
    started: client.connect(),
    send: (_, args, buffers) => client.sendCommand(args, buffers ? { typeMapping: asBuffers } : undefined),
    sendAll: async (args) => [await client.sendCommand(args)],
    end: () => client.destroy(),
  };
}

function ofCluster(nodes: readonly string[], options: ClientOptions, said: (lost: boolean) => void): Client {
  const cluster = createCluster({ rootNodes: nodes.map((url) => ({ url })), defaults: options });
  cluster.on('error', () => said(true)).on('node-ready', () => said(false));
  const ended = new AbortController();
  return {
    started: connectCluster(cluster, ended.signal),
    send: (key, args, buffers) =>
      cluster.sendCommand(key, false, [...args], buffers ? { typeMapping: asBuffers } : undefined),
    sendAll: (args) =>
      Promise.all(
        cluster.masters.map(async (master) =>
          (await cluster.nodeClient(master)).sendCommand(args as (string | Buffer)[]),
        ),
      ),
    end: () => {
      ended.abort();
      cluster.destroy();
    },
  };
}

/** The client of a cluster tries each node once and closes when none answers; this tries again until it is ended. */
async function connectCluster(
  cluster: { connect(): Promise<unknown>; destroy(): void },
  ended: AbortSignal,
): Promise<void> {
  for (let retries = 0; !ended.aborted; retries++) {
    try {
      await cluster.connect();
      // Ended while it connected, it would keep the connections it made since.
      if (ended.aborted) cluster.destroy();
      return;
    } catch {
      await delay(reconnectMs(retries), undefined, { signal: ended }).catch(() => {});
    }
  }
}

/** Resolves when the promise settles, at the latest after so many ms. */
async function orAfter(promise: Promise<unknown>, ms: number): Promise<void> {
  await within(
    promise.catch(() => {}),
    ms,
    () => {},
  );
}

/** `redis://user:password@a:1,b:2` as one address each. */
function nodesOf(url: string): string[] {
  const [, scheme, credentials = '', hosts = ''] = /^(\w+:\/\/)([^@/]*@)?([^/?]*)/.exec(url) ?? [];
  return hosts.split(',').map((host) => `${scheme}${credentials}${host}`);
}
