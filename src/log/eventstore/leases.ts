/**
 * Leases shared by all instances, stored in EventStoreDB for deployments without Redis. There is one stream per lease,
 * outside the history. The server keeps only its last event, which names the holder. Each renewal is an append at the
 * previous revision, so only one of several instances can get a free lease. No clocks are compared: an instance
 * considers a lease expired if the revision has not changed for the lease's lifetime since the instance first saw it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '../../failures.ts';
import { type Leases, leaseMs, renewMs } from '../../ports/leases.ts';
import { type ConnectionOptions, EventStoreConnection } from './connection.ts';

export interface EventStoreLeasesOptions extends ConnectionOptions {
  namespace: string;
  /** A monotonic clock in ms. */
  now?: () => number;
}

/** The last observed state of a lease. */
interface Seen {
  /** -1 if it was never taken. */
  revision: number;
  /** Null if the lease is free. */
  holder: string | null;
  /** When this revision was first seen. */
  at: number;
}

/** A lease renewed more recently than this is not written again; its lifetime is longer than two calls. */
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

  /** Returns false if another instance was first. */
  async #write(name: string, after: number, holder: string | null): Promise<boolean> {
    const stream = this.#streamOf(name);
    // Counted from the start of the write, because other instances see it later.
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
        // Another instance was first.
        if (!(error instanceof Failure && error.code === 'conflict')) throw error;
      });
  }

  #keep(name: string, seen: Seen): Seen {
    this.#seen.set(name, seen);
    return seen;
  }

  /** There is no dot after the namespace, because the streams of the history begin with the namespace and a dot. */
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
