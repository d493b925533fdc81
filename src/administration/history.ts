/** The history itself, for auditors: paged in both directions, by stream, and as it grows. */
import type { FollowQuery, HistoryEvent, HistoryPage, StreamPage } from '../api/history.ts';
import { Failure } from '../failures.ts';
import { type Position, pageBytesMax, type RecordedEvent, type StoredEvent } from '../ports/event-log.ts';
import type { Acting } from './acting.ts';
import type { AdministrationDeps, TimeRange } from './context.ts';

/** What events are narrowed by; all that is given must hold. */
export interface EventFilter extends TimeRange {
  stream?: string | undefined;
  type?: string | undefined;
  actor?: string | undefined;
  correlation_id?: string | undefined;
}

export interface HistoryRequest extends EventFilter {
  direction: 'backwards' | 'forwards';
  /** Where the page before ended; absent: from the end, or the start. */
  position?: Position | undefined;
  limit: number;
}

/** What is sent to who follows: events, and once that all there were have been sent. */
export type Followed =
  | { type: 'event'; event: HistoryEvent }
  | { type: 'caught_up'; position: Position | null };

export interface History {
  /**
   * Events as they are stored, newest or oldest first; what is sealed of them is opened, and blank where it was
   * forgotten. A page ends early when its events are large (`pageBytesMax`).
   * Failure `invalid` for a position of another history.
   */
  events(request: HistoryRequest, acting: Acting): Promise<HistoryPage>;
  /** The events of a stream, as today's version reads them, pages likewise. Failure `not_found`. */
  stream(name: string, page: { from_revision: number; limit: number }, acting: Acting): Promise<StreamPage>;
  /**
   * Every event after a position (from now on without one), none twice and none missing, until the signal aborts; as
   * fast as they are taken. `caught_up` comes once. Failure `invalid`: the position lies behind the history's end.
   */
  followEvents(query: FollowQuery, acting: Acting, signal: AbortSignal): AsyncGenerator<Followed>;
}

/** Events looked at for one page, at most: with rare filters one would read the whole history. */
const scannedMax = 20_000;
const pageSize = 500;

interface Metadata {
  version?: number;
  time?: string;
  actor?: string;
  $correlationId?: string;
  $causationId?: string;
}

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
};

/** Whether an event passes; its data is not looked at. */
function passes(filter: EventFilter, event: Omit<HistoryEvent, 'data'>): boolean {
  const { from, before, ...equal } = filter;
  const same = Object.entries(equal).every(
    ([name, wanted]) => wanted === undefined || event[name as 'stream'] === wanted,
  );
  if (!same) return false;
  if (from === undefined && before === undefined) return true;
  return event.time !== null && (from ?? '') <= event.time && (before === undefined || event.time < before);
}

/** What an event says of itself, without its data. */
function headOf({ position, stream, revision, id, type, metadata }: StoredEvent): Omit<HistoryEvent, 'data'> {
  const { version, time, actor, $correlationId, $causationId } = (parse(metadata) ?? {}) as Metadata;
  return {
    position,
    stream,
    revision,
    id,
    type,
    version: version ?? null,
    time: time ?? null,
    actor: actor ?? null,
    correlation_id: $correlationId ?? null,
    causation_id: $causationId ?? null,
  };
}

/** Events of a stream read at once: of the largest there can be, some 16 MB. */
const streamPortion = 16;

/** Streams read at once: one page asks for many, and other readers wait behind them. */
const streamsAtOnce = 16;

/** The events with what people said in them open; one that today's version cannot read stays as it is stored. */
async function opened(
  log: AdministrationDeps['log'],
  items: readonly HistoryEvent[],
): Promise<HistoryEvent[]> {
  const open = async (item: HistoryEvent): Promise<HistoryEvent> => {
    if (!JSON.stringify(item.data).includes('{"sealed":"')) return item;
    try {
      const [event] = await log.readStream(item.stream, item.revision, 1);
      return event?.id === item.id ? { ...item, data: event.data } : item;
    } catch (error) {
      if (error instanceof Failure && error.code === 'newer_format') return item;
      throw error;
    }
  };
  const done: HistoryEvent[] = [];
  for (let at = 0; at < items.length; at += streamsAtOnce)
    done.push(...(await Promise.all(items.slice(at, at + streamsAtOnce).map(open))));
  return done;
}

export function history({ log, audit }: Pick<AdministrationDeps, 'audit' | 'log'>): History {
  const page = (direction: HistoryRequest['direction'], position: Position | null) =>
    direction === 'forwards' ? log.readStored(position, pageSize) : log.readStoredBefore(position, pageSize);

  return {
    async events({ direction, position, limit, ...filter }, acting) {
      await audit.read(acting, 'history', { ...filter });
      const items: HistoryEvent[] = [];
      let [next, scanned, bytes] = [position ?? null, 0, 0];
      while (scanned < scannedMax) {
        const events = await page(direction, next);
        if (events.length === 0) return { items: await opened(log, items), next: null, scanned };
        for (const event of events) {
          next = event.position;
          scanned++;
          const head = headOf(event);
          if (!passes(filter, head)) continue;
          items.push({ ...head, data: parse(event.data) });
          bytes += event.data.length;
          if (items.length === limit || bytes >= pageBytesMax)
            return { items: await opened(log, items), next, scanned };
        }
      }
      return { items: await opened(log, items), next, scanned };
    },

    async stream(name, { from_revision, limit }, acting) {
      await audit.read(acting, 'history', { stream: name });
      const items: HistoryEvent[] = [];
      for (let bytes = 0; ; ) {
        // One more than wanted, to know whether there is one.
        const wanted = Math.min(streamPortion, limit - items.length + 1);
        const events = await log.readStream(name, from_revision + items.length, wanted);
        if (events.length === 0 && items.length === 0 && from_revision === 0)
          throw new Failure('not_found', `There is no stream ${name}.`);
        for (const event of events) {
          if (items.length === limit || bytes >= pageBytesMax)
            return { items, next: from_revision + items.length };
          items.push(event);
          bytes += Buffer.byteLength(JSON.stringify(event.data));
        }
        if (events.length < wanted) return { items, next: null };
      }
    },

    async *followEvents({ after, ...filter }, acting, signal) {
      await audit.read(acting, 'history', { ...filter, live: true });
      const head = await log.head();
      const start = after ?? head;
      // Such a place would be waited for for ever, and what comes before it left out.
      if (start !== null && start > (head ?? ''))
        throw new Failure('invalid', 'The history ends before that position.');
      let caughtUp = start === head;
      if (caughtUp) yield { type: 'caught_up', position: head };
      for await (const events of log.subscribe(start, signal)) {
        for (const event of events as RecordedEvent[]) {
          if (passes(filter, event)) yield { type: 'event', event };
          if (!caughtUp && (head === null || event.position >= head)) {
            caughtUp = true;
            yield { type: 'caught_up', position: event.position };
          }
        }
      }
    },
  };
}
