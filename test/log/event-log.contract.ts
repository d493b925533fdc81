/**
 * The contract for every EventLog. A test file calls `eventLogContract` with a name and a function that creates an
 * empty history. The history can be opened several times, as if by several processes.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventSchemas } from '../../src/domain/events.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import { upcast } from '../../src/domain/upcasting.ts';
import { EventCodec } from '../../src/log/encoding.ts';
import { PersonalCipher } from '../../src/log/personal-cipher.ts';
import {
  appendBytesMax,
  type EventLog,
  type NewEvent,
  pageBytesMax,
  type RecordedEvent,
  type StoredEvent,
} from '../../src/ports/event-log.ts';
import { eventOf, note, notes } from '../support/events.ts';
import { keysInMemory } from '../support/memory-keys.ts';

export interface History {
  /** Opens the history again with a separate connection, which is closed with the history if it is still open. */
  open(codec?: EventCodec): Promise<EventLog>;
  close(): Promise<void>;
}

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const ids = (events: readonly { id: string }[]) => events.map((e) => e.id);

/** The first `count` events of a subscription, in batches of any size. */
export async function take(
  log: EventLog,
  after: string | null,
  count: number,
  onBatch?: (events: RecordedEvent[]) => Promise<void> | void,
): Promise<RecordedEvent[]> {
  const stop = new AbortController();
  const taken: RecordedEvent[] = [];
  if (count === 0) return taken;
  for await (const batch of log.subscribe(after, stop.signal)) {
    taken.push(...batch);
    await onBatch?.(batch);
    if (taken.length >= count) stop.abort();
  }
  return taken;
}

/** Follows the log in the background; `until(n)` waits for n events. */
export function follow(from: EventLog) {
  const seen: RecordedEvent[] = [];
  const stop = new AbortController();
  let wake = () => {};
  const ended = (async () => {
    for await (const batch of from.subscribe(null, stop.signal)) {
      seen.push(...batch);
      wake();
    }
  })();
  return {
    seen,
    until: async (count: number) => {
      while (seen.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return ids(seen);
    },
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

/**
 * All events of a log after a position, in pages. A page that also contains foreign events may be shorter than its
 * limit.
 */
export async function everything(
  log: EventLog,
  pageSize = 100,
  after: string | null = null,
): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (;;) {
    const page = await log.readAll(all.at(-1)?.position ?? after, pageSize);
    if (page.length === 0) return all;
    expect(page.length).toBeLessThanOrEqual(pageSize);
    all.push(...page);
  }
}

export function eventLogContract(name: string, fresh: () => Promise<History>): void {
  describe(`EventLog: ${name}`, () => {
    let history: History;
    let log: EventLog;
    beforeEach(async () => {
      history = await fresh();
      log = await history.open();
    });
    afterEach(() => history.close());

    describe('append', () => {
      it('counts revisions from 0, expects -1 for a missing stream, and returns the last position', async () => {
        expect(await log.append('a', -1, notes(1))).toMatchObject({ revision: 0 });
        const { revision, position } = await log.append('a', 0, notes(3));
        expect(revision).toBe(3);
        expect((await log.readStream('a')).map((e) => e.revision)).toEqual([0, 1, 2, 3]);
        expect((await everything(log)).at(-1)?.position).toBe(position);
        expect(await log.head()).toBe(position);
      });

      it('stores every field of an event', async () => {
        const event = eventOf('AnswerRated', {
          request_id: 'r',
          subject: 's',
          rating: 'down',
          comment: 'Қазақ, русский, "quotes", \\, \u0000, \u2028, 🙂',
        });
        const written = { ...event, actor: 'admin:Ольга', causation_id: uuidv7() };
        const { position } = await log.append('ask-r', -1, [written]);
        expect(await log.readStream('ask-r')).toEqual([
          { ...written, stream: 'ask-r', revision: 0, position },
        ]);
      });

      it('rejects any other revision than the last one, and writes nothing', async () => {
        await expect(log.append('a', 0, notes(1))).rejects.toEqual(failure('conflict'));
        expect(await log.head()).toBe(null);
        await log.append('a', -1, notes(2));
        for (const expected of [5, 0, -1])
          await expect(log.append('a', expected, notes(2))).rejects.toEqual(failure('conflict'));
        expect(await everything(log)).toHaveLength(2);
      });

      it('lets exactly one of two concurrent appends succeed', async () => {
        const other = await history.open();
        for (let round = 0; round < 10; round++) {
          const stream = `race-${round}`;
          const outcomes = await Promise.allSettled([
            log.append(stream, -1, notes(2)),
            other.append(stream, -1, notes(2)),
            log.append(stream, -1, notes(2)),
          ]);
          const refused = outcomes.filter((o) => o.status === 'rejected');
          expect(refused.map((o) => o.reason)).toEqual([failure('conflict'), failure('conflict')]);
          expect(await log.readStream(stream)).toHaveLength(2);
        }
      });

      it('writes nothing for an empty list and returns the stream’s position', async () => {
        expect(await log.append('a', -1, [])).toEqual({ revision: -1, position: null });
        const written = await log.append('a', -1, notes(2));
        expect(await log.append('a', 1, [])).toEqual(written);
        expect(await everything(log)).toHaveLength(2);
      });

      it('treats the same ids at the same revision as a retry', async () => {
        const events = notes(3);
        const first = await log.append('a', -1, events);
        expect(await log.append('a', -1, events)).toEqual(first);
        const later = notes(2);
        const second = await log.append('a', 2, later);
        const other = await history.open();
        expect(await other.append('a', -1, events)).toEqual(first);
        expect(await other.append('a', 2, later)).toEqual(second);
        expect(await everything(log)).toHaveLength(5);
      });

      it('treats the first part of a batch as a retry, with its own revision and position', async () => {
        const events = notes(3);
        await log.append('a', -1, events);
        const { position } = (await log.readStream('a'))[1]!;
        expect(await log.append('a', -1, events.slice(0, 2))).toEqual({ revision: 1, position });
        // Other known ids are a conflict: at another revision, out of order or with new events.
        await expect(log.append('a', -1, events.slice(1))).rejects.toEqual(failure('conflict'));
        await expect(log.append('a', 0, events.slice(0, 1))).rejects.toEqual(failure('conflict'));
        await expect(log.append('a', -1, events.toReversed())).rejects.toEqual(failure('conflict'));
        await expect(log.append('a', -1, [...events, note()])).rejects.toEqual(failure('conflict'));
        await expect(log.append('a', -1, [events[0]!, note()])).rejects.toEqual(failure('conflict'));
        expect(await everything(log)).toHaveLength(3);
      });

      it('accepts an append up to the size limit, in one or many events, and nothing larger', async () => {
        const text = 'ж'.repeat((appendBytesMax - 512 - '{"corpus_id":""}'.length) / 2);
        await expect(log.append('a', -1, [note(`${text}.`)])).rejects.toEqual(failure('too_large'));
        await expect(log.append('a', -1, [note(text), note()])).rejects.toEqual(failure('too_large'));
        expect(await log.readAll(null, 10)).toEqual([]);
        await log.append('large', -1, [note(text)]);
        expect((await log.readStream('large'))[0]?.data).toEqual({ corpus_id: text });
        const each = '-'.repeat(appendBytesMax / 50 - 512 - '{"corpus_id":""}'.length);
        await log.append(
          'many',
          -1,
          Array.from({ length: 50 }, () => note(each)),
        );
        expect(await log.readStream('many')).toHaveLength(50);
      });
    });

    describe('readStream', () => {
      it('reads from a given revision, and nothing after the end or from an unknown stream', async () => {
        const events = notes(5);
        await log.append('a', -1, events);
        // A stream whose name shares a prefix.
        await log.append('ab', -1, notes(1));
        expect(await log.readStream('ab')).toHaveLength(1);
        expect(ids(await log.readStream('a', 3))).toEqual(ids(events.slice(3)));
        expect(await log.readStream('a', 5)).toEqual([]);
        expect(await log.readStream('a', 99)).toEqual([]);
        expect(await log.readStream('c')).toEqual([]);
      });

      it('reads long streams completely', async () => {
        const events = notes(1234);
        await log.append('a', -1, events.slice(0, 1000));
        await log.append('a', 999, events.slice(1000));
        expect(ids(await log.readStream('a'))).toEqual(ids(events));
        expect(ids(await log.readStream('a', 1200))).toEqual(ids(events.slice(1200)));
        expect(ids(await log.readStream('a', 3, 2))).toEqual(ids(events.slice(3, 5)));
        expect(ids(await log.readStream('a', 10, 1000))).toEqual(ids(events.slice(10, 1010)));
        expect(ids(await log.readStream('a', 1200, 500))).toEqual(ids(events.slice(1200)));
      });
    });

    describe('readAll, head and lastBefore', () => {
      it('find nothing in an empty log', async () => {
        expect(await log.readAll(null, 10)).toEqual([]);
        expect(await log.head()).toBe(null);
        expect(await log.lastBefore('2027-01-01T00:00:00.000Z')).toBe(null);
      });

      it('return positions that sort as strings and match those of readStream', async () => {
        for (const [i, stream] of ['a', 'b', 'c', 'a'].entries())
          await log.append(stream, i === 3 ? 2 : -1, notes(3));
        const all = await everything(log);
        const positions = all.map((e) => e.position);
        expect(positions).toEqual([...new Set(positions)].toSorted());
        expect(new Set(positions.map((p) => p.length)).size).toBe(1);
        expect(await log.readStream('a')).toEqual(all.filter((e) => e.stream === 'a'));
        expect(await log.head()).toBe(positions.at(-1));
      });

      it('return exactly the events after any position, in pages of any size', async () => {
        const streams = ['a', 'b', 'c', 'd'];
        const revisions = new Map<string, number>();
        const written: string[] = [];
        for (let i = 0; i < 12; i++) {
          const stream = streams[(i * 7) % 4]!;
          const events = notes(1 + ((i * 5) % 3));
          const { revision } = await log.append(stream, revisions.get(stream) ?? -1, events);
          revisions.set(stream, revision);
          written.push(...ids(events));
        }
        const all = await everything(log);
        expect(ids(all)).toEqual(written);
        await fc.assert(
          fc.asyncProperty(
            fc.nat({ max: all.length }),
            fc.integer({ min: 1, max: 30 }),
            async (n, pageSize) => {
              const after = n === 0 ? null : all[n - 1]!.position;
              expect(await everything(log, pageSize, after)).toEqual(all.slice(n));
            },
          ),
          { numRuns: 25 },
        );
      });

      it('find the last event before a time, despite clock differences and for any order of calls', async () => {
        const start = Date.UTC(2026, 0, 1);
        const minuteMs = 60_000;
        const iso = (ms: number) => new Date(ms).toISOString();
        const events = notes(1_500).map((event, n) => ({
          ...event,
          // One minute apart; every third has a timestamp from a clock that is four minutes slow.
          time: iso(start + n * minuteMs - (n % 3 === 0 ? 4 * minuteMs : 0)),
        }));
        for (let at = 0; at < events.length; at += 500)
          await log.append('a', at - 1, events.slice(at, at + 500));
        const all = await everything(log);
        const expected = (time: string) => all.findLast((event) => event.time < time)?.position ?? null;
        const other = await history.open();
        await fc.assert(
          fc.asyncProperty(fc.integer({ min: -10, max: 1_510 }), async (n) => {
            const time = iso(start + n * minuteMs);
            expect(await log.lastBefore(time)).toBe(expected(time));
          }),
          { numRuns: 40 },
        );
        expect(await other.lastBefore(iso(start))).toBe(expected(iso(start)));
        const later = { ...note(), time: iso(start + 2_000 * minuteMs) };
        const { position } = await other.append('b', -1, [later]);
        expect(await log.lastBefore(iso(start + 3_000 * minuteMs))).toBe(position);
        expect(await log.lastBefore(later.time)).toBe(all.at(-1)!.position);
      });

      it('report the distance between two positions, or that it is unknown without counting', async () => {
        await log.append('a', -1, notes(5));
        const [first, , third] = await everything(log);
        expect(log.distance(third!.position, third!.position)).toBe(0);
        expect([2, null]).toContain(log.distance(first!.position, third!.position));
        expect([1, null]).toContain(log.distance(null, first!.position));
      });

      it('see writes made through another connection, and lose nothing after a conflict', async () => {
        const other = await history.open();
        const { position } = await log.append('a', -1, notes(1));
        expect(await other.head()).toBe(position);
        await expect(log.append('a', -1, notes(1))).rejects.toEqual(failure('conflict'));
        const events = notes(2);
        const appended = await other.append('a', 0, events);
        expect(ids(await everything(log, 10, position))).toEqual(ids(events));
        expect(await log.head()).toBe(appended.position);
      });
    });

    describe('subscribe', () => {
      it('catches up, then follows new events', async () => {
        const before = notes(30);
        await log.append('a', -1, before);
        const after = notes(4);
        let appended = false;
        const taken = await take(log, null, 34, async () => {
          if (appended) return;
          appended = true;
          await log.append('b', -1, after.slice(0, 2));
          await log.append('b', 1, after.slice(2));
        });
        expect(ids(taken)).toEqual(ids([...before, ...after]));
      });

      it('waits for the first event of an empty log, even from another connection', async () => {
        const other = await history.open();
        const taking = take(log, null, 3);
        const events = notes(3);
        await other.append('a', -1, events.slice(0, 1));
        await other.append('a', 0, events.slice(1));
        expect(ids(await taking)).toEqual(ids(events));
      });

      it('begins after any position', async () => {
        const events = notes(8);
        await log.append('a', -1, events);
        const all = await everything(log);
        for (const [i, { position }] of all.entries()) {
          const last = note();
          const expected = ids(all.slice(i + 1));
          if (expected.length === 0) await log.append('b', -1, [last]);
          expect(ids(await take(log, position, expected.length || 1))).toEqual(
            expected.length > 0 ? expected : [last.id],
          );
        }
      });

      it('delivers the same events to several followers', async () => {
        const takings = [take(log, null, 20), take(log, null, 20), take(await history.open(), null, 20)];
        const events = notes(20);
        for (const [i, event] of events.entries()) await log.append('a', i - 1, [event]);
        for (const taken of await Promise.all(takings)) expect(ids(taken)).toEqual(ids(events));
      });

      it('ends when aborted: before the start, while waiting, or with undelivered events', async () => {
        await log.append('a', -1, notes(3));
        const head = await log.head();
        for await (const _ of log.subscribe(null, AbortSignal.abort())) expect.unreachable();
        const waiting = new AbortController();
        const next = log.subscribe(head, waiting.signal)[Symbol.asyncIterator]().next();
        waiting.abort();
        expect(await next).toEqual({ done: true, value: undefined });
        expect((await take(log, null, 1)).length).toBeGreaterThanOrEqual(1);
      });

      it('can be stopped early without side effects', async () => {
        await log.append('a', -1, notes(3));
        for await (const batch of log.subscribe(null, new AbortController().signal)) {
          expect(batch.length).toBeGreaterThan(0);
          break;
        }
        expect(await log.append('a', 2, notes(1))).toMatchObject({ revision: 3 });
      });
    });

    describe('versions', () => {
      const renamed = new EventCodec({
        upcast: (type, version, data) =>
          upcast(
            type,
            version,
            data,
            { CorpusActivated: [({ corpus_id, ...rest }) => ({ ...rest, corpus: corpus_id })] },
            { ...eventSchemas, CorpusActivated: { version: 2 } },
          ),
      });

      it('upcasts older events in every kind of read', async () => {
        const old = note('once corpus_id');
        await log.append('a', -1, [old]);
        const today = await history.open(renamed);
        const upcasted = { id: old.id, version: 2, data: { corpus: 'once corpus_id' } };
        expect(await today.readStream('a')).toMatchObject([upcasted]);
        expect(await everything(today)).toMatchObject([upcasted]);
        expect(await take(today, null, 1)).toMatchObject([upcasted]);
        expect(await log.readStream('a')).toMatchObject([
          { version: 1, data: { corpus_id: 'once corpus_id' } },
        ]);
      });

      it.each([
        ['a later version', { version: 2 }],
        ['an unknown type', { type: 'CorpusPainted' }],
      ])('rejects %s', async (_, of) => {
        await log.append('a', -1, [note(), { ...note(), ...of } as NewEvent]);
        await expect(log.readStream('a')).rejects.toEqual(failure('newer_format'));
        await expect(everything(log)).rejects.toEqual(failure('newer_format'));
        await expect(take(log, null, 2)).rejects.toEqual(failure('newer_format'));
        expect(await log.readAll(null, 1)).toHaveLength(1);
      });
    });

    describe('stored events', () => {
      const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
      const stored = async (of: EventLog) => {
        const all: StoredEvent[] = [];
        for (;;) {
          const page = await of.readStored(all.at(-1)?.position ?? null, 1000);
          if (page.length === 0) return all;
          all.push(...page);
        }
      };
      const texts = async (of: EventLog) =>
        (await stored(of)).map(({ data, metadata, ...event }) => ({
          ...event,
          data: text(data),
          metadata: text(metadata),
        }));

      it('have canonical JSON as data and metadata, regardless of the original order', async () => {
        const time = '2026-02-03T04:05:06.789Z';
        const event = {
          ...eventOf('AnswerRated', { subject: 's', request_id: 'r', rating: 'up', comment: 'Ә\u2028"' }),
          time,
          actor: 'admin:Ольга',
          correlation_id: 'c',
        };
        await log.append('a', -1, [event, { ...event, id: uuidv7(), causation_id: event.id }]);
        const head =
          '{"$correlationId":"c","actor":"admin:Ольга","time":"2026-02-03T04:05:06.789Z","version":1}';
        const caused = head.replace('{', `{"$causationId":"${event.id}",`);
        const data = '{"comment":"Ә\u2028\\"","rating":"up","request_id":"r","subject":"s"}';
        expect(await texts(log)).toMatchObject([
          { id: event.id, type: 'AnswerRated', stream: 'a', revision: 0, data, metadata: head },
          { type: 'AnswerRated', stream: 'a', revision: 1, data, metadata: caused },
        ]);
      });

      it('match the events of readAll, in pages of any size', async () => {
        for (const stream of ['a', 'b']) await log.append(stream, -1, notes(7));
        const place = ({ id, stream, revision, position }: Omit<RecordedEvent, 'data'>) =>
          [id, stream, revision, position].join();
        const all = (await everything(log)).map(place);
        for (const size of [1, 3, 100]) {
          const found: string[] = [];
          for (let after: string | null = null; ; ) {
            const page = await log.readStored(after, size);
            if (page.length === 0) break;
            found.push(...page.map((event) => place(event as never)));
            after = page.at(-1)!.position;
          }
          expect(found).toEqual(all);
        }
      });

      it('can also be read backwards from the end, in pages', async () => {
        await log.append('a', -1, notes(7));
        await log.append('b', -1, notes(5));
        const forwards = await stored(log);
        for (const size of [1, 5, 100]) {
          const backwards: string[] = [];
          let before: string | null = null;
          for (;;) {
            const page: StoredEvent[] = await log.readStoredBefore(before, size);
            if (page.length === 0) break;
            expect(page.length).toBeLessThanOrEqual(size);
            backwards.push(...page.map(({ id }) => id));
            before = page.at(-1)!.position;
          }
          expect(backwards.reverse()).toEqual(forwards.map(({ id }) => id));
        }
        const empty = await (await fresh()).open();
        expect(await empty.readStoredBefore(null, 5)).toEqual([]);
        await empty.close();
      });

      it('are read in smaller pages if they are large, without gaps, in both directions', async () => {
        const large = 'ә'.repeat(400_000);
        const written: string[] = [];
        for (let n = 0; n < 12; n++) {
          const event = note(large);
          await log.append('large', n - 1, [event]);
          written.push(event.id);
        }
        const pages = async (next: (place: string | null) => Promise<(StoredEvent | RecordedEvent)[]>) => {
          const found: string[] = [];
          for (let place: string | null = null; ; ) {
            const page = await next(place);
            if (page.length === 0) return found;
            const bytes = page.length * Buffer.byteLength(large);
            expect(bytes).toBeLessThan(pageBytesMax + appendBytesMax);
            found.push(...ids(page));
            place = page.at(-1)!.position;
          }
        };
        expect(await pages((after) => log.readAll(after, 500))).toEqual(written);
        expect(await pages((after) => log.readStored(after, 500))).toEqual(written);
        expect(await pages((before) => log.readStoredBefore(before, 500))).toEqual(written.toReversed());
        expect(ids(await log.readStream('large'))).toEqual(written);
        expect(ids(await log.readStream('large', 2, 8))).toEqual(written.slice(2, 10));
      });

      it.each(['', 'x', '12', '1/2', '-1'])(
        'cannot be read from %j, which is not a position',
        async (position) => {
          await expect(log.readStored(position, 5)).rejects.toEqual(failure('invalid'));
          await expect(log.readStoredBefore(position, 5)).rejects.toEqual(failure('invalid'));
        },
      );

      it('are copied byte for byte, including those this program cannot read', async () => {
        const odd = {
          id: uuidv7(),
          type: 'CorpusPainted',
          data: Buffer.from('{ "b":1.0, "a": 12345678901234567890, "a": "twice", "10":1, "9":2 }'),
          metadata: Buffer.from('{"version":7}'),
        };
        expect(await log.appendStored('a', -1, [odd])).toMatchObject({ revision: 0 });
        const [stored] = await log.readStored(null, 10);
        expect(stored).toMatchObject({ id: odd.id, type: odd.type, stream: 'a', revision: 0 });
        expect(text(stored!.data)).toBe(text(odd.data));
        expect(text(stored!.metadata)).toBe(text(odd.metadata));
        await expect(everything(log)).rejects.toEqual(failure('newer_format'));
        expect(await log.appendStored('a', -1, [odd])).toMatchObject({ revision: 0 });
        await expect(log.appendStored('a', -1, [{ ...odd, id: uuidv7() }])).rejects.toEqual(
          failure('conflict'),
        );
        const bytes = { ...odd, id: uuidv7(), data: Buffer.from([0x22, 0xff, 0x22]) };
        await expect(log.appendStored('b', -1, [bytes])).rejects.toEqual(failure('invalid'));
        const large = { ...odd, id: uuidv7(), data: Buffer.alloc(appendBytesMax, ' ') };
        await expect(log.appendStored('b', -1, [large])).rejects.toEqual(failure('too_large'));
        expect(await log.readStored(null, 10)).toHaveLength(1);
      });

      it('contain personal fields encrypted, and are read decrypted', async () => {
        const keys = keysInMemory();
        const sealing = await history.open(new EventCodec({ cipher: new PersonalCipher(keys) }));
        const rated = {
          request_id: 'r',
          subject: 's',
          rating: 'up',
          comment: 'Secret',
          answer_key: null,
        } as const;
        await sealing.append('a', -1, [eventOf('AnswerRated', rated)]);
        expect(JSON.stringify(await texts(log))).not.toContain('Secret');
        const isRead = async (data: object) => {
          expect(await sealing.readStream('a')).toMatchObject([{ data }]);
          expect(await everything(sealing)).toMatchObject([{ data }]);
          expect(await take(sealing, null, 1)).toMatchObject([{ data }]);
        };
        await isRead(rated);
        await expect(log.readStream('a')).rejects.toEqual(failure('unavailable'));
        const stored = await texts(log);
        await keys.destroy({ subject: 's' });
        await isRead({ ...rated, rating: '', comment: null, forgotten: true });
        expect(await texts(log)).toEqual(stored);
      });
    });

    describe('close', () => {
      it('completes earlier calls and rejects later ones', async () => {
        const events = notes(1);
        const other = await history.open();
        const pending = other.append('a', -1, events);
        await other.close();
        expect(await pending).toMatchObject({ revision: 0 });
        expect(ids(await log.readStream('a'))).toEqual(ids(events));
        await expect(other.append('a', 0, notes(1))).rejects.toEqual(failure('unavailable'));
        await expect(other.readAll(null, 1)).rejects.toEqual(failure('unavailable'));
        await expect(other.head()).rejects.toEqual(failure('unavailable'));
        await other.close();
      });
    });
  });
}
