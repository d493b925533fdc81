/**
 * Documents the behaviour of EventStoreDB 23.10.6 with this client on which the adapter or its tests rely. Each case
 * runs against the double and against a real server, so that the double stays accurate.
 */
import { randomUUID } from 'node:crypto';
import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { type OwnServer, startEventStore } from '../support/own-server.ts';
import { withEventStore, withOwnEventStore } from '../support/servers.ts';

async function resolved<T>(reading: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of reading) all.push(each);
  return all;
}

const event = (data: Record<string, unknown> = {}) => jsonEvent({ id: randomUUID(), type: 'T', data });
const events = (count: number) => Array.from({ length: count }, (_, n) => event({ n }));

async function thrown(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  return expect.unreachable();
}

/** Per-call credentials make the client send the append as a separate call. */
const ownCall = { credentials: { username: 'nobody', password: 'nothing' } };

function facts(name: string, urlOf: () => string): void {
  describe(`EventStoreDB facts: ${name}`, () => {
    let client: EventStoreDBClient;
    let stream: string;
    const calls = [
      ['its own call', ownCall],
      ['the batch call', {}],
    ] as const;

    beforeEach(() => {
      client = EventStoreDBClient.connectionString(urlOf());
      stream = `facts-${randomUUID()}`;
    });
    afterEach(() => client.dispose());

    /** The result of a read, including the error if there is one. */
    async function read(
      reading: ReturnType<EventStoreDBClient['readStream']> | ReturnType<EventStoreDBClient['readAll']>,
    ) {
      const { promise, resolve, reject } =
        Promise.withResolvers<{ id: string; revision: bigint; streamId: string }[]>();
      const seen: { id: string; revision: bigint; streamId: string }[] = [];
      reading.on('data', (resolved: { event?: { id: string; revision: bigint; streamId: string } }) => {
        if (resolved.event) seen.push(resolved.event);
      });
      reading.on('error', reject);
      reading.on('end', () => resolve(seen));
      return promise;
    }
    const revisions = async (reading: ReturnType<EventStoreDBClient['readStream']>) =>
      (await read(reading)).map((e) => Number(e.revision));

    describe.each(calls)('appending in %s', (_, call) => {
      it('counts from 0 and returns the position of the last event', async () => {
        const appended = await client.appendToStream(stream, events(3), {
          expectedRevision: NO_STREAM,
          ...call,
        });
        expect(appended).toMatchObject({ success: true, nextExpectedRevision: 2n });
        const [last] = await resolved(
          client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }),
        );
        expect(last?.event?.position).toEqual(appended.position);
        expect(appended.position?.commit).toBe(appended.position?.prepare);
      });

      it('reports a wrong revision with an error that has no message and no code', async () => {
        await client.appendToStream(stream, events(3), { expectedRevision: NO_STREAM, ...call });
        const error = await thrown(
          client.appendToStream(stream, events(1), { expectedRevision: 0n, ...call }),
        );
        expect(error).toBeInstanceOf(WrongExpectedVersionError);
        expect(error).toMatchObject({
          streamName: stream,
          expectedVersion: 0n,
          actualVersion: 2n,
          message: '',
          code: undefined,
        });
        const missing = await thrown(
          client.appendToStream(`${stream}-`, events(1), { expectedRevision: 0n, ...call }),
        );
        expect(missing).toMatchObject({ actualVersion: 'no_stream' });
      });

      it('treats the same ids at the same revision as one append, even later or in part', async () => {
        const batch = events(3);
        const first = await client.appendToStream(stream, batch, { expectedRevision: NO_STREAM, ...call });
        await client.appendToStream(stream, events(1), { expectedRevision: 2n, ...call });
        expect(await client.appendToStream(stream, batch, { expectedRevision: NO_STREAM, ...call })).toEqual(
          first,
        );
        const part = await client.appendToStream(stream, batch.slice(0, 2), {
          expectedRevision: NO_STREAM,
          ...call,
        });
        expect(part.nextExpectedRevision).toBe(1n);
        expect(part.position!.commit).toBeLessThan(first.position!.commit);
      });

      it('writes a known id again at the next revision, and rejects it together with a new event', async () => {
        const [one] = events(1);
        await client.appendToStream(stream, [one!], { expectedRevision: NO_STREAM, ...call });
        await client.appendToStream(stream, [one!], { expectedRevision: 0n, ...call });
        expect((await read(client.readStream(stream))).map((e) => e.id)).toEqual([one!.id, one!.id]);
        const error = await thrown(
          client.appendToStream(stream, [one!, event()], { expectedRevision: NO_STREAM, ...call }),
        );
        expect(error).toBeInstanceOf(WrongExpectedVersionError);
      });

      it('accepts one mebibyte in one call, but not a byte more', async () => {
        const filled = (bytes: number) => [
          event({ x: 'x'.repeat(bytes / 2 - 8) }),
          event({ x: 'x'.repeat(bytes / 2 - 8) }),
        ];
        await client.appendToStream(stream, filled(1_040_000), { expectedRevision: NO_STREAM, ...call });
        const error = await thrown(
          client.appendToStream(`${stream}-`, filled(1_048_600), { expectedRevision: NO_STREAM, ...call }),
        );
        expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
        expect(await thrown(read(client.readStream(`${stream}-`)))).toBeInstanceOf(StreamNotFoundError);
      });
    });

    it('rejects 17 mebibytes with code 8', async () => {
      for (const [, call] of calls) {
        const append = client.appendToStream(stream, [event({ x: 'x'.repeat(17 * 1_048_576) })], {
          expectedRevision: NO_STREAM,
          ...call,
        });
        expect(await thrown(append)).toMatchObject({ code: 8 });
      }
    });

    describe('reading', () => {
      it('distinguishes a missing stream from one that ends earlier', async () => {
        const error = await thrown(read(client.readStream(stream)));
        expect(error).toBeInstanceOf(StreamNotFoundError);
        expect(error).toMatchObject({ streamName: expect.anything() });
        await client.appendToStream(stream, events(2), { expectedRevision: NO_STREAM });
        expect(await revisions(client.readStream(stream, { fromRevision: 2n }))).toEqual([]);
      });

      it('goes backwards from the end or from a revision, and never forwards from the end', async () => {
        await client.appendToStream(stream, events(3), { expectedRevision: NO_STREAM });
        const direction = BACKWARDS;
        expect(
          await revisions(client.readStream(stream, { direction, fromRevision: END, maxCount: 2 })),
        ).toEqual([2, 1]);
        expect(await revisions(client.readStream(stream, { direction, fromRevision: 1n }))).toEqual([1, 0]);
        const error = await thrown(read(client.readStream(stream, { fromRevision: END })));
        expect(error).toBeInstanceOf(UnknownError);
        expect(error).toMatchObject({ code: 2 });
      });

      it('all streams includes the given position forwards, and excludes it backwards', async () => {
        await client.appendToStream(stream, events(3), { expectedRevision: NO_STREAM });
        const [, second] = await resolved(client.readStream(stream));
        const fromPosition = second!.event!.position!;
        const [forwards] = await read(client.readAll({ fromPosition, maxCount: 1 }));
        expect(forwards).toMatchObject({ streamId: stream, revision: 1n });
        const [backwards] = await read(client.readAll({ fromPosition, maxCount: 1, direction: BACKWARDS }));
        expect(backwards).toMatchObject({ streamId: stream, revision: 0n });
      });

      it('all streams includes foreign events', async () => {
        await client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM });
        const all = await read(client.readAll({ maxCount: 1000 }));
        expect(all.some((e) => e.streamId.startsWith('$'))).toBe(true);
      });
    });

    describe('subscribing', () => {
      type Subscription =
        | ReturnType<EventStoreDBClient['subscribeToAll']>
        | ReturnType<EventStoreDBClient['subscribeToStream']>;

      /** The revisions of the first events; appends more once the subscription has caught up. */
      async function first(subscription: Subscription, count: number, onCaughtUp: () => Promise<unknown>) {
        const { promise, resolve, reject } = Promise.withResolvers<number[]>();
        const seen: number[] = [];
        let caughtUp = 0;
        subscription.on('data', ({ event: e }: { event?: { revision: bigint } }) => {
          if (seen.push(Number(e!.revision)) === count) resolve(seen);
        });
        subscription.on('caughtUp', () => {
          if (++caughtUp === 1) onCaughtUp().catch(reject);
        });
        subscription.on('error', reject);
        const revisionsSeen = await promise;
        await subscription.unsubscribe();
        return { revisions: revisionsSeen, caughtUp };
      }

      it('begins after the given revision, and reports once that it has caught up', async () => {
        await client.appendToStream(stream, events(7), { expectedRevision: NO_STREAM });
        const more = () => client.appendToStream(stream, events(2), { expectedRevision: 6n });
        const seen = await first(client.subscribeToStream(stream, { fromRevision: 4n }), 4, more);
        expect(seen).toEqual({ revisions: [5, 6, 7, 8], caughtUp: 1 });
      });

      it('waits for a stream that does not exist yet', async () => {
        const subscription = client.subscribeToStream(stream, { fromRevision: START });
        subscription.once('confirmation', () => {
          void client.appendToStream(stream, events(2), { expectedRevision: NO_STREAM });
        });
        expect((await first(subscription, 2, async () => {})).revisions).toEqual([0, 1]);
      });

      it('to all streams begins after the position, limited to streams with the prefix', async () => {
        await client.appendToStream(stream, events(3), { expectedRevision: NO_STREAM });
        const [one] = await resolved(client.readStream(stream));
        const more = async () => {
          await client.appendToStream(`other-${stream}`, events(2), { expectedRevision: NO_STREAM });
          await client.appendToStream(stream, events(1), { expectedRevision: 2n });
        };
        const filter = streamNameFilter({ prefixes: [stream] });
        const subscription = client.subscribeToAll({ fromPosition: one!.event!.position!, filter });
        expect((await first(subscription, 3, more)).revisions).toEqual([1, 2, 3]);
      });
    });

    describe('checkpoints', () => {
      it('arrive after a fixed number of scanned events', async () => {
        await client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM });
        const [one] = await resolved(client.readStream(stream));
        await client.appendToStream(`other-${stream}`, events(100), { expectedRevision: NO_STREAM });
        await client.appendToStream(stream, events(1), { expectedRevision: 0n });
        let checkpoints = 0;
        const filter = streamNameFilter({
          prefixes: [stream],
          maxSearchWindow: 10,
          checkpointInterval: 2,
          checkpointReached: () => {
            checkpoints++;
          },
        });
        const subscription = client.subscribeToAll({ fromPosition: one!.event!.position!, filter });
        const { promise, resolve } = Promise.withResolvers<number>();
        subscription.once('data', () => resolve(checkpoints));
        expect(await promise).toBe(5);
        await subscription.unsubscribe();
      });
    });

    describe('deleting a stream', () => {
      it('permanently notifies a live subscription, then ends it with an error', async () => {
        await client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM });
        const subscription = client.subscribeToStream(stream);
        const seen: string[] = [];
        const failed = new Promise<Error>((resolve) => subscription.on('error', resolve));
        subscription.on('data', ({ event: e }: { event?: { type: string } }) => {
          if (seen.push(e!.type) === 1) void client.tombstoneStream(stream, { expectedRevision: 0n });
        });
        expect(await failed).toBeInstanceOf(StreamDeletedError);
        expect(seen).toEqual(['T', '$streamDeleted']);
      });

      it('softly hides it until it is written again, at the next revision', async () => {
        await client.appendToStream(stream, events(3), { expectedRevision: NO_STREAM });
        await client.deleteStream(stream, { expectedRevision: 2n });
        expect(await thrown(read(client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
        expect(
          await thrown(client.appendToStream(stream, events(1), { expectedRevision: STREAM_EXISTS })),
        ).toBeInstanceOf(StreamDeletedError);
        const again = await client.appendToStream(stream, events(1), { expectedRevision: ANY });
        expect(again.nextExpectedRevision).toBe(3n);
        expect(await revisions(client.readStream(stream))).toEqual([3]);
      });

      it('permanently makes every later call fail', async () => {
        await client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM });
        await client.tombstoneStream(stream, { expectedRevision: 0n });
        expect(await thrown(read(client.readStream(stream)))).toBeInstanceOf(StreamDeletedError);
        for (const [, call] of calls) {
          const append = client.appendToStream(stream, events(1), { expectedRevision: 0n, ...call });
          expect(await thrown(append)).toBeInstanceOf(StreamDeletedError);
        }
      });
    });

    describe('metadata', () => {
      it('hides events from readers of the stream but not of all streams, and replaces earlier metadata', async () => {
        await client.appendToStream(stream, events(5), { expectedRevision: NO_STREAM });
        await client.setStreamMetadata(stream, { maxCount: 2 });
        expect(await revisions(client.readStream(stream))).toEqual([3, 4]);
        await client.setStreamMetadata(stream, { truncateBefore: 1 });
        expect(await revisions(client.readStream(stream))).toEqual([1, 2, 3, 4]);
        await client.setStreamMetadata(stream, { truncateBefore: 5 });
        expect(await revisions(client.readStream(stream))).toEqual([]);
        const last = await read(client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 20 }));
        expect(last.filter((e) => e.streamId === stream)).toHaveLength(5);
      });
    });
  });
}

/** A server that can be stopped and restarted with its data. */
interface Outage {
  url: string;
  away(): Promise<void>;
  back(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

function outages(name: string, server: () => Outage): void {
  describe(`EventStoreDB outages: ${name}`, () => {
    let client: EventStoreDBClient;
    let stream: string;
    beforeEach(async () => {
      client = EventStoreDBClient.connectionString(server().url);
      stream = `facts-${randomUUID()}`;
      await client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM, ...ownCall });
    });
    afterEach(() => client.dispose());

    it('end a subscription with only an error; a new one on the same client works', async () => {
      const said: string[] = [];
      const subscription = client.subscribeToStream(stream);
      const failed = new Promise<Error>((resolve) => subscription.on('error', resolve));
      for (const word of ['end', 'close'] as const) subscription.on(word, () => said.push(word));
      await new Promise<void>((resolve) => subscription.once('data', () => resolve()));
      await server().away();
      expect(await failed).toMatchObject({ code: 14 });
      await server().back();
      const again = client.subscribeToStream(stream);
      again.on('error', () => {});
      await new Promise<void>((resolve) => again.once('data', () => resolve()));
      await again.unsubscribe();
      expect(said).toEqual([]);
    });

    it('fail an append with code 14; the same client works again afterwards', async () => {
      await server().away();
      const append = () => client.appendToStream(stream, events(1), { expectedRevision: 0n, ...ownCall });
      expect(await thrown(append())).toMatchObject({ code: 14 });
      await server().back();
      expect(await append()).toMatchObject({ nextExpectedRevision: 1n });
    });

    it("during discovery permanently break a client's batch appends, but not its reads", async () => {
      const [, authority] = server().url.split('//');
      const finder = EventStoreDBClient.connectionString(
        `esdb+discover://${authority}&maxDiscoverAttempts=1`,
      );
      await server().away();
      const append = () => finder.appendToStream(stream, events(1), { expectedRevision: 0n });
      expect(await thrown(append())).toMatchObject({
        message: expect.stringContaining('Failed to discover'),
      });
      await server().back();
      expect(await thrown(append())).toMatchObject({
        message: expect.stringContaining('Failed to discover'),
      });
      expect(await resolved(finder.readStream(stream))).toHaveLength(1);
      expect(
        await finder.appendToStream(stream, events(1), { expectedRevision: 0n, ...ownCall }),
      ).toMatchObject({
        nextExpectedRevision: 1n,
      });
      await finder.dispose();
    });

    it('without a disconnect let an append in a separate call reach its deadline', async () => {
      server().freeze();
      const append = client.appendToStream(stream, events(1), {
        expectedRevision: 0n,
        deadline: 300,
        ...ownCall,
      });
      expect(await thrown(append)).toMatchObject({ code: 4 });
      server().thaw();
    });
  });
}

{
  let double: EventStoreDouble;
  beforeAll(async () => {
    double = await EventStoreDouble.start();
  });
  afterAll(() => double.stop());
  facts('the double', () => double.url);
  outages('the double', () => ({
    url: double.url,
    away: () => double.wire.close(),
    back: () => double.wire.open(),
    freeze: () => double.wire.freeze(),
    thaw: () => double.wire.thaw(),
  }));
}

withEventStore('facts of a real EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  facts('a real one', () => server.url);
});

withOwnEventStore('outages of a real EventStoreDB', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await startEventStore({ disk: true });
  });
  afterAll(() => server.stop());
  outages('a real one', () => ({ ...server, away: server.kill, back: server.start }));
});
