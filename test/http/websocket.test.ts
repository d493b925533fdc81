import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket as Client, type WebSocket } from 'ws';
import type { HttpServer } from '../../src/http/context.ts';
import { eventually } from '../support/eventually.ts';
import { answer, cancellable, eventsIn, FakeApp, partsOf, serve, settle } from './fake-app.ts';

interface Message {
  type: string;
  id?: string;
  [field: string]: unknown;
}

async function connect(
  server: HttpServer,
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
) {
  await server.ready();
  const messages: Message[] = [];
  const closed = Promise.withResolvers<number>();
  const socket: WebSocket = await server.injectWS(
    '/api/ask/ws',
    { headers, socket: { remoteAddress } as Socket },
    {
      onInit: (opening) => {
        opening.on('message', (data) => messages.push(JSON.parse(String(data))));
        opening.on('close', (code) => closed.resolve(code));
      },
    },
  );
  onTestFinished(() => socket.terminate());
  const got = (count: number) => eventually(() => expect(messages).toHaveLength(count));
  return { socket, messages, closed: closed.promise, got };
}

test('answers several questions on one connection in order, with the same parts as a stream', async () => {
  const { app, server } = serve();
  const { socket, messages, got } = await connect(server);
  socket.send('{"type":"ask","query":"a"}');
  socket.send('{"query":"b","corpus_id":"reestr_texts","style":"brief"}');
  await got(14);
  expect(app.asked.map(({ query, style, channel }) => [query, style, channel])).toEqual([
    ['a', null, 'websocket'],
    ['b', 'brief', 'websocket'],
  ]);
  const [first, second] = app.asked;
  const bare = messages.map(({ id: _, ...part }) => part);
  expect(bare).toEqual([...partsOf(first!), ...partsOf(second!)]);
  expect(messages.map((message) => message.id)).toEqual(
    [first, second].flatMap((input) =>
      [1, 2, 210_000, 210_001, 560_001, 560_002, 2_000_000_000_000].map((n) => `${input?.request_id}:${n}`),
    ),
  );
  expect(messages.find((message) => message.type === 'done')?.answer).toBe(answer);
});

test('reports invalid messages without changing anything', async () => {
  const { server } = serve();
  const { socket, messages, got } = await connect(server);
  for (const message of ['{', '{"query":""}', '[]', '{"type":"sing"}', '{"query":"a","corpus_id":"none"}'])
    socket.send(message);
  await got(5);
  expect(
    messages.map(({ type, code, detail, errors }) => [
      type,
      code,
      detail,
      (errors as { type: string }[] | undefined)?.map((e) => e.type),
    ]),
  ).toEqual([
    ['error', 'invalid', 'The question is invalid.', ['json_invalid']],
    ['error', 'invalid', 'The question is invalid.', ['string_too_short']],
    ['error', 'invalid', 'The question is invalid.', ['model_attributes_type']],
    ['error', 'invalid', 'A message must be a question ("ask") or a "cancel".', undefined],
    ['error', 'not_found', 'There is no active corpus of this name.', undefined],
  ]);
  socket.send('{"type":"cancel"}');
  socket.send('{"query":"a"}');
  await got(12);
  expect(messages.at(-1)?.type).toBe('done');
});

test('closes a connection after ten invalid messages', async () => {
  const { server } = serve();
  const { socket, messages, closed } = await connect(server);
  for (let n = 0; n < 500; n++) socket.send('{');
  expect(await closed).toBe(1008);
  expect(messages).toHaveLength(10);
});

test('cancels the current answer, and answers the next question', async () => {
  const { app, server } = serve();
  app.parts = cancellable(1);

  const { socket, messages, got } = await connect(server);
  socket.send('{"query":"a"}');
  await got(1);
  app.parts = partsOf;
  socket.send('{"query":"b"}');
  socket.send('{"type":"cancel"}');
  await got(9);
  expect(messages.map((message) => message.type)).toEqual([
    'meta',
    'error',
    'meta',
    'sources',
    'text',
    'citation',
    'text',
    'citation',
    'done',
  ]);
  expect(messages[1]).toMatchObject({ code: 'cancelled' });
});

test('rejects more than 16 waiting questions', async () => {
  const { app, server } = serve({ drainMs: 0 });
  app.parts = cancellable(1);

  const { socket, messages, got } = await connect(server);
  socket.send('{"query":"a"}');
  await got(1);
  for (let i = 0; i < 17; i++) socket.send('{"query":"b"}');
  await got(2);
  expect(messages[1]).toMatchObject({ type: 'error', code: 'rate_limited', retryable: true });
});

test('keeps an ask running after its connection drops, and resumes it by its id', async () => {
  const app = new FakeApp();
  const release = app.hold(3);
  const { server } = serve({ app });
  const { socket, messages, got } = await connect(server);
  socket.send('{"query":"a"}');
  await got(3);
  socket.terminate();
  const id = String(messages[2]?.id);
  const url = `/api/ask/stream/${id.split(':')[0]}`;
  const rest = server.inject({ url, headers: { 'last-event-id': id } });
  await settle();
  release();
  const parts = ['citation', 'text', 'citation', 'done'];
  expect(eventsIn((await rest).body).map(({ event }) => event)).toEqual(parts);
});

test('rejects connections from unlisted origins', async () => {
  const { server } = serve({ corsOrigins: ['https://example.org'] });
  await expect(connect(server, { origin: 'https://elsewhere.example' })).rejects.toThrow('403');
  const { socket } = await connect(server, { origin: 'https://example.org' });
  expect(socket.readyState).toBe(socket.OPEN);
});

test('names the required protocol in the reply to a request without an upgrade', async () => {
  const { server } = serve();
  const reply = await server.inject('/api/ask/ws');
  expect([reply.statusCode, reply.headers.upgrade, reply.json()]).toEqual([
    426,
    'websocket',
    { detail: 'This path accepts only WebSocket connections.' },
  ]);
});

const faulty = '{"type":"sing"}';

test.each([
  ['a ping', (socket: WebSocket) => socket.ping()],
  ['an invalid message', (socket: WebSocket) => socket.send(faulty)],
])('does not read from a client that does not accept the reply to %s', async (_, provoke) => {
  const { server } = serve();
  const { socket, got } = await connect(server);
  const [ours] = server.websocketServer.clients as Set<WebSocket>;
  const replied = Promise.withResolvers<() => void>();
  const held = (_data: unknown, ...rest: unknown[]) =>
    replied.resolve(rest.find((one) => typeof one === 'function') as () => void);
  vi.spyOn(ours!, 'pong').mockImplementationOnce(held);
  vi.spyOn(ours!, 'send').mockImplementationOnce(held as never);
  provoke(socket);
  const taken = await replied.promise;
  expect(ours!.isPaused).toBe(true);
  vi.restoreAllMocks();
  socket.send('{"query":"a"}');
  taken();
  await got(7);
  expect(ours!.isPaused).toBe(false);
});

/** An app that counts the requests from an address. */
function limiting(share: number): FakeApp {
  const app = new FakeApp();
  app.access.clientOf = (_key, address) => ({ name: address, block: null, share });
  return app;
}

test.each<[string, (socket: WebSocket) => void]>([
  ['pings', (socket) => socket.ping()],
  ['pongs', (socket) => socket.pong()],
  ['cancellations without a question', (socket) => socket.send('{"type":"cancel"}')],
  ['large messages', (socket) => socket.send(JSON.stringify({ type: 'cancel', of: 'x'.repeat(60_000) }))],
])('pauses a client that sends too many %s for a while, and no other clients', async (_, send) => {
  const app = limiting(0.03);
  const { server } = serve({ app });
  const flood = await connect(server, {}, '192.0.2.1');
  const [ours] = server.websocketServer.clients as Set<WebSocket>;
  for (let n = 0; n < 16; n++) send(flood.socket);
  flood.socket.send('{"query":"a"}');
  const honest = await connect(server, {}, '192.0.2.2');
  honest.socket.send('{"query":"b"}');
  await honest.got(7);
  expect(app.asked.map(({ query }) => query)).toEqual(['b']);
  expect(ours!.isPaused).toBe(true);
});

test('allows a client six simultaneous connections', async () => {
  const { server } = serve({ app: limiting(1) });
  await Promise.all(Array.from({ length: 6 }, () => connect(server)));
  expect(await (await connect(server)).closed).toBe(1013);
  const other = await connect(server, {}, '192.0.2.2');
  other.socket.send('{"query":"a"}');
  await other.got(7);
  const [first] = server.websocketServer.clients;
  const gone = once(first!, 'close');
  first!.terminate();
  await gone;
  const next = await connect(server);
  next.socket.send('{"query":"b"}');
  await next.got(7);
});

/** Opens a WebSocket and begins a message of one megabyte whose last byte never arrives. */
async function unfinished(port: number, network: string): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET /api/ask/ws HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${network}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await new Promise((resolve) => socket.once('data', resolve));
  const length = 1024 * 1024;
  const head = Buffer.alloc(14);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(BigInt(length), 2);
  await new Promise((resolve) => socket.write(Buffer.concat([head, Buffer.alloc(length - 1)]), resolve));
  return socket;
}

const ended = (socket: Socket) =>
  new Promise<'ended'>((resolve) => socket.once('close', () => resolve('ended')));

test('unfinished messages use the capacity for bodies, and leave room for small messages', async () => {
  const { server } = serve({ trustProxy: true });
  const address = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const open = await Promise.all(
    Array.from({ length: 67 }, (_, n) => unfinished(Number(address.port), `192.0.2.${n}`)),
  );
  expect(await Promise.race(open.map(ended))).toBe('ended');
  const ask = (history: unknown[]) =>
    fetch(new URL('/api/ask', address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'a', history }),
    });
  expect((await ask([])).status).toBe(200);
  const long = Array.from({ length: 20 }, () => ({ role: 'user', content: 'я'.repeat(4_000) }));
  for (const socket of open) socket.destroy();
  // Their capacity is free again.
  await eventually(() => expect(server.websocketServer.clients.size).toBe(0));
  expect((await ask(long)).status).toBe(200);
});

test('applies the time limit of a body to an unfinished message, even on an active connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { server } = serve();
    const address = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
    const { socket: idle, got } = await connect(server);
    const socket = await unfinished(Number(address.port), '192.0.2.1');
    const gone = ended(socket);
    // Complete messages and pongs do not start this time limit.
    idle.send('{"query":"a"}');
    await got(7);
    idle.pong();
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(11_000);
      expect(server.websocketServer.clients.size).toBe(1);
    });
    expect([await gone, idle.readyState]).toEqual(['ended', idle.OPEN]);
  } finally {
    vi.useRealTimers();
  }
});

test('treats an upgrade request on another path as an ordinary request', async () => {
  const { server } = serve();
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const socket = new Client(`${address.replace('http', 'ws')}/?q=what+I+ask`);
  const [, reply] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  expect(reply.statusCode).toBe(200);
  socket.on('error', () => {});
});
