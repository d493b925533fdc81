/**
 * Counts every request against a client: its API key, or else the network of its address.
 *
 * - A client has at most six requests in progress; further ones wait in line.
 * - A client may send 20 requests a second, after a burst of 100. Beyond that, each request waits before it is
 *   processed. Large bodies and replies count as several requests, and so do refused requests: a client that keeps
 *   sending them gets two answers a second.
 * - The networks of an IPv6 /48 together have the rate of four clients, because one subscriber may have all of them.
 * - A request that would wait longer than two seconds, or in a line longer than 32, is refused with 429.
 *
 * A key with a higher question limit gets a multiple of this rate; an address without a question limit is not limited
 * here.
 */
import { blockShare } from '../access/networks.ts';
import { Failure } from '../failures.ts';

export interface Client {
  name: string;
  /** Its /48, if it is an IPv6 network. */
  block: string | null;
  /** The number of ordinary clients it counts as; Infinity: no limit. */
  share: number;
}

const inFlightMax = 6;
const waitingMax = 32;
const waitMsMax = 2_000;
const perS = 20;
const burst = 100;
/** Maximum backlog of a client that has sent far too much. */
const debtMsMax = 15_000;
/** Additional weight of a refused request. */
const refusedWeight = 9;
/** Bytes that count as one request. */
const bytesEach = 32 * 1024;
const accountsMax = 10_000;

interface Account {
  inFlight: number;
  /** Requests in line, and those delayed before that. */
  line: (() => void)[];
  waiting: number;
  /** When its requests so far have been worked off at its rate, by performance.now(). */
  paidAt: number;
}

const tooMany = (waitMs: number) =>
  new Failure('rate_limited', 'Too many requests from this client; try again shortly.', {
    retryAfterS: Math.ceil(waitMs / 1000),
  });

/** The weight of a request or message. Default: small and not refused. */
export const weightOf = ({ bytes = 0, refused = false }: { bytes?: number; refused?: boolean } = {}) =>
  1 + bytes / bytesEach + (refused ? refusedWeight : 0);

export class RequestLimits {
  /** Ordered by last use, the longest idle client first. */
  readonly #accounts = new Map<string, Account>();

  /**
   * Resolves when a request of the client may proceed, with a function that ends it. Failure `rate_limited`: the client
   * sends too much, or has too many requests waiting.
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

  /** A slot for a WebSocket, which stays open beside the client's requests; null: the client has too many. */
  open(client: Client): (() => void) | null {
    const account = this.#account(`open ${client.name}`);
    if (account.inFlight >= inFlightMax * client.share) return null;
    account.inFlight++;
    return this.#leaving(account);
  }

  /** Counts data that the client has sent or received; returns the delay of its next request, in ms. */
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
      // The slot passes to the next in line.
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
