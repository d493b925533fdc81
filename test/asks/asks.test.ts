/** Asks for deliveries that may be repeated, as HTTP and chats make them. */
import { expect, test } from 'vitest';
import type { AskInput, AskQuestions } from '../../src/asks/ask-port.ts';
import { type AskStream, Asks } from '../../src/asks/asks.ts';
import type { RecordedAsk } from '../../src/asks/replay-parts.ts';
import { Failure } from '../../src/failures.ts';
import { FakeRecordedAsks, partsOf } from '../http/fake-app.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';

const caller = { actor: 'public', key_id: null, subject: 'slack:u1' };
const question = (query: string, request_id = 'given') =>
  ({ request_id, query, channel: 'slack', caller }) as const;
const secret = Buffer.from('of this deployment');
const delivery = { scope: 'slack:T1', key: 'Ev01' };

/** Several processes over one history, each recording its own answers. */
function processes(
  count: number,
  answer: AskQuestions = async function* (input) {
    yield* partsOf(input);
  },
) {
  const recordedAsks = new FakeRecordedAsks();
  const clock = new ManualClock('2026-11-21T23:00:00Z');
  const asked: AskInput[] = [];
  const ask: AskQuestions = async function* (input, signal) {
    if (recordedAsks.records.has(input.request_id!))
      throw new Failure('conflict', 'The question was asked before.');
    asked.push(input);
    recordedAsks.records.set(input.request_id!, record(input, clock.now(), null));
    yield* answer(input, signal);
    recordedAsks.records.set(input.request_id!, record(input, clock.now(), partsOf(input)));
  };
  const all = Array.from(
    { length: count },
    () => new Asks({ ask, recordedAsks, secret: () => secret, clock }),
  );
  return { recordedAsks, clock, asked, all };
}

const record = (input: AskInput, now: Date, parts: RecordedAsk['parts']): RecordedAsk => ({
  request_id: input.request_id!,
  key_id: input.caller.key_id,
  corpus_id: input.corpus_id ?? 'town',
  query: input.query,
  asked_at: now.toISOString(),
  deadline: new Date(now.getTime() + 120_000).toISOString(),
  body_hash: input.body_hash ?? null,
  parts,
  replaced: null,
});

async function read({ requestId, after }: AskStream): Promise<string[]> {
  const types: string[] = [];
  for await (const { part } of after(0, new AbortController().signal)) types.push(part.type);
  return [requestId, ...types];
}

test('gives a repeated delivery, in any process, the first answer and counts it once', async () => {
  const { all, asked } = processes(2);
  let counted = 0;
  const count = async () => void counted++;
  const first = await read(await all[0]!.begin(question('a'), delivery, count));
  expect(first.at(-1)).toBe('done');
  for (const asks of all)
    expect(await read(await asks.begin(question('a', 'later'), delivery, count))).toEqual(first);
  expect([asked.length, counted]).toEqual([1, 1]);
});

test('asks again if a delivery failed and may succeed, and later repeats get the new answer', async () => {
  const { all, asked, recordedAsks } = processes(2);
  const fail = (requestId: string, retryable: boolean) =>
    recordedAsks.records.set(requestId, {
      ...recordedAsks.records.get(requestId)!,
      parts: [{ type: 'error', request_id: requestId, code: 'unavailable', detail: 'It failed.', retryable }],
    });
  const first = await all[0]!.begin(question('a'), delivery);
  await read(first);
  fail(first.requestId, false);
  expect(await read(await all[1]!.begin(question('a'), delivery))).toEqual([first.requestId, 'error']);
  fail(first.requestId, true);
  await expect(all[1]!.begin(question('b'), delivery)).rejects.toMatchObject({ code: 'invalid' });
  const second = await read(await all[1]!.begin(question('a'), delivery));
  expect(second[0]).not.toBe(first.requestId);
  expect(second.at(-1)).toBe('done');
  for (const asks of all) expect(await read(await asks.begin(question('a'), delivery))).toEqual(second);
  expect(asked).toHaveLength(2);
  // The number of retries is limited.
  let last = '';
  for (let n = 0; n < 15; n++) {
    const stream = await all[0]!.begin(question('a'), delivery);
    await read(stream);
    last = stream.requestId;
    fail(last, true);
  }
  expect(asked).toHaveLength(11);
  expect(await read(await all[0]!.begin(question('a'), delivery))).toEqual([last, 'error']);
});

test('rejects another question in the same delivery; another scope or key is another delivery', async () => {
  const { all, asked } = processes(1);
  const [asks] = all;
  const first = await asks!.begin(question('a'), delivery);
  await read(first);
  await expect(asks!.begin(question('b'), delivery)).rejects.toMatchObject({ code: 'invalid' });
  for (const other of [
    { ...delivery, scope: 'slack:T2' },
    { ...delivery, key: 'Ev02' },
  ])
    expect((await asks!.begin(question('b'), other)).requestId).not.toBe(first.requestId);
  expect(asked).toHaveLength(3);
});

test('remembers a delivery for 24 hours across midnight, and asks again afterwards', async () => {
  const { all, asked, clock } = processes(1);
  const [asks] = all;
  const first = await read(await asks!.begin(question('a'), delivery));
  clock.ms = Date.parse('2026-11-22T22:59:59Z');
  expect(await read(await asks!.begin(question('a'), delivery))).toEqual(first);
  clock.ms = Date.parse('2026-11-22T23:00:01Z');
  expect((await read(await asks!.begin(question('b'), delivery)))[0]).not.toBe(first[0]);
  expect(asked).toHaveLength(2);
});

test('gives one answer if processes get the same delivery simultaneously', async () => {
  const { all, asked } = processes(3);
  const streams = await Promise.all(all.map((asks) => asks.begin(question('a'), delivery)));
  expect(new Set(streams.map(({ requestId }) => requestId)).size).toBe(1);
  expect(asked).toHaveLength(1);
});

test('does not ask a question that cannot be counted', async () => {
  const { all, asked } = processes(1);
  const refuse = () => Promise.reject(new Failure('rate_limited', 'Too many.'));
  await expect(all[0]!.begin(question('a'), delivery, refuse)).rejects.toMatchObject({
    code: 'rate_limited',
  });
  await expect(all[0]!.begin(question('a'), null, refuse)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(asked).toEqual([]);
});

test('on closing, cancels asks that exceed the grace time, and begins no new ones', async () => {
  const { all } = processes(1, async function* (input, signal) {
    yield* partsOf(input).slice(0, 1);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    throw new Failure('cancelled', 'It was cancelled.');
  });
  const [asks] = all;
  const ended: string[] = [];
  asks!.onEnd((channel, first, last) => ended.push(`${channel} ${first.type} ${last.type}`));
  const stream = await asks!.begin(question('a'), null);
  expect(asks!.running).toBe(1);
  await asks!.close(0);
  expect(await read(stream)).toEqual(['given', 'meta', 'error']);
  expect([asks!.running, ended]).toEqual([0, ['slack meta error']]);
  await expect(asks!.begin(question('b'), null)).rejects.toMatchObject({ code: 'unavailable' });
});

test('the request id of a delivery cannot be guessed from its sender', async () => {
  const ids = await Promise.all(
    ['one deployment', 'another'].map(async (text) => {
      const clock = new ManualClock();
      const ask: AskQuestions = async function* (input) {
        yield* partsOf(input);
      };
      const asks = new Asks({
        ask,
        recordedAsks: new FakeRecordedAsks(),
        secret: () => Buffer.from(text),
        clock,
      });
      return (await asks.begin(question('a'), { scope: 'address:192.0.2.1', key: 'k' })).requestId;
    }),
  );
  expect(ids[0]).not.toBe(ids[1]);
});

test('ends an ask whose caller never received its id, since nobody can return to it', async () => {
  const ended: string[] = [];
  const ask: AskQuestions = async function* (input, signal) {
    yield* partsOf(input).slice(0, 1);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    ended.push(input.request_id!);
  };
  const clock = new ManualClock('2026-11-21T23:00:00Z');
  const deps = { ask, recordedAsks: new FakeRecordedAsks(), secret: () => secret, clock };
  const asks = new Asks(deps, { anonymousGraceMs: 0 });
  await asks.begin({ ...question('a', 'stream'), channel: 'stream' }, null);
  await asks.begin({ ...question('a', 'with a key'), channel: 'http' }, delivery);
  await asks.begin({ ...question('a', 'without'), channel: 'http' }, null);
  await eventually(() => expect(ended).toEqual(['without']));
  expect(asks.running).toBe(2);
  await asks.close(0);
});

test('an answer asked without a key is read and cancelled only by callers who may read its corpus', async () => {
  const { all, recordedAsks } = processes(1);
  const [requestId = ''] = await read(await all[0]!.begin(question('a'), delivery));
  const reader = (corpora: string[]) => ({
    key_id: 7,
    actor: 'key:7',
    mayRead: (corpusId: string) => corpora.includes(corpusId),
  });
  const { corpus_id } = recordedAsks.records.get(requestId)!;
  expect((await all[0]!.find(requestId, reader([corpus_id]))).requestId).toBe(requestId);
  const refused = { code: 'not_found' };
  await expect(all[0]!.find(requestId, reader(['other']))).rejects.toMatchObject(refused);
  await expect(all[0]!.cancel(requestId, reader(['other']))).rejects.toMatchObject(refused);
});
