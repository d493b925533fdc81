import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Part } from '../../src/answering/parts.ts';
import { Cursor, type Numbered } from '../../src/asks/cursor.ts';
import { RunningAsks } from '../../src/asks/in-flight.ts';
import { Failure } from '../../src/failures.ts';
import { buildServer, type HttpConfig } from '../../src/http/server.ts';
import { eventStream, lastSeen } from '../../src/http/stream.ts';
import { answer, FakeApp, partsOf, patient, settle } from './fake-app.ts';

const config: HttpConfig = { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient };

afterEach(() => {
  vi.useRealTimers();
});

interface SseEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

function events(body: string): SseEvent[] {
  return body
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
      return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    });
}

async function streamed(app: FakeApp) {
  const server = buildServer(app, config);
  const reply = await server.inject({ method: 'POST', url: '/api/ask/stream', payload: { query: 'a' } });
  await server.close();
  return { reply, events: reply.statusCode === 200 ? events(reply.body) : [] };
}

test('a stream carries the parts in order, with rising ids and the request id in front', async () => {
  const app = new FakeApp();
  const { reply, events } = await streamed(app);
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

test('an answer that breaks off ends in one error event, without the reason that only the log may hold', async () => {
  const app = new FakeApp();
  app.parts = function* (input) {
    yield* partsOf(input).slice(0, 3);
    throw new Error('disk sector 7');
  };
  const { reply, events } = await streamed(app);
  expect(events.map((one) => one.event)).toEqual(['meta', 'sources', 'text', 'error']);
  expect(events[3]?.data).toEqual({
    request_id: reply.headers['x-request-id'],
    code: 'internal',
    detail: 'Something went wrong here; it has been logged.',
    retryable: false,
  });
});

test('a failure in the middle is told by its code', async () => {
  const app = new FakeApp();
  app.parts = function* (input) {
    yield* partsOf(input).slice(0, 2);
    throw new Failure('unavailable', 'The history cannot be reached.');
  };
  const { events } = await streamed(app);
  expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'unavailable', retryable: true } });
});

test('a sequence without an end gets one, and nothing comes after an end', async () => {
  const app = new FakeApp();
  app.parts = (input) => partsOf(input).slice(0, 3);
  expect((await streamed(app)).events.map((one) => one.event)).toEqual(['meta', 'sources', 'text', 'error']);
  app.parts = (input) => [...partsOf(input), { type: 'text', text: 'more' }, ...partsOf(input).slice(-1)];
  expect((await streamed(app)).events.filter((one) => ['done', 'error'].includes(one.event))).toHaveLength(1);
  expect((await streamed(app)).events.at(-1)?.event).toBe('done');
});

test('a failure before the first part is a plain JSON error', async () => {
  const app = new FakeApp();
  app.parts = () => {
    throw new Failure('unavailable', 'The documents are being read in.', { retryAfterS: 4.2 });
  };
  const { reply } = await streamed(app);
  expect(reply.statusCode).toBe(503);
  expect(reply.headers['retry-after']).toBe('5');
  expect(reply.json()).toEqual({ detail: 'The documents are being read in.' });
});

test('the plain answer holds what the stream said', async () => {
  const app = new FakeApp();
  const server = buildServer(app, config);
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
  await server.close();
});

test('a silent stream is pinged, a stream that is not read makes no frames', async () => {
  vi.useFakeTimers();
  const gate = Promise.withResolvers<void>();
  let made = 0;
  async function* numbered(): AsyncGenerator<Numbered, void> {
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

/** Cuts a text into pieces and puts each citation somewhere behind the text it cites, as answerers may do. */
const answers = fc
  .record({
    text: fc.string({ minLength: 1, maxLength: 40 }),
    cuts: fc.array(fc.nat(40), { maxLength: 5 }),
    otherCuts: fc.array(fc.nat(40), { maxLength: 5 }),
    citations: fc.nat(4),
    late: fc.boolean(),
    replacement: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: null }),
  })
  .map(({ text, cuts, otherCuts, citations, late, replacement }) => {
    const pieces = (of: string, at: number[], cited: number, citeLate: boolean): Part[] => {
      const ends = [...new Set([...at.map((cut) => 1 + (cut % of.length)), of.length])].sort((a, b) => a - b);
      const parts: Part[] = [];
      let start = 0;
      let made = 0;
      const cite = (): Part => ({
        type: 'citation',
        start: 0,
        end: 1,
        ref: `r${made++}`,
        quote: 'q',
        revision: 1,
        content_hash: '',
      });
      for (const end of ends) {
        parts.push({ type: 'text', text: of.slice(start, end) });
        if (!citeLate && made < cited) parts.push(cite());
        start = end;
      }
      while (made < cited) parts.push(cite());
      return parts;
    };
    const head: Part[] = [
      { type: 'meta', request_id: 'r', mode: 'ordinary', lang: 'en', corpus_id: 'c' },
      { type: 'sources', source_refs: [], sources: [] },
    ];
    const final = replacement ?? text;
    const end: Part[] = [
      {
        type: 'done',
        request_id: 'r',
        latency_ms: 1,
        answer: final,
        mode: 'ordinary',
        finish_reason: 'stop',
        cached: false,
      },
    ];
    const replace: Part[] =
      replacement === null
        ? []
        : [
            { type: 'replace', answer: replacement, reason: 'checked' },
            ...pieces(replacement, [], citations, true).slice(1),
          ];
    return {
      live: [...head, ...pieces(text, cuts, citations, late), ...replace, ...end],
      recorded: [
        ...head,
        ...(replacement === null ? pieces(text, otherCuts, citations, true) : replace),
        ...end,
      ],
    };
  });

function taken(parts: Part[], after: number): Numbered[] {
  const cursor = new Cursor(after);
  return parts.map((part) => cursor.take(part)).filter((next) => next !== null);
}

/** What a client shows after these events. */
function shown(seen: Numbered[]): unknown {
  let text = '';
  let refs: string[] = [];
  const others: string[] = [];
  for (const { part } of seen) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'citation') refs.push(part.ref);
    else if (part.type === 'replace') {
      text = part.answer;
      refs = [];
    } else others.push(part.type);
  }
  return { text, refs, others };
}

test('a stream cut anywhere goes on from the recorded answer alone, to the same end', () => {
  fc.assert(
    fc.property(answers, fc.nat(), ({ live, recorded }, at) => {
      const all = taken(live, 0);
      expect(all).toHaveLength(live.length);
      for (const [i, { n }] of all.entries()) expect(n).toBeGreaterThan(all[i - 1]?.n ?? 0);
      const seen = all.slice(0, at % all.length);
      const rest = taken(recorded, seen.at(-1)?.n ?? 0);
      expect(shown([...seen, ...rest])).toEqual(shown(all));
      expect(rest[0]?.n).toBeGreaterThan(seen.at(-1)?.n ?? 0);
      // A second cut, in the resumed stream, changes nothing either.
      const half = [...seen, ...rest.slice(0, at % rest.length)];
      expect(shown([...half, ...taken(live, half.at(-1)?.n ?? 0)])).toEqual(shown(all));
    }),
    { numRuns: 500 },
  );
});

test('whoever has seen the end is told so', () => {
  const last = taken(
    partsOf({ query: 'a', channel: 'stream', caller: { actor: 'public', key_id: null, subject: null } }),
    0,
  ).at(-1);
  expect(new Cursor(last?.n).ended).toBe(true);
  expect(new Cursor(560_002).ended).toBe(false);
});

test('the last event id counts only for its own request', () => {
  expect(lastSeen('r', 'r:12')).toBe(12);
  for (const id of [undefined, '', 'r', 'r:', 'q:12', 'r:-1', 'r:1.5', 'r:9999999999999999', ' r:1'])
    expect(lastSeen('r', id)).toBe(0);
});

test('an ask runs on when its watcher leaves, can be watched again from the start, and ends after the grace time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const app = new FakeApp();
  const aborted = Promise.withResolvers<void>();
  app.parts = async function* (input, signal) {
    yield* partsOf(input).slice(0, 2);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    aborted.resolve();
    yield { type: 'error', request_id: 'r1', code: 'cancelled', detail: 'Cancelled.', retryable: false };
  };
  const asks = new RunningAsks(app, { graceMs: 30_000, asksMax: 1 });
  const caller = { actor: 'public', key_id: null, subject: null };
  const ask = await asks.start({ request_id: 'r1', query: 'a', channel: 'stream', caller });
  await expect(asks.start({ request_id: 'r2', query: 'a', channel: 'stream', caller })).rejects.toMatchObject(
    { code: 'unavailable' },
  );

  const leaving = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const part of ask.watch(leaving.signal)) seen.push(part.type);
  })();
  await settle();
  leaving.abort();
  await watching;
  expect(seen).toEqual(['meta', 'sources']);

  await vi.advanceTimersByTimeAsync(29_000);
  const back: string[] = [];
  const again = new AbortController();
  const watchingAgain = (async () => {
    for await (const part of ask.watch(again.signal)) back.push(part.type);
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask.signal.aborted).toBe(false);
  again.abort();
  await watchingAgain;
  await vi.advanceTimersByTimeAsync(30_000);
  await aborted.promise;
  await settle();
  expect(back).toEqual(['meta', 'sources']);
  expect(ask.signal.aborted).toBe(true);
  expect(asks.get('r1')).toBeUndefined();
});

test('close lets a running stream finish', async () => {
  const app = new FakeApp();
  const gate = Promise.withResolvers<void>();
  app.parts = async function* (input) {
    yield* partsOf(input).slice(0, 3);
    await gate.promise;
    yield* partsOf(input).slice(3);
  };
  const server = buildServer(app, config);
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(`${address}/api/ask/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"a"}',
  });
  const closing = server.close();
  gate.resolve();
  expect(events(await reply.text()).at(-1)?.event).toBe('done');
  await closing;
});

test('close cancels what has not finished in time', async () => {
  const app = new FakeApp();
  app.parts = async function* (input, signal) {
    yield* partsOf(input).slice(0, 1);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    yield {
      type: 'error',
      request_id: input.request_id ?? '',
      code: 'cancelled',
      detail: 'Cancelled.',
      retryable: false,
    };
  };
  const server = buildServer(app, { ...config, drainMs: 0 });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(`${address}/api/ask/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"a"}',
  });
  await server.close();
  expect(events(await reply.text()).at(-1)?.event).toBe('error');
});
