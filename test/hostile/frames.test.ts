/**
 * WebSocket frames that no real client sends, and mixtures of all kinds in pieces of any size. Forbidden frames must
 * end the connection, buffered bytes are counted, limited and released afterwards, and the next client must be
 * answered.
 */
import { createConnection, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { BodyRoom } from '../../src/http/body.ts';
import { buildServer } from '../../src/http/server.ts';
import { FakeApp, patient } from '../http/fake-app.ts';
import { eventually } from '../support/eventually.ts';
import { share } from './budget.ts';
import { frames } from './corpus.ts';
import { bytesOf, type Frame, forbidden, frame, opcodes } from './raw-frames.ts';

const server = buildServer(new FakeApp(), { corsOrigins: '*', trustProxy: true, loopDelayMsMax: patient });
let port: number;
/** The bytes that the server counts as buffered. */
let counted = 0;

beforeAll(async () => {
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
});
beforeEach(() => {
  const { part } = BodyRoom.prototype;
  vi.spyOn(BodyRoom.prototype, 'part').mockImplementation(function (this: BodyRoom) {
    const { grow, free } = part.call(this);
    let mine = 0;
    const count = (bytes: number) => {
      mine += bytes;
      counted += bytes;
    };
    return {
      grow: (bytes) => {
        const fits = grow(bytes);
        if (fits) count(bytes);
        return fits;
      },
      free: () => {
        count(-mine);
        free();
      },
    };
  });
});
afterAll(() => server.close());

let networks = 0;

interface Connection {
  client: Socket;
  /** The bytes that the server sent after the handshake. */
  received: () => Buffer;
  closed: () => boolean;
}

/** A WebSocket from its own network, accessed as raw bytes. */
async function open(): Promise<Connection> {
  networks++;
  const client = createConnection(port, '127.0.0.1');
  let closed = false;
  let bytes = Buffer.alloc(0);
  client.on('error', () => {});
  client.on('close', () => {
    closed = true;
  });
  client.write(
    `GET /api/ask/ws HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 10.${networks >> 8}.${networks & 255}.1\r\n` +
      'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await new Promise<void>((resolve) => {
    client.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      if (bytes.includes('\r\n\r\n')) resolve();
    });
  });
  const head = bytes.indexOf('\r\n\r\n') + 4;
  return { client, received: () => bytes.subarray(head), closed: () => closed };
}

/** The connections on the server's side, with the buffers of the library and Node for each. */
interface Kept {
  _receiver: { _bufferedBytes: number; _fragments: Buffer[]; writableLength: number };
  _socket: Socket | null;
}
const ours = () => [...server.websocketServer.clients] as (WebSocket & Kept)[];
function buffered(): number {
  return ours().reduce((sum, { _receiver: receiver, _socket: stream, bufferedAmount }) => {
    const fragments = receiver._fragments.reduce((bytes, { length }) => bytes + length, 0);
    const streams = receiver.writableLength + (stream?.readableLength ?? 0);
    return sum + receiver._bufferedBytes + fragments + streams + bufferedAmount;
  }, 0);
}

/** Closes the connection from this side, and waits until the server has released its data. */
async function leave({ client }: Connection): Promise<void> {
  client.destroy();
  while (ours().length > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(counted).toBe(0);
}

/** The reply to the next client. */
async function honest(): Promise<void> {
  const connection = await open();
  connection.client.write(bytesOf(frame(opcodes.text, '{"query":"a"}')));
  await eventually(() => expect(connection.received().toString()).toContain('"type":"done"'));
  await leave(connection);
}

test.each(Object.entries(forbidden))('frames %s end the connection', async (_kind, sent) => {
  const connection = await open();
  for (const one of sent) connection.client.write(bytesOf(one));
  await eventually(() => expect(connection.closed()).toBe(true));
  await leave(connection);
  await honest();
});

const payload = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('{"query":"a"}', '{"type":"cancel"}', ...Object.values(frames)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 130 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(125, 126, 65_535, 65_536, 300_000).map((length) => 'a'.repeat(length)),
  },
);
const anyFrame: fc.Arbitrary<Frame> = fc.record({
  fin: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  rsv: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(7) }),
  opcode: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...Object.values(opcodes)) },
    { weight: 10, arbitrary: fc.constantFrom(opcodes.text, opcodes.continuation, opcodes.ping) },
    { weight: 1, arbitrary: fc.nat(15) },
  ),
  masked: fc.oneof(
    { weight: 30, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  payload: payload.map((text) => Buffer.from(text)),
  length: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('short' as const, '16 bits' as const, '64 bits' as const) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 127n, 2n ** 20n, 2n ** 31n, 2n ** 53n, 2n ** 63n) },
  ),
});
const mixture = fc.record({
  sent: fc.array(anyFrame, { minLength: 1, maxLength: 12 }),
  /** Where it is cut into separate writes, and where it ends, in thousandths. */
  cuts: fc.array(fc.nat(1_000), { maxLength: 6 }),
  end: fc.oneof(fc.constant(1_000), fc.nat(1_000)),
});

/** Memory besides the unread data that the streams of one connection keep: some of Node's buffers. */
const unreadMax = 4 * 65_536;
const messageMax = 1024 * 1024;

test('mixtures of frames, whole and cut, are never buffered beyond the limit', async () => {
  await fc.assert(
    fc.asyncProperty(mixture, async ({ sent, cuts, end }) => {
      const all = Buffer.concat(sent.map(bytesOf));
      const place = (part: number) => Math.floor((part / 1_000) * all.length);
      const bytes = all.subarray(0, place(end));
      const places = [0, ...cuts.map(place), bytes.length].filter((at) => at <= bytes.length);
      const connection = await open();
      const [own] = ours();
      try {
        for (const [n, at] of places.sort((a, b) => a - b).entries()) {
          if (connection.closed()) break;
          await new Promise((resolve) => connection.client.write(bytes.subarray(at, places[n + 1]), resolve));
          expect(buffered()).toBeLessThanOrEqual(counted + unreadMax);
        }
        // Until everything is read, or no more is read.
        const isRead = () =>
          connection.closed() || own!.isPaused || (own!._socket?.bytesRead ?? 0) >= bytes.length;
        while (!isRead()) {
          await new Promise((resolve) => setImmediate(resolve));
          expect(buffered()).toBeLessThanOrEqual(counted + unreadMax);
        }
        expect(counted).toBeLessThanOrEqual(messageMax + unreadMax);
      } finally {
        await leave(connection);
      }
    }),
    share(0.015),
  );
  await honest();
});
