/**
 * Sessions of the console. The browser stores a random text in a cookie, and the history stores its SHA-256, so a
 * session is known to all instances and survives a restart. A session that was closed on one instance is refused by the
 * others within `refreshMs`.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Admin } from '../config.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import type { Clock } from '../ports/clock.ts';
import type { Administrator } from './logins.ts';

const sessionMs = 12 * 3_600_000;
const refreshMs = 500;
const textPattern = /^[\w-]{43}$/;

export interface Session extends Administrator {
  /** RFC 3339. */
  expires_at: string;
}

export interface AdminSessionsDeps {
  commands: Pick<Commands, 'adminSessions'>;
  clock: Clock;
  admins: readonly Admin[];
  /** Identifies the configured single sign-on; null if there is none. */
  provider: string | null;
}

export class AdminSessions {
  readonly #deps: AdminSessionsDeps;

  constructor(deps: AdminSessionsDeps) {
    this.#deps = deps;
  }

  /**
   * Opens a session that lasts twelve hours. `text` is the text that the browser must send, which cannot be retrieved
   * later. `by` says how the administrator signed in. Fails like an append.
   */
  async open(
    { name, role }: Administrator,
    by: 'password' | 'provider',
    requestId: string,
  ): Promise<{ text: string; session: Session }> {
    const { commands, clock } = this.#deps;
    const text = randomBytes(32).toString('base64url');
    const now = clock.now();
    const expires_at = new Date(now.getTime() + sessionMs).toISOString();
    const credential = by === 'password' ? this.#ofPassword(name) : this.#deps.provider;
    const facts = { session: hash('sha256', text), name, role, expires_at, opened_at: now.toISOString() };
    await commands.adminSessions.execute(
      { type: 'Open', facts: { ...facts, credential: hash('sha256', credential ?? '') } },
      { actor: `admin:${name}`, correlation_id: requestId },
    );
    return { text, session: { name, role, expires_at } };
  }

  /**
   * The session for a cookie's text; null if it is unknown, closed or expired, or if the configuration no longer
   * contains the administrator's name, password and role, or the provider. While the history cannot be read, the known
   * sessions stay valid.
   */
  async find(text: string): Promise<Session | null> {
    if (!textPattern.test(text)) return null;
    const { commands, clock } = this.#deps;
    await commands.adminSessions.fresh(refreshMs).catch(() => {});
    const found = commands.adminSessions.state.open.get(hash('sha256', text));
    if (found === undefined || found.expires_at <= clock.now().toISOString()) return null;
    const { name, role, credential, expires_at } = found;
    const valid = [this.#ofPassword(name, role), this.#deps.provider];
    return valid.some((one) => one !== null && hash('sha256', one) === credential)
      ? { name, role, expires_at }
      : null;
  }

  /** Closes the session for a cookie's text. Unknown ones are ignored. */
  async close(text: string, requestId: string): Promise<void> {
    const session = await this.find(text);
    if (session === null) return;
    const { commands, clock } = this.#deps;
    await commands.adminSessions.execute(
      { type: 'Close', session: hash('sha256', text), closed_at: clock.now().toISOString() },
      { actor: `admin:${session.name}`, correlation_id: requestId },
    );
  }

  /** Identifies a configured name, role and password; null if there is no administrator with this name (and role). */
  #ofPassword(name: string, role?: Administrator['role']): string | null {
    const admin = this.#deps.admins.find((one) => one.name === name && (role ?? one.role) === one.role);
    return admin === undefined ? null : `password ${admin.name} ${admin.role} ${admin.hash}`;
  }
}
