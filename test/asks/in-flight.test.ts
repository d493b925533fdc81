import { afterEach, expect, test, vi } from 'vitest';
import type { AskQuestions } from '../../src/asks/ask-port.ts';
import { InFlightAsks } from '../../src/asks/in-flight.ts';
import { partsOf, settle } from '../http/fake-app.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('an ask continues without its watcher, can be watched again from the start, and ends after a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const aborted = Promise.withResolvers<void>();
  const answering: AskQuestions = async function* (input, signal) {
    yield* partsOf(input).slice(0, 3);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    aborted.resolve();
    yield { type: 'error', request_id: 'r1', code: 'cancelled', detail: 'Cancelled.', retryable: false };
  };
  const asks = new InFlightAsks(answering, { graceMs: 30_000, asksMax: 1 });
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
  expect(seen).toEqual(['meta', 'sources', 'text']);

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
  expect(back).toEqual(['meta', 'sources', 'text']);
  expect(ask.signal.aborted).toBe(true);
  expect(asks.get('r1')).toBeUndefined();
});

test('an ask whose text nobody has read ends two seconds after its watcher disconnects', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asks = new InFlightAsks(async function* (input) {
    yield* partsOf(input).slice(0, 2);
    await new Promise(() => {});
  });
  const caller = { actor: 'public', key_id: null, subject: null };
  const ask = await asks.start({ request_id: 'r1', query: 'a', channel: 'stream', caller });
  const leaving = new AbortController();
  const watching = (async () => {
    for await (const _ of ask.watch(leaving.signal));
  })();
  await vi.advanceTimersByTimeAsync(10_000);
  leaving.abort();
  await watching;
  await vi.advanceTimersByTimeAsync(1_999);
  expect(ask.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask.signal.aborted).toBe(true);
});

test('an ask whose id is sent only with its answer ends soon after its watcher disconnects', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asks = new InFlightAsks(async function* (input) {
    yield* partsOf(input).slice(0, 1);
    await new Promise(() => {});
  });
  const caller = { actor: 'public', key_id: null, subject: null };
  const input = { query: 'a', channel: 'http', caller } as const;
  const [known, anonymous] = await Promise.all([
    asks.start({ ...input, request_id: 'r1' }),
    asks.start({ ...input, request_id: 'r2' }, { anonymous: true }),
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([known, anonymous].map(({ signal }) => signal.aborted)).toEqual([false, true]);
});

test('an ask whose caller disconnects before it begins is dropped immediately', async () => {
  const leaving = new AbortController();
  const asks = new InFlightAsks(async function* (_input, signal) {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
    yield* [];
  });
  const caller = { actor: 'public', key_id: null, subject: null };
  const input = { request_id: 'r1', query: 'a', channel: 'stream', caller } as const;
  const begun = asks.start(input, { gone: leaving.signal });
  leaving.abort();
  await expect(begun).rejects.toThrow('left');
  expect(asks.size).toBe(0);
});
