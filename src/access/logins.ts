/**
 * Who an administrator is: Basic credentials against the configured hashes. A right password is remembered for a
 * minute as a keyed hash, so that not every call costs a derivation; wrong ones are slowed down, and after
 * `failuresMax` of an address within a minute the address has to wait until they are a minute old.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from '../config.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import { networkOf } from './access.ts';
import { hashPassword, verifyPassword } from './admins.ts';

export type Administrator = Pick<Admin, 'name' | 'role'>;

export interface AdminLoginsDeps {
  admins: readonly Admin[];
  clock: Clock;
  /** Told of each log-in that failed or was not even looked at; `name`: the one typed, where it is a configured one. */
  onFailure: (name: string | null) => void;
  /** Waits before a failure is answered; a test gives its own. */
  wait?: (ms: number) => Promise<unknown>;
}

const minuteMs = 60_000;
const failuresMax = 10;
/** A failure is answered later by this for each one before it within the minute. */
const slowedMs = 100;
/** Derivations take 60 ms and 32 MiB each, one after the other; more than this do not wait for their turn. */
const waitingMax = 32;
const addressesMax = 10_000;

export class AdminLogins {
  readonly #deps: Required<AdminLoginsDeps>;
  readonly #secret = randomBytes(32);
  /** Keyed hashes of credentials that were right, and until when that holds. */
  readonly #known = new Map<string, { admin: Administrator; mac: Buffer; until: number }>();
  /** Credentials being looked at: the same ones sent at once are looked at once. */
  readonly #checking = new Map<string, Promise<Administrator | null>>();
  /** Times of failures within the last minute, by network; the most silent first. */
  readonly #failures = new Map<string, number[]>();
  /** For names that are none: their check takes as long as any. */
  #nobody: Promise<string> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deps: AdminLoginsDeps) {
    this.#deps = { wait: (ms) => pause(ms), ...deps };
  }

  /**
   * The administrator of these credentials. Failure `unauthorized`: they are not right; `rate_limited`: too many from
   * this address were not; `unavailable`: too many log-ins at once.
   */
  async login(name: string, password: string, address: string): Promise<Administrator> {
    const now = this.#deps.clock.now().getTime();
    const network = networkOf(address);
    const failures = this.#failuresOf(network, now);
    if (failures.length >= failuresMax) {
      this.#failed(name);
      const retryAfterS = Math.ceil((failures[0]! + minuteMs - now) / 1000);
      throw new Failure('rate_limited', 'Too many failed log-ins from this address, try again later.', {
        retryAfterS,
      });
    }
    const mac = createHmac('sha256', this.#secret)
      .update(JSON.stringify([name, password]))
      .digest();
    const known = this.#known.get(name);
    if (known && known.until > now && timingSafeEqual(known.mac, mac)) return known.admin;
    const id = mac.toString('hex');
    let checking = this.#checking.get(id);
    if (checking === undefined) {
      // Counted beforehand, so that many at once are not more than many one after the other.
      failures.push(now);
      checking = this.#check(name, password).finally(() => this.#checking.delete(id));
      this.#checking.set(id, checking);
      const forgive = () => {
        const at = failures.indexOf(now);
        if (at !== -1) failures.splice(at, 1);
      };
      void checking.then((admin) => admin !== null && forgive(), forgive);
    }
    const admin = await checking;
    if (admin !== null) {
      this.#known.set(name, { admin, mac, until: now + minuteMs });
      return admin;
    }
    this.#failed(name);
    await this.#deps.wait(slowedMs * (failures.length - 1));
    throw new Failure('unauthorized', 'The name or the password is not right.');
  }

  #failed(name: string): void {
    this.#deps.onFailure(this.#deps.admins.some((admin) => admin.name === name) ? name : null);
  }

  /** The network's list of failures within the last minute, itself. */
  #failuresOf(network: string, now: number): number[] {
    const list = this.#failures.get(network) ?? [];
    const first = list.findIndex((time) => time > now - minuteMs);
    list.splice(0, first === -1 ? list.length : first);
    this.#failures.delete(network);
    this.#failures.set(network, list);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= addressesMax) break;
      this.#failures.delete(oldest);
    }
    return list;
  }

  async #check(name: string, password: string): Promise<Administrator | null> {
    if (this.#waiting >= waitingMax)
      throw new Failure('unavailable', 'Too many log-ins at once, try again shortly.', { retryAfterS: 2 });
    const admin = this.#deps.admins.find((one) => one.name === name);
    this.#waiting++;
    const verified = this.#turn.then(async () => {
      this.#nobody ??= hashPassword(randomBytes(16).toString('hex'));
      return verifyPassword(password, admin?.hash ?? (await this.#nobody));
    });
    this.#turn = verified.catch(() => {});
    try {
      return (await verified) && admin !== undefined ? { name: admin.name, role: admin.role } : null;
    } finally {
      this.#waiting--;
    }
  }
}
