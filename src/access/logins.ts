/**
 * Who an administrator is: Basic credentials against the configured hashes.
 *
 * - Credentials that were right are remembered as a hash under a key of this process, for as long as it runs: the
 *   configured hashes do not change meanwhile. They are looked at before anything else, so that not every call costs a
 *   derivation, and whoever has logged in since the start is never kept out by what others try, however long they go on
 *   and from wherever. Those that were wrong are remembered for a minute: sent again and again they cost nothing and
 *   count once.
 * - Failures are counted by name and network. After `failuresMax` within a minute wrong credentials are refused with 429;
 *   they are still looked at, one each `pacedMs`, so that right ones are let in: of those waiting for that, the latest.
 * - Derivations are done one after the other, those of names and networks that have failed least first; those that have
 *   failed before take a third of a processor all together, since others are answered meanwhile.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from '../config.ts';
import { Failure } from '../failures.ts';
import { unmatchedHash, verifyPassword } from './admins.ts';
import { networkOf } from './networks.ts';
import { Turns } from './turns.ts';

export type Administrator = Pick<Admin, 'name' | 'role'>;

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
}

const minuteMs = 60_000;
const failuresMax = 10;
/** Beyond them one log-in of a name and network is looked at in this time. */
const pacedMs = 500;
/** A failure is answered later by this for each one before it within the minute, up to the pace. */
const slowedMs = 100;
/** A derivation takes 60 ms and 32 MiB: who waits behind so many is still served within a second. */
const waitingMax = 12;
/** After a derivation for a name and network that has failed before, such ones rest this many times as long as it took. */
const rests = 2;
const triesMax = 10_000;
const wrongMax = 10_000;

/** What is known of one name tried from one network. All names that are none count as one. */
interface Tries {
  /** Times of the failures within the last minute, and of log-ins under way. */
  failures: number[];
  lookedAt: number;
  /** Whoever waits for the pace leaves when this is called. */
  displace: (() => void) | null;
}

export class AdminLogins {
  readonly #deps: Required<AdminLoginsDeps>;
  readonly #secret = randomBytes(32);
  /** Keyed hashes of credentials that were right, by name. */
  readonly #known = new Map<string, { admin: Administrator; mac: Buffer }>();
  /** Keyed hashes (hex) of credentials that were wrong, and until when they need no look; the oldest first. */
  readonly #wrong = new Map<string, number>();
  /** Credentials being looked at: the same ones sent at once are looked at once. */
  readonly #checking = new Map<string, Promise<Administrator | null>>();
  /** By name and network; the most silent first. */
  readonly #tries = new Map<string, Tries>();
  readonly #turns: Turns;
  /** For names that are none: their check takes as long as any. */
  readonly #nobody = unmatchedHash();

  constructor(deps: AdminLoginsDeps) {
    this.#deps = { now: () => performance.now(), wait: (ms) => pause(ms), verify: verifyPassword, ...deps };
    const { now, wait } = this.#deps;
    // A log-in under way counts as a failure: the first of its name and network is not suspected.
    this.#turns = new Turns({ waitingMax, trustedUpTo: 1, rests, now, wait });
  }

  /**
   * The administrator of these credentials. Failure `unauthorized`: they are not right; `rate_limited`: they are not,
   * as many others of this name from this network, or it was not their turn; `unavailable`: too many log-ins at once.
   */
  async login(name: string, password: string, address: string): Promise<Administrator> {
    const mac = createHmac('sha256', this.#secret)
      .update(JSON.stringify([name, password]))
      .digest();
    const known = this.#known.get(name);
    if (known && timingSafeEqual(known.mac, mac)) return known.admin;
    const tries = this.#triesOf(name, networkOf(address), this.#deps.now());
    const limited = tries.failures.length >= failuresMax;
    try {
      const admin = await this.#look(name, password, mac.toString('hex'), tries, limited);
      if (admin !== null) {
        this.#known.set(name, { admin, mac });
        return admin;
      }
    } catch (error) {
      this.#deps.onFailure(this.#configured(name));
      throw error;
    }
    this.#deps.onFailure(this.#configured(name));
    if (limited) throw this.#tooMany(tries);
    await this.#deps.wait(Math.min(pacedMs, slowedMs * Math.max(0, tries.failures.length - 1)));
    throw new Failure('unauthorized', 'The name or the password is not right.');
  }

  /** null for wrong credentials. */
  async #look(
    name: string,
    password: string,
    id: string,
    tries: Tries,
    limited: boolean,
  ): Promise<Administrator | null> {
    if ((this.#wrong.get(id) ?? 0) > this.#deps.now()) return null;
    const under = this.#checking.get(id);
    if (under !== undefined) return under;
    if (limited) await this.#pace(tries);
    const now = this.#deps.now();
    tries.lookedAt = now;
    // Counted beforehand, so that many at once are not more than many one after the other.
    tries.failures.push(now);
    const forgive = () => {
      const at = tries.failures.indexOf(now);
      if (at !== -1) tries.failures.splice(at, 1);
    };
    const checking = this.#check(name, password, tries).finally(() => this.#checking.delete(id));
    this.#checking.set(id, checking);
    try {
      const admin = await checking;
      if (admin === null) this.#remember(id);
      else forgive();
      return admin;
    } catch (error) {
      forgive();
      throw error;
    }
  }

  /** Waits until the next log-in of the name and network may be looked at; whoever waited for that before leaves. */
  async #pace(tries: Tries): Promise<void> {
    tries.displace?.();
    const { promise, reject } = Promise.withResolvers<never>();
    const displace = () => reject(this.#tooMany(tries));
    tries.displace = displace;
    const waitMs = tries.lookedAt + pacedMs - this.#deps.now();
    if (waitMs > 0) await Promise.race([this.#deps.wait(waitMs), promise]);
    if (tries.displace === displace) tries.displace = null;
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
      displace: null,
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

  async #check(name: string, password: string, tries: Tries): Promise<Administrator | null> {
    const admin = this.#deps.admins.find((one) => one.name === name);
    const suspicion = () => tries.failures.length;
    const hash = admin?.hash ?? this.#nobody;
    const right = await this.#turns.take(suspicion, () => this.#deps.verify(password, hash));
    return right && admin !== undefined ? { name: admin.name, role: admin.role } : null;
  }
}
