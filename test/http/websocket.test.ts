import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { Part } from '../../src/answering/parts.ts';
import { buildServer, type HttpConfig } from '../../src/http/server.ts';
import { eventually } from '../support/eventually.ts';
import { answer, FakeApp, partsOf, patient } from './fake-app.ts';

const config: HttpConfig = { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient };

interface Message {
  type: string;
  id?: string;
  [field: string]: unknown;
}

async function connect(server: ReturnType<typeof buildServer>, headers: Record<string, string> = {}) {
  await server.ready();
  const messages: Message[] = [];
  const closed = Promise.withResolvers<number>();
  const socket: WebSocket = await server.injectWS(
    '/api/ask/ws',
    { headers },
    {
      onInit: (opening) => {
        opening.on('message', (data) => messages.push(JSON.parse(String(data))));
        opening.on('close', (code) => closed.resolve(code));
      },
    },
  );
  const got = (count: number) => eventually(() => expect(messages).toHaveLength(count));
  return { socket, messages, closed: closed.promise, got };
}

const cancellable = async function* (
  input: Parameters<typeof partsOf>[0],
  signal: AbortSignal,
): AsyncGenerator<Part> {
  yield* partsOf(input).slice(0, 1);
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  yield {
    type: 'error',
    request_id: input.request_id ?? '',
    code: 'cancelled',
    detail: 'It was cancelled.',
    retryable: false,
  };
};

test('several questions on one connection are answered one after another with the parts of the stream', async () => {
  const app = new FakeApp();
  const server = buildServer(app, config);
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
  socket.terminate();
  await server.close();
});

test('faulty messages are told and change nothing', async () => {
  const app = new FakeApp();
  const server = buildServer(app, config);
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
    ['error', 'invalid', 'The question is faulty.', ['json_invalid']],
    ['error', 'invalid', 'The question is faulty.', ['string_too_short']],
    ['error', 'invalid', 'The question is faulty.', ['model_attributes_type']],
    ['error', 'invalid', 'A message is a question ("ask") or a "cancel".', undefined],
    ['error', 'not_found', 'There is no active corpus of this name.', undefined],
  ]);
  socket.send('{"type":"cancel"}');
  socket.send('{"query":"a"}');
  await got(12);
  expect(messages.at(-1)?.type).toBe('done');
  socket.terminate();
  await server.close();
});

test('a client that sends little but faults is closed after ten of them', async () => {
  const server = buildServer(new FakeApp(), config);
  const { socket, messages, closed } = await connect(server);
  for (let n = 0; n < 500; n++) socket.send('{');
  expect(await closed).toBe(1008);
  expect(messages).toHaveLength(10);
  await server.close();
});

test('a client whose address has sent too many faults is closed at the next one', async () => {
  const app = new FakeApp();
  app.access.count = async (purpose) => ({
    allowed: purpose !== 'fault',
    limit: 1,
    remaining: 0,
    resetS: 60,
    retryAfterS: 60,
  });
  const server = buildServer(app, config);
  const { socket, closed } = await connect(server);
  socket.send('[]');
  expect(await closed).toBe(1008);
  const posted = await server.inject({
    method: 'POST',
    url: '/api/ask',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect([posted.statusCode, posted.headers['retry-after']]).toEqual([429, '60']);
  await server.close();
});

test('a network has so many connections at once', async () => {
  const server = buildServer(new FakeApp(), config);
  const open = await Promise.all(Array.from({ length: 32 }, () => connect(server)));
  expect(await (await connect(server)).closed).toBe(1013);
  const [first] = server.websocketServer.clients;
  const gone = new Promise<void>((resolve) => first!.once('close', () => resolve()));
  first!.terminate();
  await gone;
  const { socket: next } = await connect(server);
  const answered = new Promise<void>((resolve) => next.once('message', () => resolve()));
  next.send('{"query":"a"}');
  await answered;
  for (const one of [...open.map(({ socket }) => socket), next]) one.terminate();
  await server.close();
});

test('cancel ends the question being answered, and the next one is answered', async () => {
  const app = new FakeApp();
  app.parts = cancellable;
  const server = buildServer(app, config);
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
  socket.terminate();
  await server.close();
});

test('more than 16 waiting questions are refused', async () => {
  const app = new FakeApp();
  app.parts = cancellable;
  const server = buildServer(app, { ...config, drainMs: 0 });
  const { socket, messages, got } = await connect(server);
  socket.send('{"query":"a"}');
  await got(1);
  for (let i = 0; i < 17; i++) socket.send('{"query":"b"}');
  await got(2);
  expect(messages[1]).toMatchObject({ type: 'error', code: 'rate_limited', retryable: true });
  await server.close();
});

test('a dropped connection leaves the ask running, and it can be taken up by its id', async () => {
  const app = new FakeApp();
  const gate = Promise.withResolvers<void>();
  app.parts = async function* (input) {
    yield* partsOf(input).slice(0, 3);
    await gate.promise;
    yield* partsOf(input).slice(3);
  };
  const server = buildServer(app, config);
  const { socket, messages, got } = await connect(server);
  socket.send('{"query":"a"}');
  await got(3);
  socket.terminate();
  const id = String(messages[2]?.id);
  const rest = server.inject({
    url: `/api/ask/stream/${id.split(':')[0]}`,
    headers: { 'last-event-id': id },
  });
  gate.resolve();
  expect([...(await rest).body.matchAll(/^event: (.+)$/gm)].map((match) => match[1])).toEqual([
    'citation',
    'text',
    'citation',
    'done',
  ]);
  await server.close();
});

test('origins that are not listed open no connection', async () => {
  const server = buildServer(new FakeApp(), { ...config, corsOrigins: ['https://example.org'] });
  await expect(connect(server, { origin: 'https://elsewhere.example' })).rejects.toThrow('403');
  const { socket } = await connect(server, { origin: 'https://example.org' });
  expect(socket.readyState).toBe(socket.OPEN);
  socket.terminate();
  await server.close();
});

test('without an upgrade the path says what it speaks', async () => {
  const server = buildServer(new FakeApp(), config);
  const reply = await server.inject('/api/ask/ws');
  expect([reply.statusCode, reply.headers.upgrade, reply.json()]).toEqual([
    426,
    'websocket',
    { detail: 'This path speaks WebSocket only.' },
  ]);
  await server.close();
});

const faulty = '{"type":"sing"}';

test.each([
  ['a ping', (socket: WebSocket) => socket.ping()],
  ['a faulty message', (socket: WebSocket) => socket.send(faulty)],
])('nothing is read while the reply to %s is not taken', async (_, provoke) => {
  const server = buildServer(new FakeApp(), config);
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
  socket.terminate();
  await server.close();
});
