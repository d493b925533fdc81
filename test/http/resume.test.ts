import { expect, test } from 'vitest';
import type { AskInput } from '../../src/asks/ask-port.ts';
import type { RecordedAsk } from '../../src/asks/replay-parts.ts';
import { Failure } from '../../src/failures.ts';
import type { HttpServer } from '../../src/http/context.ts';
import { eventually } from '../support/eventually.ts';
import { answer, cancellable, eventsIn, partsOf, serve, settle } from './fake-app.ts';

const id = '019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d';

const record = (over: Partial<RecordedAsk> = {}): RecordedAsk => ({
  request_id: id,
  key_id: null,
  corpus_id: 'krk_2026',
  query: 'What is free?',
  asked_at: '2026-11-21T10:00:00.000Z',
  deadline: '2026-11-21T10:02:00.000Z',
  body_hash: null,
  parts: partsOf({ request_id: id } as AskInput),
  replaced: null,
  ...over,
});

const door = () => serve({ trustProxy: true });

const kinds = (body: string): string[] => eventsIn(body).map(({ event }) => event);
const textOf = (body: string): string =>
  eventsIn(body)
    .map(({ event, data }) => (event === 'text' ? data.text : ''))
    .join('');

test("resumes a recorded answer from the client's position, or from its start", async () => {
  const { app, server } = door();
  app.recordedAsks.records.set(id, record());
  const from = async (lastEventId?: string) =>
    server.inject({
      url: `/api/ask/stream/${id}`,
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });

  const whole = await from();
  expect(whole.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-request-id': id,
  });
  expect(kinds(whole.body)).toEqual(['meta', 'sources', 'text', 'citation', 'text', 'citation', 'done']);
  expect(textOf(whole.body)).toBe(answer);

  const rest = await from(`${id}:210001`);
  expect(kinds(rest.body)).toEqual(['text', 'citation', 'done']);
  expect(textOf(rest.body)).toBe(answer.slice(21));
  expect(kinds((await from(`${id}:560002`)).body)).toEqual(['done']);

  const ended = await from(`${id}:2000000000000`);
  expect([ended.statusCode, ended.body]).toEqual([204, '']);
  for (const other of ['nonsense', 'other:210001', `${id}:x`])
    expect((await from(other)).body).toBe(whole.body);
});

test('corrects replaced text for a client that resumes after it, but not for one that starts over', async () => {
  const { app, server } = door();
  app.recordedAsks.records.set(id, record({ replaced: 'A quotation is not in its source.' }));
  const resume = (n: number) =>
    server.inject({ url: `/api/ask/stream/${id}`, headers: { 'last-event-id': `${id}:${n}` } });
  expect(kinds((await resume(2)).body)).toEqual(['text', 'citation', 'text', 'citation', 'done']);
  const late = await resume(90_000);
  expect(kinds(late.body)).toEqual(['replace', 'citation', 'citation', 'done']);
  expect(late.body).toContain(
    `data: ${JSON.stringify({ answer, reason: 'A quotation is not in its source.' })}\n`,
  );
});

test('waits for an ask that runs on another instance', async () => {
  const { app, server } = door();
  app.recordedAsks.records.set(id, record({ parts: null }));
  const pending = server.inject({
    url: `/api/ask/stream/${id}`,
    headers: { 'last-event-id': `${id}:210001` },
  });
  await eventually(() => expect(app.recordedAsks.end(id, record())).toBe(true));
  expect(kinds((await pending).body)).toEqual(['text', 'citation', 'done']);

  const failing = server.inject({ url: `/api/ask/stream/${id}` });
  await eventually(() =>
    expect(app.recordedAsks.end(id, new Failure('unavailable', 'The history is away.'))).toBe(true),
  );
  expect(kinds((await failing).body)).toEqual(['error']);
});

test('reports an unknown ask, and one made with a key, as missing', async () => {
  const { app, server } = door();
  app.recordedAsks.records.set(id, record({ key_id: 7 }));
  for (const method of ['GET', 'DELETE'] as const)
    for (const url of [`/api/ask/stream/${id}`, '/api/ask/stream/none']) {
      const reply = await server.inject({ method, url });
      expect([reply.statusCode, reply.json()]).toEqual([
        404,
        { detail: 'No question was asked under this request id.' },
      ]);
    }
  expect(app.recordedAsks.cancelled).toEqual([]);
});

test('cancels an ask directly if it runs here, and through its record on another instance', async () => {
  const { app, server } = door();
  app.parts = cancellable(2);
  const streaming = server.inject({ method: 'POST', url: '/api/ask/stream', payload: { query: 'a' } });
  await eventually(() => expect(app.asked).toHaveLength(1));
  const requestId = app.asked[0]?.request_id ?? '';
  const watching = server.inject({
    url: `/api/ask/stream/${requestId}`,
    headers: { 'last-event-id': `${requestId}:1` },
  });
  await settle();
  expect((await server.inject({ method: 'DELETE', url: `/api/ask/stream/${requestId}` })).statusCode).toBe(
    204,
  );
  expect(kinds((await streaming).body)).toEqual(['meta', 'sources', 'error']);
  expect(kinds((await watching).body)).toEqual(['sources', 'error']);

  app.recordedAsks.records.set(id, record({ parts: null }));
  expect((await server.inject({ method: 'DELETE', url: `/api/ask/stream/${id}` })).statusCode).toBe(204);
  expect(app.recordedAsks.cancelled).toEqual([id]);
});

const asks = (server: HttpServer, key: string, payload: object, url = '/api/ask', from = '192.0.2.1') =>
  server.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'idempotency-key': key, 'x-forwarded-for': from },
  });

test('the same question with the same key joins the running one, over either endpoint', async () => {
  const { app, server } = door();
  const counted: string[] = [];
  app.access.count = async (purpose) => {
    counted.push(purpose);
    return null;
  };
  const release = app.hold(0);
  const both = [
    asks(server, 'k', { query: 'a' }),
    asks(server, 'k', { query: 'a', history: [], x: 1 }, '/api/ask/stream'),
  ];
  // Both lookups are done.
  await eventually(() => expect(counted.filter((purpose) => purpose === 'resume')).toHaveLength(2));
  await settle();
  release();
  const [plain, streamed] = await Promise.all(both);
  expect(app.asked).toHaveLength(1);
  const requestId = plain?.json().request_id;
  expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(app.asked[0]).toMatchObject({
    request_id: requestId,
    body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect([plain?.headers['x-request-id'], streamed?.headers['x-request-id']]).toEqual([requestId, requestId]);
  expect(kinds(streamed?.body ?? '')).toHaveLength(7);
});

test('concurrent requests with the same key start one ask, which is counted once', async () => {
  const { app, server } = door();
  const counted: string[] = [];
  app.access.count = async (purpose) => {
    counted.push(purpose);
    await settle();
    return null;
  };
  const release = app.hold(0);
  const replies = Array.from({ length: 8 }, () => asks(server, 'k', { query: 'a' }).then((reply) => reply));
  await eventually(() => expect(counted.filter((purpose) => purpose === 'resume')).toHaveLength(8));
  await settle();
  release();
  const statuses = (await Promise.all(replies)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(app.asked).toHaveLength(1);
  expect(counted.filter((purpose) => purpose === 'ask')).toHaveLength(1);
});

test('repeats the recorded answer, rejects another question with the key, and separates callers', async () => {
  const { app, server } = door();
  const first = await asks(server, 'k', { query: 'a' });
  const [given] = app.asked;
  const requestId = first.json().request_id;
  const recorded = record({
    request_id: requestId,
    body_hash: given?.body_hash ?? null,
    asked_at: app.clock.now().toISOString(),
    parts: partsOf(given as AskInput),
  });
  app.recordedAsks.records.set(requestId, recorded);
  expect((await asks(server, 'k', { query: 'a' })).json()).toEqual(first.json());
  const refused = await asks(server, 'k', { query: 'b' });
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    {
      detail: [
        {
          type: 'value_error',
          loc: ['body'],
          msg: 'Value error, The Idempotency-Key was used earlier with a different question.',
        },
      ],
    },
  ]);
  expect(app.asked).toHaveLength(1);
  expect((await asks(server, 'k', { query: 'b' }, '/api/ask', '192.0.2.2')).json().request_id).not.toBe(
    requestId,
  );
  expect((await asks(server, 'l', { query: 'b' })).json().request_id).not.toBe(requestId);
  expect(app.asked).toHaveLength(3);
});

test('ignores an empty idempotency key', async () => {
  const { app, server } = door();
  await asks(server, '', { query: 'a' });
  await asks(server, '', { query: 'b' });
  expect(app.asked.map((input) => input.body_hash)).toEqual([undefined, undefined]);
});

test('limits lookups of earlier asks separately, whether or not the ask exists', async () => {
  const { app, server } = door();
  const counted: string[] = [];
  let allowed = true;
  app.access.count = async (purpose) => {
    counted.push(purpose);
    return { allowed: allowed || purpose !== 'resume', limit: 60, remaining: 0, resetS: 9, retryAfterS: 9 };
  };
  app.recordedAsks.records.set(id, record());
  const look = async () => [
    (await server.inject({ url: `/api/ask/stream/${id}` })).statusCode,
    (await server.inject({ url: '/api/ask/stream/none' })).statusCode,
    (await server.inject({ method: 'DELETE', url: `/api/ask/stream/${id}` })).statusCode,
    (await asks(server, 'k', { query: 'a' })).statusCode,
  ];
  expect(await look()).toEqual([200, 404, 204, 200]);
  expect(counted.splice(0)).toEqual(['resume', 'resume', 'resume', 'resume', 'ask']);
  allowed = false;
  expect(await look()).toEqual([429, 429, 429, 429]);
  // A question without an idempotency key needs no lookup.
  const plain = await server.inject({ method: 'POST', url: '/api/ask', payload: { query: 'a' } });
  expect(plain.statusCode).toBe(200);
});
