/**
 * The API keys as known to each instance. They are folded from their stream, never taken from a read model, so that a
 * revoked key is refused immediately by the instance that revoked it and within `refreshMs` by all others.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../domain/api-keys.ts';
import type { ApiKeyFacts } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';

const keyPattern = /^dk_[\w-]{43}$/;
const prefixLength = 10;
const refreshMs = 500;

export type NewApiKey = Pick<
  ApiKeyFacts,
  'name' | 'owner_email' | 'corpus_ids' | 'rate_limit_rpm' | 'rate_limit_rph'
>;

export interface KeyRingDeps {
  commands: Pick<Commands, 'apiKeys'>;
  clock: Clock;
}

export class KeyRing {
  readonly #deps: KeyRingDeps;
  #timer: NodeJS.Timeout | undefined;
  #indexed: ReadonlyMap<number, ApiKey> | null = null;
  #byPrefix = new Map<string, { key: ApiKey; hash: Buffer }[]>();

  constructor(deps: KeyRingDeps) {
    this.#deps = deps;
  }

  /** Reads the keys, then reads new events twice a second until stopped. The timer does not keep the process alive. */
  async start(): Promise<void> {
    const { apiKeys } = this.#deps.commands;
    await apiKeys.load();
    // While the history cannot be read, it cannot record revocations either, so the known keys stay valid.
    this.#timer = setInterval(() => void apiKeys.load().catch(() => {}), refreshMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** All keys, including revoked ones, newest first. */
  list(): ApiKey[] {
    return [...this.#deps.commands.apiKeys.state.keys.values()].reverse();
  }

  /** The key that a caller sent; null if it is malformed, unknown or revoked. */
  find(text: string): ApiKey | null {
    if (!keyPattern.test(text)) return null;
    const hash = sha256(text);
    const candidates = this.#index().get(text.slice(0, prefixLength)) ?? [];
    return candidates.find((candidate) => timingSafeEqual(candidate.hash, hash))?.key ?? null;
  }

  /** Creates a key. `text` is the key itself, which cannot be retrieved later. */
  async create(
    wanted: NewApiKey,
    name: string,
    cause: Cause,
  ): Promise<{ key: ApiKey; text: string; position: Position | null }> {
    const text = `dk_${randomBytes(32).toString('base64url')}`;
    const hash = sha256(text).toString('hex');
    const facts = {
      ...wanted,
      prefix: text.slice(0, prefixLength),
      hash,
      created_at: this.#deps.clock.now().toISOString(),
      created_by: name,
    };
    const { state, position } = await this.#deps.commands.apiKeys.execute(
      { type: 'Create', key: facts },
      cause,
    );
    const key = [...state.keys.values()].find((one) => one.hash === hash);
    if (key === undefined) throw new Failure('internal', 'The key that was created is missing.');
    return { key, text, position };
  }

  /** Revokes a key. A key that is already revoked stays unchanged. May fail with `not_found`. */
  async revoke(
    key_id: number,
    name: string,
    cause: Cause,
  ): Promise<{ key: ApiKey; position: Position | null }> {
    const revoked_at = this.#deps.clock.now().toISOString();
    const { state, position } = await this.#deps.commands.apiKeys.execute(
      { type: 'Revoke', key_id, revoked_at, revoked_by: name },
      cause,
    );
    return { key: state.keys.get(key_id)!, position };
  }

  #index(): ReadonlyMap<string, { key: ApiKey; hash: Buffer }[]> {
    const { keys } = this.#deps.commands.apiKeys.state;
    if (keys !== this.#indexed) {
      this.#byPrefix = new Map();
      for (const key of keys.values()) {
        if (key.revoked_at !== null) continue;
        const entry = { key, hash: Buffer.from(key.hash, 'hex') };
        this.#byPrefix.set(key.prefix, [...(this.#byPrefix.get(key.prefix) ?? []), entry]);
      }
      this.#indexed = keys;
    }
    return this.#byPrefix;
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
