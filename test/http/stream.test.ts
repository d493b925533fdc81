import { afterEach, expect, test, vi } from 'vitest';
import type { NumberedPart } from '../../src/asks/cursor.ts';
import { Failure } from '../../src/failures.ts';
import { eventStream, lastSeen } from '../../src/http/stream.ts';
import { answer, cancellable, eventsIn, type FakeApp, partsOf, serve } from './fake-app.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function streamed(parts: FakeApp['parts'] = partsOf) {
  const { app, server } = serve();
  app.parts = parts;
  const reply = await server.inject({ method: 'POST', url: '/api/ask/stream', payload: { query: 'a' } });
  return { app, reply, events: reply.statusCode === 200 ? eventsIn(reply.body) : [] };
}

test('sends the parts in order, with increasing ids and the request id first', async () => {
  const { app, reply, events } = await streamed();
  expect(reply.statusCode).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  const id = String(reply.headers['x-request-id']);
  expect(events.map((one) => [one.event, one.id])).toEqual([
    ['meta', `${id}:1`],
    ['sources', `${id}:2`],
    ['text', `${id}:210000`],
    ['citation', `${id}:210001`],
    ['text', `${id}:560001`],
    ['citation', `${id}:560002`],
    ['done', `${id}:2000000000000`],
  ]);
  expect(app.asked[0]).toMatchObject({ request_id: id, channel: 'stream' });
  const sent = partsOf({ ...app.asked[0], request_id: id } as Parameters<typeof partsOf>[0]);
  expect(events.map((one) => ({ type: one.event, ...one.data }))).toEqual(sent);
});

test('ends a failed answer with one error event, and gives the reason only in the log', async () => {
  const { reply, events } = await streamed(function* (input) {
    yield* partsOf(input).slice(0, 3);
    throw new Error('disk sector 7');
  });
  expect(events.map((one) => one.event)).toEqual(['meta', 'sources', 'text', 'error']);
  expect(events[3]?.data).toEqual({
    request_id: reply.headers['x-request-id'],
    code: 'internal',
    detail: 'Internal error.',
    retryable: false,
  });
});

test('reports a failure in the middle by its code', async () => {
  const { events } = await streamed(function* (input) {
    yield* partsOf(input).slice(0, 2);
    throw new Failure('unavailable', 'The history cannot be reached.');
  });
  expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'unavailable', retryable: true } });
});

test('completes a sequence without an ending, and sends nothing after an ending', async () => {
  const eventsOf = async (parts: FakeApp['parts']) => (await streamed(parts)).events.map((one) => one.event);
  expect(await eventsOf((input) => partsOf(input).slice(0, 3))).toEqual(['meta', 'sources', 'text', 'error']);
  const more = await eventsOf((input) => [
    ...partsOf(input),
    { type: 'text', text: 'more' },
    ...partsOf(input).slice(-1),
  ]);
  expect(more.filter((event) => ['done', 'error'].includes(event))).toHaveLength(1);
  expect(more.at(-1)).toBe('done');
});

test('reports a failure before the first part as a plain JSON error', async () => {
  const { reply } = await streamed(() => {
    throw new Failure('unavailable', 'The documents are being loaded.', { retryAfterS: 4.2 });
  });
  expect(reply.statusCode).toBe(503);
  expect(reply.headers['retry-after']).toBe('5');
  expect(reply.json()).toEqual({ detail: 'The documents are being loaded.' });
});

test('the plain answer contains what the stream sent', async () => {
  const { app, server } = serve();
  const reply = await server.inject({ method: 'POST', url: '/api/ask', payload: { query: 'What is free?' } });
  expect(reply.json()).toMatchObject({
    request_id: reply.headers['x-request-id'],
    query: 'What is free?',
    mode: 'ordinary',
    lang: 'en',
    answer,
    latency_ms: 7,
    source_refs: ['norm/law_en#23'],
    citations: [
      { start: 0, end: 20 },
      { start: 21, end: 53 },
    ],
  });
  app.parts = (input) => [
    ...partsOf(input).slice(0, 2),
    { type: 'error', request_id: '', code: 'timeout', detail: 'It took too long.', retryable: true },
  ];
  const failed = await server.inject({ method: 'POST', url: '/api/ask', payload: { query: 'a' } });
  expect([failed.statusCode, failed.json()]).toEqual([504, { detail: 'It took too long.' }]);
});

test('pings a silent stream, and produces no frames for a stream that nobody reads', async () => {
  vi.useFakeTimers();
  const gate = Promise.withResolvers<void>();
  let made = 0;
  async function* numbered(): AsyncGenerator<NumberedPart, void> {
    await gate.promise;
    for (let n = 1; n <= 1000; n++) {
      made = n;
      yield { n, part: { type: 'text', text: 'x'.repeat(4096) } };
    }
  }
  const stream = eventStream('r', numbered(), 15_000);
  const chunks = stream[Symbol.asyncIterator]();
  const first = chunks.next();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(String((await first).value)).toBe(': ping\n\n');
  gate.resolve();
  expect(String((await chunks.next()).value)).toMatch(/^id: r:1\nevent: text\ndata: \{"text":"x+"\}\n\n/);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made).toBeLessThan(50);
  stream.destroy();
});

test('applies the last event id only to its own request', () => {
  expect(lastSeen('r', 'r:12')).toBe(12);
  for (const id of [undefined, '', 'r', 'r:', 'q:12', 'r:-1', 'r:1.5', 'r:9999999999999999', ' r:1'])
    expect(lastSeen('r', id)).toBe(0);
});

test('finishes a running stream on close', async () => {
  const { app, server } = serve();
  const release = app.hold(3);

  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(`${address}/api/ask/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"a"}',
  });
  const closing = server.close();
  release();
  expect(eventsIn(await reply.text()).at(-1)?.event).toBe('done');
  await closing;
});

test('cancels streams that have not finished in time on close', async () => {
  const { app, server } = serve({ drainMs: 0 });
  app.parts = cancellable(1);

  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(`${address}/api/ask/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"a"}',
  });
  await server.close();
  expect(eventsIn(await reply.text()).at(-1)?.event).toBe('error');
});
