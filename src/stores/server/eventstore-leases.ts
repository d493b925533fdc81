/**
 * Leases of all instances over an EventStoreDB, where no Redis keeps them: a stream for each, outside of the history,
 * of which the server keeps the last event alone. It names the holder; each renewal is an append at the revision before
 * it, so that of several that take a free lease one has it. No clock is compared: a holder is gone when an instance that
 * looks has seen the same revision for as long as a lease lives, counted from when it saw it first.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '../../failures.ts';
import { type Leases, leaseMs, renewMs } from '../../ports/leases.ts';
import { type ConnectionOptions, EventStoreConnection } from './eventstore-connection.ts';

export interface EventStoreLeasesOptions extends ConnectionOptions {
  namespace: string;
  /** Milliseconds since some moment; never goes back. */
  now?: () => number;
}

/** What was last seen of a lease. */
interface Seen {
  /** -1: it was never taken. */
  revision: number;
  /** null: nobody's. */
  holder: string | null;
  /** When this revision was first seen. */
  at: number;
}

/** What was renewed so lately is not written again: a lease lives through two calls. */
const freshMs = renewMs + 500;
const type = 'LeaseTaken';

export class EventStoreLeases implements Leases {
  readonly #connection: EventStoreConnection;
  readonly #namespace: string;
  readonly #now: () => number;
  readonly #holder = randomUUID();
  readonly #seen = new Map<string, Seen>();

  constructor({ namespace, now = () => performance.now(), ...options }: EventStoreLeasesOptions) {
    this.#connection = new EventStoreConnection(options);
    this.#namespace = namespace;
    this.#now = now;
  }

  async take(name: string): Promise<boolean> {
    const known = this.#seen.get(name);
    const isOurs = known?.holder === this.#holder;
    if (isOurs && this.#now() - known.at < freshMs) return true;
    const seen = isOurs ? known : await this.#look(name);
    if (!isOurs && this.#isAlive(seen)) return false;
    if (await this.#write(name, seen.revision, this.#holder)) return true;
    await this.#look(name);
    return false;
  }

  async isHeld(name: string): Promise<boolean> {
    return this.#isAlive(await this.#look(name));
  }

  async release(name: string): Promise<void> {
    const seen = this.#seen.get(name);
    if (seen?.holder === this.#holder) await this.#write(name, seen.revision, null).catch(() => {});
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #isAlive({ holder, at }: Seen): boolean {
    return holder !== null && this.#now() - at < leaseMs;
  }

  async #look(name: string): Promise<Seen> {
    const stream = this.#streamOf(name);
    const { messages } = await this.#connection.readStream({ stream, from: 'last', maxCount: 1 });
    const last = messages.at(0);
    const revision = last?.revision ?? -1;
    const before = this.#seen.get(name);
    if (before?.revision === revision) return before;
    const { holder = null } = last ? JSON.parse(Buffer.from(last.data).toString('utf8')) : {};
    return this.#keep(name, { revision, holder, at: this.#now() });
  }

  /** False where another was first. */
  async #write(name: string, after: number, holder: string | null): Promise<boolean> {
    const stream = this.#streamOf(name);
    // It lives from when the write began: others see it later.
    const at = this.#now();
    try {
      if (after === -1) await this.#keepOnlyLast(stream);
      const { revision } = await this.#connection.append(stream, after, [message(type, { holder })]);
      this.#keep(name, { revision, holder, at });
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === 'conflict') return false;
      throw error;
    }
  }

  async #keepOnlyLast(stream: string): Promise<void> {
    await this.#connection
      .append(`$$${stream}`, -1, [message('$metadata', { $maxCount: 1 })])
      .catch((error: unknown) => {
        // Another has done so.
        if (!(error instanceof Failure && error.code === 'conflict')) throw error;
      });
  }

  #keep(name: string, seen: Seen): Seen {
    this.#seen.set(name, seen);
    return seen;
  }

  /** No dot behind the namespace: the history is what begins with it and one. */
  #streamOf(name: string): string {
    return `${this.#namespace}:lease:${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  }
}

const message = (of: string, data: object) => ({
  id: randomUUID(),
  type: of,
  data: JSON.stringify(data),
  metadata: '{}',
});
