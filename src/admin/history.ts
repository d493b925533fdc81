/**
 * The history for auditors, with events as stored: by page in both directions, by stream, and live over a WebSocket.
 */
import { type Static, Type } from 'typebox';
import type { WebSocket } from 'ws';
import type { Acting } from '../access/logins.ts';
import { eventSchemas } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { actingIn, isForeign } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import { heartbeat, socketReplies, upgradeRequired } from '../http/sockets.ts';
import { type Position, pageBytesMax, type RecordedEvent, type StoredEvent } from '../ports/event-log.ts';
import { filter, orNull, record, sample, Time, timeRange } from '../schema.ts';
import type { AdministrationDeps, TimeRange } from './context.ts';
import { type AdminDoor, operation } from './door.ts';
import { timesOf } from './range.ts';

const PositionText = Type.String({
  pattern: '^\\d{16}$|^\\d{20}/\\d{20}$',
  description: 'A position in the history, as in events.',
});

const narrowed = {
  stream: filter('Only events in this stream.'),
  type: Type.Optional(Type.Enum(Object.keys(eventSchemas), { description: 'Only events of this type.' })),
  actor: filter('Only events by this actor: admin:<name>, key:<id>, public or system.'),
  correlation_id: filter('Only events for this request.'),
};

const eventLimit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 50,
    description: 'Maximum number of events. A page also ends after 4 MB.',
  }),
);

export const HistoryQuery = Type.Object({
  position: Type.Optional({
    ...PositionText,
    description: 'Start of the page: the `next` value of the previous page.',
  }),
  direction: Type.Optional(
    Type.Enum(['backwards', 'forwards'], {
      default: 'backwards',
      description: 'backwards: newest first; forwards: oldest first.',
    }),
  ),
  limit: eventLimit,
  ...narrowed,
  ...timeRange,
});

/** Follows the events after a position, with the same filters. */
export const FollowQuery = Type.Object({
  after: Type.Optional({
    ...PositionText,
    description: 'Events after this position. Default: only new events.',
  }),
  ...narrowed,
});
export type FollowQuery = Static<typeof FollowQuery>;

export const StreamQuery = Type.Object({
  from_revision: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2 ** 31, default: 0, description: 'The first revision to return.' }),
  ),
  limit: eventLimit,
});

export const HistoryEvent = record(
  'HistoryEvent',
  {
    position: Type.String({ description: 'Position in the history; opaque.' }),
    stream: Type.String(),
    revision: Type.Integer({ minimum: 0, description: 'Index in the stream, counted from 0.' }),
    id: Type.String(),
    type: Type.String(),
    version: orNull(Type.Integer({ description: 'Schema version of `data` when it was written.' })),
    time: orNull(Time),
    actor: orNull(Type.String()),
    correlation_id: orNull(Type.String({ description: 'The request to which the event belongs.' })),
    causation_id: orNull(Type.String({ description: 'The event that caused this one.' })),
    data: Type.Unknown({ description: 'The data as stored.' }),
  },
  {
    example: {
      position: sample.position,
      stream: 'api-keys',
      revision: 3,
      id: sample.entry_id,
      type: 'ApiKeyRevoked',
      version: 1,
      time: sample.now,
      actor: 'admin:olga',
      correlation_id: sample.request_id,
      causation_id: null,
      data: { key_id: 4, revoked_at: sample.now, revoked_by: sample.actor },
    },
  },
);
export type HistoryEvent = Static<typeof HistoryEvent>;

export const HistoryPage = record('HistoryPage', {
  items: Type.Array(HistoryEvent),
  next: orNull(
    Type.String({ description: 'The `position` from which to continue; null at the end of the history.' }),
  ),
  scanned: Type.Integer({
    minimum: 0,
    description: 'Number of events examined. A page ends after 20,000 even if it is not full.',
  }),
});
export type HistoryPage = Static<typeof HistoryPage>;

export const StreamPage = record('StreamPage', {
  items: Type.Array(HistoryEvent),
  next: orNull(
    Type.Integer({
      description: 'The `from_revision` from which to continue; null at the end of the stream.',
    }),
  ),
});
export type StreamPage = Static<typeof StreamPage>;

/** Filters for events. All given filters must match. */
export interface EventFilter extends TimeRange {
  stream?: string | undefined;
  type?: string | undefined;
  actor?: string | undefined;
  correlation_id?: string | undefined;
}

export interface HistoryRequest extends EventFilter {
  direction: 'backwards' | 'forwards';
  /** End of the previous page. If absent, the end or the start of the history. */
  position?: Position | undefined;
  limit: number;
}

/** Messages to a follower: events, and a single `caught_up` after the events that already existed. */
export type Followed =
  | { type: 'event'; event: HistoryEvent }
  | { type: 'caught_up'; position: Position | null };

/** Maximum number of events scanned per page. With rare filters, a page would otherwise read the whole history. */
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

/** Whether an event matches; its data is not checked. */
function passes(filter: EventFilter, event: Omit<HistoryEvent, 'data'>): boolean {
  const { from, before, ...equal } = filter;
  const same = Object.entries(equal).every(
    ([name, wanted]) => wanted === undefined || event[name as 'stream'] === wanted,
  );
  if (!same) return false;
  if (from === undefined && before === undefined) return true;
  return event.time !== null && (from ?? '') <= event.time && (before === undefined || event.time < before);
}

/** An event's metadata, without its data. */
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

/** Number of events read from a stream at a time; about 16 MB at the maximum event size. */
const streamPortion = 16;

/** Number of streams read concurrently. It is limited because a page needs many of them and other readers wait. */
const streamsAtOnce = 16;

/** The events with decrypted fields. An event that the current version cannot read is returned as stored. */
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

export function history({ log, audit }: Pick<AdministrationDeps, 'audit' | 'log'>) {
  const page = (direction: HistoryRequest['direction'], position: Position | null) =>
    direction === 'forwards' ? log.readStored(position, pageSize) : log.readStoredBefore(position, pageSize);

  return {
    /**
     * Events as stored, newest or oldest first. Sealed fields are decrypted, or blank if they were forgotten. A page ends
     * early if its events are large (`pageBytesMax`). Fails with `invalid` if the position belongs to another history.
     */
    async events(
      { direction, position, limit, ...filter }: HistoryRequest,
      acting: Acting,
    ): Promise<HistoryPage> {
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

    /** The events of a stream in their current version, in the same kind of pages. May fail with `not_found`. */
    async stream(
      name: string,
      { from_revision, limit }: { from_revision: number; limit: number },
      acting: Acting,
    ): Promise<StreamPage> {
      await audit.read(acting, 'history', { stream: name });
      const items: HistoryEvent[] = [];
      for (let bytes = 0; ; ) {
        // Read one more event than requested, to find out whether there is another page.
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

    /**
     * Yields every event after a position (by default from now on) exactly once, at the reader's pace, until the signal
     * aborts. `caught_up` is sent once. Fails with `invalid` if the position is after the end of the history.
     */
    async *followEvents(
      { after, ...filter }: FollowQuery,
      acting: Acting,
      signal: AbortSignal,
    ): AsyncGenerator<Followed> {
      await audit.read(acting, 'history', { ...filter, live: true });
      const head = await log.head();
      const start = after ?? head;
      // The subscription would wait for that position forever and skip every event before it.
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

const StreamName = Type.Object({
  stream: Type.String({ minLength: 1, maxLength: 300, examples: ['catalog'] }),
});

/** Maximum number of followers, each of which holds a subscription. */
const followersMax = 16;
const tryAgainLater = 1013;
const failed = 1011;

export function historyRoutes({ server, admin }: AdminDoor<ReturnType<typeof history>>): void {
  server.route({
    method: 'GET',
    url: '/admin/api/events',
    schema: {
      ...operation('admin_events', 'The events of the history'),
      querystring: HistoryQuery,
      response: { 200: reply('Events as stored.', HistoryPage) },
    },
    config: { errors: [] },
    handler: (request) => {
      const { from, to, direction = 'backwards', limit = 50, ...query } = request.query;
      return admin.events({ ...query, direction, limit, ...timesOf({ from, to }) }, actingIn(request));
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/streams/:stream',
    schema: {
      ...operation('admin_stream', 'The events of a stream'),
      params: StreamName,
      querystring: StreamQuery,
      response: { 200: reply('Events in order.', StreamPage) },
    },
    handler: (request) => {
      const { from_revision = 0, limit = 50 } = request.query;
      return admin.stream(request.params.stream, { from_revision, limit }, actingIn(request));
    },
  });
}

/** Must be registered after the WebSocket plugin. */
export function liveHistoryRoute(
  { server, admin }: AdminDoor<ReturnType<typeof history>>,
  pingMs: number,
): void {
  let followers = 0;
  server.route({
    method: 'GET',
    url: '/admin/api/events/live',
    schema: {
      ...operation('admin_events_live', 'Follow the history over a WebSocket'),
      description:
        'Messages are JSON: `{"type":"event","event":{…}}` for each event, as in /admin/api/events, and, once after ' +
        'the existing events, `{"type":"caught_up","position":"…"}`. They are sent at the speed of the reader. After ' +
        'an interruption, pass the position of the last event as `after`: no event is repeated or lost.',
      querystring: FollowQuery,
      response: socketReplies,
    },
    config: { errors: [403] },
    // Browsers open WebSockets to other origins without a preflight and send stored credentials with them.
    preHandler: async (request) => {
      if (isForeign(request)) throw new Failure('forbidden', 'This origin may not open a connection.');
    },
    handler: upgradeRequired,
    wsHandler: async (socket, request) => {
      if (followers === followersMax)
        return socket.close(tryAgainLater, 'Too many connections are following the history.');
      followers++;
      const gone = new AbortController();
      socket.on('close', () => {
        followers--;
        gone.abort();
      });
      socket.on('error', () => socket.terminate());
      answerPings(socket);
      const { alive } = heartbeat(socket, pingMs);
      try {
        for await (const message of admin.followEvents(
          request.query as FollowQuery,
          actingIn(request),
          gone.signal,
        )) {
          await sent(socket, JSON.stringify(message));
          alive();
        }
      } catch (error) {
        if (!gone.signal.aborted)
          socket.close(failed, error instanceof Failure ? error.detail.slice(0, 120) : 'An error.');
      }
    },
  });
}

/** Reads on once all pongs are sent, so that replies to a follower that does not read cannot accumulate. */
function answerPings(socket: WebSocket): void {
  let pending = 0;
  socket.on('ping', (data) => {
    if (pending++ === 0) socket.pause();
    socket.pong(data, false, () => {
      if (--pending === 0) socket.resume();
    });
  });
}

/** Resolves when the message has been handed to the network, so that slow readers get back-pressure. */
const sent = (socket: WebSocket, message: string): Promise<void> =>
  new Promise((resolve, reject) => socket.send(message, (error) => (error ? reject(error) : resolve())));
