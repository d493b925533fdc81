/**
 * EventLog over EventStoreDB. Stream names have the form `<namespace>.<stream>`, where the namespace identifies the
 * deployment, so that several deployments can share a server and a subscription can filter. The codec encodes data and
 * metadata.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures.ts';
import type {
  Appended,
  EventLog,
  NewEvent,
  Position,
  RecordedEvent,
  StoredEvent,
} from '../../ports/event-log.ts';
import { type EncodedEvent, EventCodec, refuseTooLarge, textsOf } from '../encoding.ts';
import {
  backoffMs,
  type ConnectionOptions,
  type EventPage,
  EventStoreConnection,
  type Feed,
} from './connection.ts';
import { TimeMarks } from './time-marks.ts';
import type { AllRange, StoredMessage } from './wire.ts';

export interface EventStoreOptions extends ConnectionOptions {
  /** Prefix of every stream name, without the dot that follows it. */
  namespace: string;
  /**
   * After this long without messages, a subscription compares its position with the end of the log, in ms. Default:
   * 3000.
   */
  watchdogMs?: number;
  codec?: EventCodec;
}

const watchdogMsDefault = 3_000;
/** Number of messages per read. On a shared server, most may belong to other deployments. */
const pageMin = 100;
const pageMax = 500;
/** Number of messages to read first at the end of the log; usually at least one of them is from this deployment. */
const headPage = 4;

export class EventStoreLog implements EventLog {
  readonly #connection: EventStoreConnection;
  readonly #prefix: string;
  readonly #watchdogMs: number;
  readonly #codec: EventCodec;
  readonly #closing = new AbortController();
  /** There are no events of this deployment between `after` and `scanned`, so that range is not scanned again. */
  #gap: { after: Position | null; scanned: Position | null } = { after: null, scanned: null };

  readonly #times = new TimeMarks();

  constructor(options: EventStoreOptions) {
    this.#connection = new EventStoreConnection(options);
    this.#prefix = `${options.namespace}.`;
    this.#watchdogMs = options.watchdogMs ?? watchdogMsDefault;
    this.#codec = options.codec ?? new EventCodec();
  }

  /** Fails with `invalid` if the connection string is invalid. Connects on the first call, not here. */
  static open(options: EventStoreOptions): EventStoreLog {
    return new EventStoreLog(options);
  }

  append(stream: string, expectedRevision: number, events: readonly NewEvent[]): Promise<Appended> {
    return this.#codec.handOn(events, (encoded) => this.#append(stream, expectedRevision, encoded));
  }

  async appendStored(
    stream: string,
    expectedRevision: number,
    events: readonly Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>[],
  ): Promise<Appended> {
    return this.#append(stream, expectedRevision, events.map(textsOf));
  }

  async #append(stream: string, expectedRevision: number, events: EncodedEvent[]): Promise<Appended> {
    refuseTooLarge(stream, events);
    const name = this.#prefix + stream;
    if (events.length > 0) return this.#connection.append(name, expectedRevision, events);
    const { messages } = await this.#connection.readStream({ stream: name, from: 'last', maxCount: 1 });
    const last = messages.at(0);
    return { revision: last?.revision ?? -1, position: last?.position ?? null };
  }

  async readStream(stream: string, fromRevision = 0, limit = Infinity): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let from = fromRevision; ; ) {
      const { messages, more }: EventPage = await this.#connection.readStream({
        stream: this.#prefix + stream,
        from,
        maxCount: Math.min(pageMax, limit - events.length),
      });
      // Docent never truncates a stream ($maxCount, $maxAge, $tb); state built from the remaining events would be
      // wrong.
      if (messages.length > 0 && messages[0]!.revision !== from)
        throw new Failure('internal', `The server has deleted events of stream ${stream} from ${from} on.`);
      events.push(...(await this.#toEvents(messages)));
      if (!more || events.length === limit) return events;
      from += messages.length;
    }
  }

  async readAll(after: Position | null, limit: number): Promise<RecordedEvent[]> {
    return this.#toEvents(await this.#next(after, limit));
  }

  async readStored(after: Position | null, limit: number): Promise<StoredEvent[]> {
    const messages = await this.#next(after, limit);
    return messages.map((message) => ({ ...message, stream: this.#streamOf(message) }));
  }

  async readStoredBefore(before: Position | null, limit: number): Promise<StoredEvent[]> {
    const { messages } = await this.#ownPage({
      from: before ?? 'end',
      backwards: true,
      maxCount: Math.min(limit, pageMax),
    });
    return messages.map((message) => ({ ...message, stream: this.#streamOf(message) }));
  }

  /** This deployment's next messages after a position, at most `limit`. */
  async #next(after: Position | null, limit: number): Promise<StoredMessage[]> {
    const known = after === this.#gap.after ? this.#gap.scanned : null;
    // The message at `from` is returned again.
    const maxCount = Math.min(Math.max(limit + 1, pageMin), pageMax);
    const messages: StoredMessage[] = [];
    let [from, scanned] = [known ?? after, known];
    const take = (page: EventPage) => {
      for (const message of page.messages) {
        if (messages.length === limit) break;
        if (from !== null && message.position <= from) continue;
        from = message.position;
        if (this.#isOwn(message)) messages.push(message);
      }
      return page.more || messages.length === limit;
    };
    // A recently scanned range is followed by few events; foreign events become numerous only over a long time.
    let more = known === null || take(await this.#connection.readAll({ from: known, maxCount }));
    if (more && messages.length === 0) {
      scanned = await this.#end();
      more = take(await this.#ownPage({ from: from ?? 'start', maxCount }));
    }
    if (!more) {
      if (from !== null && (scanned === null || from > scanned)) scanned = from;
      this.#gap = { after: messages.at(-1)?.position ?? after, scanned };
    }
    return messages;
  }

  /**
   * A page of this deployment's events. If the server cannot filter in time, foreign events are also read and are
   * skipped here.
   */
  async #ownPage(range: AllRange): Promise<EventPage> {
    let finding: Partial<AllRange> = { prefix: this.#prefix };
    for (let { from } = range; ; ) {
      let page: EventPage;
      try {
        page = await this.#connection.readAll({ ...range, from, ...finding });
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'unavailable') || finding.prefix === undefined)
          throw error;
        finding = { maxCount: pageMax };
        continue;
      }
      const own = page.messages.filter((message) => message.position !== from && this.#isOwn(message));
      if (own.length > 0 || !page.more)
        return { messages: own.slice(0, range.maxCount), more: page.more || own.length > range.maxCount };
      from = page.messages.at(-1)!.position;
    }
  }

  /**
   * Whether the message was written by this deployment, rather than by another one or by the server, which writes
   * `$streamDeleted` at the end of a deleted stream.
   */
  #isOwn({ stream, type }: StoredMessage): boolean {
    return stream.startsWith(this.#prefix) && !type.startsWith('$');
  }

  /** The last position in the server's log, including events of other deployments. */
  async #end(): Promise<Position | null> {
    const { messages } = await this.#connection.readAll({ from: 'end', backwards: true, maxCount: 1 });
    return messages[0]?.position ?? null;
  }

  async head(): Promise<Position | null> {
    let known = this.#gap;
    let before: Position | null = null;
    let end: Position | null = null;
    for (let maxCount = headPage; ; maxCount = pageMin) {
      const range: Omit<AllRange, 'maxCount'> = { from: before ?? 'end', backwards: true };
      // The distance to this deployment's last event is unknown, so the server searches for it.
      const isFar: boolean = before !== null && known.scanned === null;
      const { messages, more }: EventPage = isFar
        ? await this.#ownPage({ ...range, maxCount: 1 })
        : await this.#connection.readAll({ ...range, maxCount });
      for (const message of messages) {
        const { position } = message;
        // A log that ends before a previously seen position is a different log, so discard the known gap.
        if (end === null && position < (known.scanned ?? '')) known = { after: null, scanned: null };
        end ??= position;
        const ours = this.#isOwn(message);
        if (!ours && (known.scanned === null || position > known.scanned)) continue;
        const after = ours ? position : known.after;
        this.#gap = { after, scanned: end };
        return after;
      }
      if (!more) {
        this.#gap = { after: null, scanned: end };
        return null;
      }
      before = messages.at(-1)!.position;
    }
  }

  /**
   * Reads backwards from the end, or from the nearest later position already visited, because EventStoreDB has no index
   * by time. In each process, the first call reads everything since that time, and later calls read one page.
   */
  lastBefore(time: string): Promise<Position | null> {
    return this.#times.lastBefore(this, time);
  }

  distance(after: Position | null, until: Position): number | null {
    return after === until ? 0 : null;
  }

  /**
   * Follows a subscription and opens a new one whenever it ends, fails or stops delivering. The new one resumes from
   * the last delivered event, so events are neither lost nor repeated. Rejects only for errors that a retry would not
   * fix.
   */
  async *subscribe(after: Position | null, signal: AbortSignal): AsyncGenerator<RecordedEvent[]> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    let position = after;
    for (let attempt = 0; !stop.aborted; attempt++) {
      const feed = this.#connection.subscribe(this.#prefix, position);
      try {
        for await (const messages of this.#follow(feed, position, stop)) {
          const fresh = messages.filter(
            (m) => (position === null || m.position > position) && this.#isOwn(m),
          );
          if (fresh.length === 0) continue;
          const events = await this.#toEvents(fresh);
          attempt = 0;
          position = fresh.at(-1)!.position;
          yield events;
        }
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'unavailable')) throw error;
      } finally {
        feed.close();
      }
      if (!stop.aborted) await delay(backoffMs(attempt), undefined, { signal: stop }).catch(() => {});
    }
  }

  /**
   * Follows a subscription until it ends. Some servers leave it open without delivering anything when they shut down.
   * After a period of silence, the end of the log is looked up. If the events up to that point have not arrived after
   * another such period, the subscription is dead.
   */
  async *#follow(feed: Feed, after: Position | null, stop: AbortSignal): AsyncGenerator<StoredMessage[]> {
    let seen = after;
    let owed: Position | null = null;
    while (!stop.aborted) {
      const messages = await feed.next(this.#watchdogMs, stop);
      if (stop.aborted) return;
      if (messages.length > 0) {
        seen = messages.at(-1)!.position;
        yield messages;
      } else {
        if (owed !== null && (seen === null || seen < owed)) {
          throw new Failure('unavailable', 'The subscription stopped responding.');
        }
        owed = await this.head();
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#codec.settled();
    await this.#connection.close();
  }

  #streamOf({ stream }: StoredMessage): string {
    return stream.slice(this.#prefix.length);
  }

  #toEvents(messages: readonly StoredMessage[]): Promise<RecordedEvent[]> {
    return this.#codec.decode(
      messages.map((message) => ({
        ...textsOf(message),
        stream: this.#streamOf(message),
        revision: message.revision,
        position: message.position,
      })),
    );
  }
}
