/**
 * Counts every request against a client, which is identified by its API key or otherwise by the network of its address.
 *
 * - A client may have at most six requests in progress; further requests wait in a queue.
 * - A client may send 20 requests per second after a burst of 100. Beyond that, each request waits before it is
 *   processed. Large bodies and replies count as several requests, and so do refused requests: a client that keeps
 *   sending those gets two responses per second.
 * - The networks of an IPv6 /48 share the rate of four clients, because one subscriber may own all of them.
 * - A request is refused with 429 if it would wait longer than two seconds or the queue already contains 32 requests.
 *
 * A key with a higher question limit gets a multiple of this rate. An address without a question limit is not limited
 * here.
 */
import { blockShare } from '../access/networks.ts';
import { Failure } from '../failures.ts';

export interface Client {
  name: string;
  /** Its /48 network, if it is an IPv6 network. */
  block: string | null;
  /** The number of ordinary clients that it counts as; Infinity means no limit. */
  share: number;
}

const inFlightMax = 6;
const waitingMax = 32;
const waitMsMax = 2_000;
const perS = 20;
const burst = 100;
/** Maximum backlog of a client that has sent far too many requests. */
const debtMsMax = 15_000;
/** Additional weight of a refused request. */
const refusedWeight = 9;
/** Number of bytes that count as one request. */
const bytesEach = 32 * 1024;
const accountsMax = 10_000;

interface Account {
  inFlight: number;
  /** Requests in the queue, and those that are delayed before they enter it. */
  line: (() => void)[];
  waiting: number;
  /** When the requests so far will have been worked off at the client's rate, by performance.now(). */
  paidAt: number;
}

const tooMany = (waitMs: number) =>
  new Failure('rate_limited', 'Too many requests from this client; try again shortly.', {
    retryAfterS: Math.ceil(waitMs / 1000),
  });

/** The weight of a request or message. By default it is small and not refused. */
export const weightOf = ({ bytes = 0, refused = false }: { bytes?: number; refused?: boolean } = {}) =>
  1 + bytes / bytesEach + (refused ? refusedWeight : 0);

export class RequestLimits {
  /** Ordered by last use, longest idle client first. */
  readonly #accounts = new Map<string, Account>();

  /**
   * Resolves when a request of the client may proceed, with a function that ends the request. Fails with `rate_limited`
   * if the client sends too many requests or has too many waiting.
   */
  async enter(client: Client, weight = 1): Promise<() => void> {
    if (client.share === Number.POSITIVE_INFINITY) return () => {};
    const account = this.#account(client.name);
    if (account.waiting >= waitingMax * client.share) throw tooMany(waitMsMax);
    account.waiting++;
    try {
      const waitMs = this.charge(client, weight);
      if (waitMs > 0) await passed(Math.min(waitMs, waitMsMax));
      if (waitMs > waitMsMax) throw tooMany(waitMs);
      if (account.inFlight < inFlightMax * client.share) account.inFlight++;
      else await inLine(account);
    } finally {
      account.waiting--;
    }
    return this.#leaving(account);
  }

  /** A slot for a WebSocket, which stays open alongside the client's requests; null if the client has too many. */
  open(client: Client): (() => void) | null {
    const account = this.#account(`open ${client.name}`);
    if (account.inFlight >= inFlightMax * client.share) return null;
    account.inFlight++;
    return this.#leaving(account);
  }

  /** Counts data that the client has sent or received. Returns the delay before its next request, in ms. */
  charge({ name, block, share }: Client, weight: number): number {
    if (share === Number.POSITIVE_INFINITY) return 0;
    const own = this.#charge(name, weight / share);
    return block === null ? own : Math.max(own, this.#charge(block, weight / share / blockShare));
  }

  #charge(name: string, weight: number): number {
    const account = this.#account(name);
    const now = performance.now();
    const paidAt = Math.max(account.paidAt, now) + (weight * 1000) / perS;
    account.paidAt = Math.min(paidAt, now + debtMsMax);
    return Math.max(0, account.paidAt - now - (burst * 1000) / perS);
  }

  #account(name: string): Account {
    const account = this.#accounts.get(name) ?? { inFlight: 0, line: [], waiting: 0, paidAt: 0 };
    this.#accounts.delete(name);
    this.#accounts.set(name, account);
    for (const [silent, other] of this.#accounts) {
      if (this.#accounts.size <= accountsMax) break;
      if (other !== account && other.inFlight + other.waiting === 0) this.#accounts.delete(silent);
    }
    return account;
  }

  #leaving(account: Account): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = account.line.shift();
      // The slot passes to the next request in the queue.
      if (next) next();
      else account.inFlight--;
    };
  }
}

const passed = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

async function inLine({ line }: Account): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    line.splice(line.indexOf(resolve), 1);
    reject(tooMany(waitMsMax));
  }, waitMsMax).unref();
  line.push(resolve);
  await promise.finally(() => clearTimeout(late));
}
