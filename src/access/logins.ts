/**
 * Authenticates administrators by checking Basic credentials against the configured hashes.
 *
 * - While the process runs, correct credentials are remembered as a hash under a per-process key. They are checked
 *   first, so an administrator who has logged in since startup is never locked out.
 * - Every other login needs a key derivation (60 ms, 32 MiB), and only one runs at a time. A few logins wait for it:
 *   first those from networks that have logged in before, then those from networks with the fewest attempts. A first
 *   correct login therefore overtakes guesses from networks that have guessed before. Those guesses take at most a
 *   third of a processor, however slow it is.
 * - After ten failures within a minute, a network is refused (429) until they are a minute old, unless it has logged in
 *   before. An IPv6 /48 counts as one network here.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from '../config.ts';
import { Failure } from '../failures.ts';
import { unmatchedHash, verifyPassword } from './admins.ts';
import { blockOf, networkOf } from './networks.ts';

export type Administrator = Pick<Admin, 'name' | 'role'>;

/** The acting administrator and the request. */
export interface Acting {
  name: string;
  request_id: string;
}

/** The origin of a login. */
export interface LoginSource {
  address: string;
  /** `destroyed` when the client has left, in which case the login is not checked. */
  connection: { destroyed: boolean };
}

export interface AdminLoginsDeps {
  admins: readonly Admin[];
  /** Called for each failed or refused login. `name` is the name that was sent, if it is a configured name. */
  onFailure: (name: string | null) => void;
  /** A monotonic clock in ms; replaced in tests. */
  now?: () => number;
  wait?: (ms: number) => Promise<unknown>;
  /** Whether a password matches a hash; replaced in tests. */
  verify?: (password: string, hash: string) => Promise<boolean>;
}

const minuteMs = 60_000;
const failuresMax = 10;
/** Maximum number of waiting logins. This many first attempts are checked within two seconds. */
const waitingMax = 24;
const waitingOfNetworkMax = 2;
/** After a wrong login, the next guess waits this many times as long as its derivation took. */
const restFactor = 2;
const networksMax = 10_000;

/** State of a network. */
interface Network {
  hasLoggedIn: boolean;
  /** Attempts since the last successful login, including refused ones. */
  tried: number;
  /** Times of the failures within the last minute. */
  failures: number[];
  waiting: number;
}

interface Waiting {
  network: Network;
  /** The network's number of earlier attempts. */
  tried: number;
  connection: LoginSource['connection'];
  begin(): void;
  refuse(failure: Failure): void;
}

const tooMany = () =>
  new Failure('unavailable', 'Too many logins at once; try again shortly.', { retryAfterS: 1 });

/** Sorts by priority; the login to check first is at the front. */
const order = (a: Waiting, b: Waiting): number =>
  Number(b.network.hasLoggedIn) - Number(a.network.hasLoggedIn) || a.tried - b.tried;

export class AdminLogins {
  readonly #deps: Required<AdminLoginsDeps>;
  readonly #secret = randomBytes(32);
  /** Keyed hashes of correct credentials, by name. */
  readonly #known = new Map<string, { admin: Administrator; mac: Buffer }>();
  /** Checks in progress, because a browser sends the same credentials several times simultaneously. */
  readonly #checking = new Map<string, Promise<Administrator | null>>();
  /** Longest idle first. */
  readonly #networks = new Map<string, Network>();
  #waiting: Waiting[] = [];
  #isBusy = false;
  /** When the next guess may be checked. */
  #guessAt = Number.NEGATIVE_INFINITY;
  /** Used for unknown names, so that checking them takes as long as checking any other name. */
  readonly #nobody = unmatchedHash();

  constructor(deps: AdminLoginsDeps) {
    this.#deps = { now: () => performance.now(), wait: (ms) => pause(ms), verify: verifyPassword, ...deps };
  }

  /**
   * Returns the administrator with these credentials. Fails with `unauthorized` if they are wrong, with `rate_limited`
   * if the network has failed too often recently or has too many logins waiting, with `unavailable` if too many
   * logins are waiting, and with `cancelled` if the client has left.
   */
  async login(name: string, password: string, { address, connection }: LoginSource): Promise<Administrator> {
    const mac = createHmac('sha256', this.#secret)
      .update(JSON.stringify([name, password]))
      .digest();
    const known = this.#known.get(name);
    if (known && timingSafeEqual(known.mac, mac)) return known.admin;
    const id = mac.toString('hex');
    try {
      const outcome =
        this.#checking.get(id) ?? this.#check(id, name, password, this.#network(address), connection);
      const admin = await outcome;
      if (admin === null) throw new Failure('unauthorized', 'Wrong name or password.');
      this.#known.set(name, { admin, mac });
      return admin;
    } catch (error) {
      const hasFailed = !(error instanceof Failure && error.code === 'cancelled');
      if (hasFailed) this.#deps.onFailure(this.#deps.admins.some((one) => one.name === name) ? name : null);
      throw error;
    }
  }

  /** Whether anyone can log in with a password. */
  get hasPasswords(): boolean {
    return this.#deps.admins.length > 0;
  }

  /** Counts a failed login whose password was not checked here. */
  failed(): void {
    this.#deps.onFailure(null);
  }

  /** Null if the credentials are wrong. */
  #check(
    id: string,
    name: string,
    password: string,
    network: Network,
    connection: LoginSource['connection'],
  ): Promise<Administrator | null> {
    const check = async () => {
      await this.#turn(network, connection);
      const began = this.#deps.now();
      try {
        const admin = this.#deps.admins.find((one) => one.name === name);
        const right = await this.#deps.verify(password, admin?.hash ?? this.#nobody);
        if (right && admin) {
          Object.assign(network, { hasLoggedIn: true, tried: 0, failures: [] });
          return { name: admin.name, role: admin.role };
        }
        const now = this.#deps.now();
        network.failures.push(now);
        this.#guessAt = now + restFactor * (now - began);
        return null;
      } finally {
        this.#isBusy = false;
        void this.#next();
      }
    };
    const outcome = check().finally(() => this.#checking.delete(id));
    this.#checking.set(id, outcome);
    return outcome;
  }

  /** Resolves when this login may use the derivation. */
  async #turn(network: Network, connection: LoginSource['connection']): Promise<void> {
    const tried = network.tried++;
    this.#assertMayTry(network);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ network, tried, connection, begin: resolve, refuse: reject });
    this.#waiting.sort(order);
    if (this.#waiting.length > waitingMax) this.#waiting.pop()!.refuse(tooMany());
    network.waiting++;
    void this.#next();
    await promise.finally(() => {
      network.waiting--;
    });
  }

  #assertMayTry({ failures, waiting, hasLoggedIn }: Network): void {
    const now = this.#deps.now();
    while (failures.length > 0 && failures[0]! <= now - minuteMs) failures.shift();
    const isLocked = failures.length + waiting >= failuresMax && !hasLoggedIn;
    if (!isLocked && waiting < waitingOfNetworkMax) return;
    const retryAfterS = isLocked ? Math.ceil(((failures[0] ?? now) + minuteMs - now) / 1000) : 1;
    throw new Failure('rate_limited', 'Too many failed logins; try again later.', { retryAfterS });
  }

  /** Begins the next derivation unless one is in progress. */
  async #next(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (;;) {
      const gone = this.#waiting.filter(({ connection }) => connection.destroyed);
      this.#waiting = this.#waiting.filter(({ connection }) => !connection.destroyed);
      for (const { refuse } of gone) refuse(new Failure('cancelled', 'The connection was closed.'));
      const [first] = this.#waiting;
      if (first === undefined) break;
      const isGuess = first.tried > 0 && !first.network.hasLoggedIn;
      const restMs = isGuess ? this.#guessAt - this.#deps.now() : 0;
      if (restMs > 0) {
        await this.#deps.wait(restMs);
        continue;
      }
      this.#waiting.shift();
      first.begin();
      return;
    }
    this.#isBusy = false;
  }

  #network(address: string): Network {
    const network = networkOf(address);
    const name = blockOf(network) ?? network;
    const known = this.#networks.get(name) ?? { hasLoggedIn: false, tried: 0, failures: [], waiting: 0 };
    this.#networks.delete(name);
    this.#networks.set(name, known);
    for (const [silent, { hasLoggedIn }] of this.#networks) {
      if (this.#networks.size <= networksMax) break;
      // Networks that have logged in are kept; only others are evicted.
      if (!hasLoggedIn) this.#networks.delete(silent);
    }
    return known;
  }
}
