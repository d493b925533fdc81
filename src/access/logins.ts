/**
 * Who an administrator is: Basic credentials against the configured hashes.
 *
 * - Credentials that were right are remembered as a hash under a key of this process, for as long as it runs: the
 *   configured hashes do not change meanwhile. They are looked at before anything else, so that not every call costs a
 *   derivation, and whoever has logged in since the start is never kept out by what others try, however long they go on
 *   and from wherever. Those that were wrong are remembered for a minute: sent again and again they cost nothing and
 *   count once.
 * - Failures are counted by name and network. After `failuresMax` within a minute wrong credentials are refused with 429;
 *   they are still looked at, one each `pacedMs`, so that right ones are let in: of those who wait for that, one whose
 *   connection and address have failed least, and of these the one over whose connection most came in vain before. So
 *   nobody who keeps a connection is kept out, neither by who goes on trying over the same ones nor over ever new ones; of
 *   new ones, of which nothing is known, the lot decides, and each try has its chance.
 * - Derivations are done one after the other, those of names and networks that have failed least first; those that have
 *   failed before take a third of a processor all together, since others are answered meanwhile.
 * - What nobody waits for any more is not looked at.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from '../config.ts';
import { Failure } from '../failures.ts';
import { unmatchedHash, verifyPassword } from './admins.ts';
import { networkOf } from './networks.ts';
import { type Asking, Turns } from './turns.ts';
import { Waiting } from './waiting.ts';

export type Administrator = Pick<Admin, 'name' | 'role'>;

/** Where a log-in comes from. */
export interface LoginSource {
  address: string;
  /** What it came over, the same object for all that come over it; `destroyed` when the client has left. */
  connection: { destroyed: boolean };
}

export interface AdminLoginsDeps {
  admins: readonly Admin[];
  /** Told of each log-in that failed or was not even looked at; `name`: the one typed, where it is a configured one. */
  onFailure: (name: string | null) => void;
  /** Milliseconds that only rise; a test gives its own. */
  now?: () => number;
  /** Waits before a failure is answered, or for a turn; a test gives its own. */
  wait?: (ms: number) => Promise<unknown>;
  /** Whether a password is the one of a hash; a test gives its own. */
  verify?: (password: string, hash: string) => Promise<boolean>;
  /** From 0 up to 1; a test gives its own. */
  random?: () => number;
}

const minuteMs = 60_000;
const failuresMax = 10;
/** Beyond them one log-in of a name and network is looked at in this time. */
const pacedMs = 200;
/** So many may wait for that. */
const pacedWaitingMax = 2;
/** A failure is answered later by this for each one before it within the minute, up to the most. */
const slowedMs = 100;
const slowedMsMax = 500;
/** A derivation takes 60 ms and 32 MiB, and for others the rest: who waits behind so many is served within a second. */
const waitingMax = { trusted: 12, others: 3 };
/** After a derivation for a name and network that has failed before, such ones rest this many times as long as it took. */
const rests = 2;
const triesMax = 10_000;
/** So many log-ins that were not looked at are held against the address that sent them as one wrong one is. */
const unseenPerWrong = 30;
/** Addresses of a network (of IPv6) whose tries are told apart. */
const addressesMax = 1_000;
const wrongMax = 10_000;

/** Log-ins that were not let in, within a minute from the first. */
interface Recent {
  since: number;
  wrong: number;
  /** They had to leave before they were looked at. */
  unseen: number;
}

/** What is known of one name tried from one network. All names that are none count as one. */
interface Tries {
  /** Times of the failures within the last minute, and of log-ins under way. */
  failures: number[];
  lookedAt: number;
  /** What came from each address. */
  addresses: Map<string, Recent>;
  /** Those who wait for the pace, and whether they are being served. */
  waiting: Waiting;
  isServing: boolean;
}

interface Checking {
  outcome: Promise<Administrator | null>;
  /** Of all who wait for it. */
  connections: LoginSource['connection'][];
}

export class AdminLogins {
  readonly #deps: Required<AdminLoginsDeps>;
  readonly #secret = randomBytes(32);
  /** Keyed hashes of credentials that were right, by name. */
  readonly #known = new Map<string, { admin: Administrator; mac: Buffer }>();
  /** Keyed hashes (hex) of credentials that were wrong, and until when they need no look; the oldest first. */
  readonly #wrong = new Map<string, number>();
  /** Credentials being looked at: the same ones sent at once are looked at once. */
  readonly #checking = new Map<string, Checking>();
  /** By name and network; the most silent first. */
  readonly #tries = new Map<string, Tries>();
  /** What came over each connection. */
  readonly #connections = new WeakMap<object, Recent>();
  readonly #turns: Turns;
  /** For names that are none: their check takes as long as any. */
  readonly #nobody = unmatchedHash();

  constructor(deps: AdminLoginsDeps) {
    this.#deps = {
      now: () => performance.now(),
      wait: (ms) => pause(ms),
      verify: verifyPassword,
      random: Math.random,
      ...deps,
    };
    const { now, wait, random } = this.#deps;
    this.#turns = new Turns({ waitingMax, rests, now, wait, random });
  }

  /**
   * The administrator of these credentials. Failure `unauthorized`: they are not right; `rate_limited`: they are not,
   * as many others of this name from this network, or it was not their turn; `unavailable`: too many log-ins at once.
   */
  async login(name: string, password: string, from: LoginSource): Promise<Administrator> {
    const mac = createHmac('sha256', this.#secret)
      .update(JSON.stringify([name, password]))
      .digest();
    const known = this.#recognise(name, mac);
    if (known) return known;
    const tries = this.#triesOf(name, networkOf(from.address), this.#deps.now());
    const limited = tries.failures.length >= failuresMax;
    try {
      const admin = await this.#look(name, password, mac, tries, from, limited);
      if (admin !== null) {
        this.#known.set(name, { admin, mac });
        return admin;
      }
    } catch (error) {
      for (const recent of this.#recent(tries, from)) recent.unseen++;
      this.#deps.onFailure(this.#configured(name));
      // Who tries again as soon as it is answered would otherwise be refused as fast as it can send.
      await this.#deps.wait(slowedMsMax);
      throw error;
    }
    for (const recent of this.#recent(tries, from)) recent.wrong++;
    this.#deps.onFailure(this.#configured(name));
    if (limited) throw this.#tooMany(tries);
    await this.#deps.wait(Math.min(slowedMsMax, slowedMs * Math.max(0, tries.failures.length - 1)));
    throw new Failure('unauthorized', 'Wrong name or password.');
  }

  #recognise(name: string, mac: Buffer): Administrator | null {
    const known = this.#known.get(name);
    return known && timingSafeEqual(known.mac, mac) ? known.admin : null;
  }

  /** null for wrong credentials. */
  async #look(
    name: string,
    password: string,
    mac: Buffer,
    tries: Tries,
    from: LoginSource,
    limited: boolean,
  ): Promise<Administrator | null> {
    const id = mac.toString('hex');
    const isWrong = () => (this.#wrong.get(id) ?? 0) > this.#deps.now();
    if (isWrong()) return null;
    const under = this.#checking.get(id);
    if (under !== undefined) {
      under.connections.push(from.connection);
      return under.outcome;
    }
    if (limited && !this.#isDue(tries)) {
      await this.#pace(tries, from);
      // Others may have sent the same meanwhile.
      const known = this.#recognise(name, mac);
      if (known || isWrong()) return known;
    }
    const now = this.#deps.now();
    tries.lookedAt = now;
    // Counted beforehand, so that many at once are not more than many one after the other.
    tries.failures.push(now);
    const forgive = () => {
      const at = tries.failures.indexOf(now);
      if (at !== -1) tries.failures.splice(at, 1);
    };
    const connections = [from.connection];
    const outcome = this.#check(name, password, {
      // A log-in under way counts as a failure.
      isTrusted: tries.failures.length === 1,
      suspicion: () => tries.failures.length + this.#suspicionOf(tries, from),
      isGone: () => connections.every((one) => one.destroyed),
    }).finally(() => this.#checking.delete(id));
    this.#checking.set(id, { outcome, connections });
    try {
      const admin = await outcome;
      if (admin === null) this.#remember(id);
      else forgive();
      return admin;
    } catch (error) {
      forgive();
      throw error;
    }
  }

  /** What came from the address and over the connection of late. */
  #recent({ addresses }: Tries, { address, connection }: LoginSource): [Recent, Recent] {
    const now = this.#deps.now();
    const current = (recent: Recent | undefined) =>
      recent !== undefined && recent.since > now - minuteMs ? recent : { since: now, wrong: 0, unseen: 0 };
    const found: [Recent, Recent] = [
      current(addresses.get(address)),
      current(this.#connections.get(connection)),
    ];
    addresses.delete(address);
    addresses.set(address, found[0]);
    for (const oldest of addresses.keys()) {
      if (addresses.size <= addressesMax) break;
      addresses.delete(oldest);
    }
    this.#connections.set(connection, found[1]);
    return found;
  }

  /** Less by a part of one the more often it has tried over this connection without being looked at. */
  #suspicionOf(tries: Tries, from: LoginSource): number {
    const [address, connection] = this.#recent(tries, from);
    const failed = address.wrong + Math.floor(address.unseen / unseenPerWrong) + connection.wrong;
    return failed - connection.unseen / (connection.unseen + 1);
  }

  #isDue({ waiting, lookedAt }: Tries): boolean {
    return waiting.size === 0 && this.#deps.now() >= lookedAt + pacedMs;
  }

  /** Waits until it is this log-in's turn among those of the name and network. Failure `rate_limited`: it had to leave. */
  #pace(tries: Tries, from: LoginSource): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    tries.waiting.add({
      suspicion: () => this.#suspicionOf(tries, from),
      isGone: () => from.connection.destroyed,
      start: resolve,
      leave: () => reject(this.#tooMany(tries)),
    });
    if (!tries.isServing) void this.#serve(tries);
    return promise;
  }

  async #serve(tries: Tries): Promise<void> {
    tries.isServing = true;
    while (tries.waiting.size > 0) {
      const waitMs = tries.lookedAt + pacedMs - this.#deps.now();
      if (waitMs > 0) await this.#deps.wait(waitMs);
      tries.waiting.next()?.start();
      tries.lookedAt = this.#deps.now();
    }
    tries.isServing = false;
  }

  #tooMany({ failures }: Tries): Failure {
    const waitMs = (failures[0] ?? 0) + minuteMs - this.#deps.now();
    return new Failure('rate_limited', 'Too many failed log-ins, try again later.', {
      retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }

  #configured(name: string): string | null {
    return this.#deps.admins.some((admin) => admin.name === name) ? name : null;
  }

  #triesOf(name: string, network: string, now: number): Tries {
    const key = JSON.stringify([this.#configured(name), network]);
    const tries = this.#tries.get(key) ?? {
      failures: [],
      lookedAt: Number.NEGATIVE_INFINITY,
      addresses: new Map(),
      waiting: new Waiting(pacedWaitingMax, this.#deps.random),
      isServing: false,
    };
    const first = tries.failures.findIndex((time) => time > now - minuteMs);
    tries.failures.splice(0, first === -1 ? tries.failures.length : first);
    this.#tries.delete(key);
    this.#tries.set(key, tries);
    for (const oldest of this.#tries.keys()) {
      if (this.#tries.size <= triesMax) break;
      this.#tries.delete(oldest);
    }
    return tries;
  }

  #remember(id: string): void {
    this.#wrong.delete(id);
    this.#wrong.set(id, this.#deps.now() + minuteMs);
    for (const oldest of this.#wrong.keys()) {
      if (this.#wrong.size <= wrongMax) break;
      this.#wrong.delete(oldest);
    }
  }

  async #check(name: string, password: string, asking: Asking): Promise<Administrator | null> {
    const admin = this.#deps.admins.find((one) => one.name === name);
    const hash = admin?.hash ?? this.#nobody;
    const right = await this.#turns.take(asking, () => this.#deps.verify(password, hash));
    return right && admin !== undefined ? { name: admin.name, role: admin.role } : null;
  }
}
