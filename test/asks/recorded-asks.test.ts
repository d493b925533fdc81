import { expect, test, vi } from 'vitest';
import { ProjectionProgress } from '../../projections/progress.ts';
import { RecordedAsks } from '../../src/asks/recorded-asks.ts';
import { SourceLinks } from '../../src/asks/source-links.ts';
import { type CommandLog, Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import type { NewEvent, RecordedEvent } from '../../src/ports/event-log.ts';
import { answerGiven, answerWithheld, askFacts, questionAsked } from '../support/asks.ts';
import { eventually } from '../support/eventually.ts';

/** What asks need of a history: streams in memory. */
function memoryLog(): CommandLog & { streams: Map<string, RecordedEvent[]> } {
  const streams = new Map<string, RecordedEvent[]>();
  return {
    streams,
    async append(stream, expectedRevision, events: readonly NewEvent[]) {
      const kept = streams.get(stream) ?? [];
      if (kept.length - 1 !== expectedRevision) throw new Failure('conflict', 'The stream has changed.');
      for (const event of events) {
        const revision = kept.length;
        kept.push({ ...event, stream, revision, position: String(revision) } as RecordedEvent);
      }
      streams.set(stream, kept);
      return { revision: kept.length - 1, position: String(kept.length - 1) };
    },
    async readStream(stream, fromRevision = 0) {
      return (streams.get(stream) ?? []).slice(fromRevision);
    },
  };
}

const id = 'r1';
const askedAt = '2026-11-21T10:00:00.000Z';
const deadline = '2026-11-21T10:01:00.000Z';
const facts = askFacts({ corpus_id: 'krk_2026', channel: 'stream', key_id: 3, asked_at: askedAt });
const question = questionAsked({ ...facts, deadline, body_hash: 'h' });
const source = {
  ref: 'law#1',
  doc_id: 1,
  doc_key: 'law',
  revision: 2,
  content_hash: 'c',
  chunk_index: '1',
  heading: 'One',
  title: null,
  url: null,
  source_url: null,
  event_date: null,
  layer: 'norm',
  lang: 'en' as const,
  score: 1,
};
const citation = { start: 0, end: 3, ref: 'law#1', quote: 'Yes', revision: 2, content_hash: 'c' };
const cause = { actor: 'public', correlation_id: id };

function history(now = askedAt) {
  const log = memoryLog();
  const clock = { now: () => new Date(now) };
  const commands = new Commands(log, clock);
  const pages = new SourceLinks({ publicUrl: null, secret: null, clock });
  const progress = new ProjectionProgress();
  const recorded = {
    stamp: () => progress.changes('queries'),
    after: (stamp: number, signal: AbortSignal) => progress.changed('queries', stamp, signal),
  };
  /** Reports that the read model of asks has changed. */
  const commit = () => progress.committed('queries', '1', ['queries']);
  return { log, commands, commit, history: new RecordedAsks(commands, clock, pages, recorded) };
}

test('does not find an unknown ask', async () => {
  const { history: asks } = history();
  expect(await asks.find(id)).toBeNull();
  await expect(asks.ended(id, new AbortController().signal)).rejects.toMatchObject({ code: 'not_found' });
});

test('reads a given answer as the parts in which it was streamed', async () => {
  const { commands, history: asks } = history();
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  expect(await asks.find(id)).toEqual({
    request_id: id,
    key_id: 3,
    corpus_id: question.corpus_id,
    query: question.query,
    asked_at: askedAt,
    deadline,
    body_hash: 'h',
    parts: null,
    replaced: null,
  });
  const data = answerGiven({
    ...facts,
    answer: 'Yes. (Law)',
    labels: [[4, 10]],
    sources: [source],
    citations: [citation],
    finish_reason: 'length',
    cached: true,
    replaced: 'shorter',
  });
  await commands.ask(id).execute({ type: 'End', ending: { type: 'AnswerGiven', data } }, cause);
  const found = await asks.ended(id, new AbortController().signal);
  const { doc_id: _, content_hash: __, score: ___, ...rest } = source;
  const page = '/source/krk_2026/1?revision=2&chunk=1#cited';
  const shown = { ...rest, url: page, page_url: page };
  expect(found.replaced).toBe('shorter');
  expect(found.parts).toEqual([
    { type: 'meta', request_id: id, mode: 'ordinary', lang: 'en', corpus_id: 'krk_2026' },
    { type: 'sources', source_refs: ['law#1'], sources: [shown] },
    { type: 'text', text: 'Yes' },
    { type: 'citation', ...citation },
    { type: 'text', text: '.' },
    { type: 'text', text: ' (Law)', label: true },
    {
      type: 'done',
      request_id: id,
      latency_ms: 20,
      answer: 'Yes. (Law)',
      mode: 'ordinary',
      finish_reason: 'length',
      cached: true,
    },
  ]);
});

test('reads a withheld answer as withheld, and a failed one as its error', async () => {
  const { commands, history: asks } = history();
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  const data = answerWithheld({
    ...facts,
    answer: 'Not found. Yes',
    citations: [{ ...citation, start: 11, end: 14 }],
  });
  await commands.ask(id).execute({ type: 'End', ending: { type: 'AnswerWithheld', data } }, cause);
  expect((await asks.find(id))?.parts?.map((part) => part.type)).toEqual([
    ...['meta', 'sources', 'text', 'citation', 'done'],
  ]);

  for (const [code, expected] of [
    ['timeout', 'timeout'],
    ['toString', 'internal'],
  ] as const) {
    const other = history();
    await other.commands.ask(id).execute({ type: 'Ask', question }, cause);
    const ending = { type: 'AnswerFailed' as const, data: { ...facts, code, retryable: true } };
    await other.commands.ask(id).execute({ type: 'End', ending }, cause);
    expect((await other.history.find(id))?.parts).toEqual([
      {
        type: 'error',
        request_id: id,
        code: expected,
        detail: 'The question could not be answered.',
        retryable: true,
      },
    ]);
  }
});

test('any process that waits for an overdue ask declares it abandoned', async () => {
  const { log, commands, history: asks } = history(deadline);
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  const found = await asks.ended(id, new AbortController().signal);
  expect(found.parts).toMatchObject([{ type: 'error', code: 'unavailable', retryable: true }]);
  expect(log.streams.get(`ask-${id}`)?.map((event) => event.type)).toEqual(['QuestionAsked', 'AskAbandoned']);
});

test('an answer of another process arrives with its record', async () => {
  const { log, commands, commit, history: asks } = history();
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  const reads = vi.spyOn(log, 'readStream');
  const ended = asks.ended(id, new AbortController().signal);
  await eventually(() => expect(reads).toHaveBeenCalledTimes(1));
  commit();
  await eventually(() => expect(reads).toHaveBeenCalledTimes(2));
  const data = { ...facts, lang: null };
  await commands.ask(id).execute({ type: 'End', ending: { type: 'AskCancelled', data } }, cause);
  commit();
  expect((await ended).parts).toMatchObject([{ type: 'error', code: 'cancelled' }]);
});

test('callers that wait for the same answer share one lookup, which stops when the last one disconnects', async () => {
  const { log, commands, commit, history: asks } = history();
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  const reads = vi.spyOn(log, 'readStream');
  const leaving = new AbortController();
  const stay = new AbortController();
  const left = Array.from({ length: 50 }, () => asks.ended(id, leaving.signal).catch(({ code }) => code));
  const stayed = asks.ended(id, stay.signal);
  await eventually(() => expect(reads).toHaveBeenCalledTimes(1));
  leaving.abort();
  expect(new Set(await Promise.all(left))).toEqual(new Set(['cancelled']));
  commit();
  await eventually(() => expect(reads).toHaveBeenCalledTimes(2));
  stay.abort();
  await expect(stayed).rejects.toMatchObject({ code: 'cancelled' });
  // A later caller begins a new lookup; the earlier one has stopped.
  const data = { ...facts, lang: null };
  await commands.ask(id).execute({ type: 'End', ending: { type: 'AskCancelled', data } }, cause);
  reads.mockClear();
  commit();
  const late = asks.ended(id, new AbortController().signal);
  expect((await late).parts).toMatchObject([{ type: 'error', code: 'cancelled' }]);
  expect(reads).toHaveBeenCalledTimes(1);
});

test('stops waiting when the signal aborts', async () => {
  const { commands, history: asks } = history();
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  await expect(asks.ended(id, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
});

test('cancels a running ask once, and nothing else', async () => {
  const { log, commands, history: asks } = history('2026-11-21T10:00:07.000Z');
  await asks.cancel(id, 'key:3');
  expect(log.streams.size).toBe(0);
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  await Promise.all([asks.cancel(id, 'key:3'), asks.cancel(id, 'key:3')]);
  await asks.cancel(id, 'key:3');
  const kept = log.streams.get(`ask-${id}`) ?? [];
  expect(kept.map((event) => [event.type, event.actor])).toEqual([
    ['QuestionAsked', 'public'],
    ['AskCancelled', 'key:3'],
  ]);
  expect(kept[1]?.data).toMatchObject({ request_id: id, key_id: 3, latency_ms: 7000 });
  expect((await asks.find(id))?.parts).toMatchObject([
    { type: 'error', code: 'cancelled', retryable: false },
  ]);
});

test('an answer is rated only by callers who may read its corpus', async () => {
  const { commands, commit, history: asks } = history();
  await commands.ask(id).execute({ type: 'Ask', question }, cause);
  commit();
  const rating = { rating: 'down' as const, comment: null };
  const by = { actor: 'key:9', key_id: question.key_id, subject: 'key:9', mayRead: () => false };
  await expect(asks.rate(id, rating, by)).rejects.toMatchObject({
    code: 'not_found',
    detail: 'There is no answer to rate under this request id.',
  });
});
