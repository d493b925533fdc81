/** The record of an ask stays small for any question, and contains everything needed to show the answer again. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { EventTypes, HistoryMessage } from '../../src/domain/events.ts';
import { citationsOf } from '../../src/domain/recorded-citations.ts';
import { LogStore, type StoredRow } from '../../src/log/sqlite/log-store.ts';
import { answerOf } from '../support/asking.ts';
import { newFolder } from '../support/folder.ts';

/** The size in bytes of one event's data. */
const bytesMax = 64 * 1024;

const data = newFolder('event-size');
let app: Service;

/** Articles as long as the longest quotation, in one chapter. Each occurs twice, so that it is found twice. */
function law(): string {
  const sentence = 'Настоящая статья устанавливает порядок, сроки и условия рассмотрения обращений граждан. ';
  const articles = Array.from(
    { length: 120 },
    (_, n) => `## Статья ${n + 1}. О порядке номер ${n + 1}\n\n${sentence.repeat(25)}\n`,
  );
  return `# Устав\n\n# Глава 1. Общее\n\n${articles.join('\n')}`;
}

beforeAll(async () => {
  app = await openApp(readConfig({ DOCENT_DATA: data }, join(data, 'none')));
  const path = newFolder('law', { 'one.md': law(), 'two.md': law() });
  await app.ingest({ path, corpus_id: 'law', actor: 'system' });
  await app.caughtUp();
});

afterAll(() => app.close());

const ask = async (query: string, history: HistoryMessage[] = []) =>
  (await answerOf(app, query, { corpus_id: 'law', history, subject: 'someone' })).done;

function rowsOf(log: LogStore, stream: string): StoredRow[] {
  const rows: StoredRow[] = [];
  for (;;) {
    const page = log.readStream(stream, rows.length, 1000);
    rows.push(...page.rows);
    if (!page.more) return rows;
  }
}

/** The stored size of an ask's events, sealed. */
function bytesOf(requestId: string): number[] {
  const log = new LogStore(join(data, 'history.sqlite'), { readOnly: true });
  try {
    return rowsOf(log, `ask-${requestId}`).map(({ data: text }) => Buffer.byteLength(text));
  } finally {
    log.close();
  }
}

/** The contents of an ask's events. */
async function eventsOf(requestId: string): Promise<unknown[]> {
  const acting = { name: 'aidar', request_id: 'r' };
  const { items } = await app.admin.stream(`ask-${requestId}`, { from_revision: 0, limit: 10 }, acting);
  return items.map((event) => event.data);
}

const full = (content: string): HistoryMessage[] =>
  Array.from({ length: 20 }, (_, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content }));

test.each<[string, string, HistoryMessage[]]>([
  ['many provisions', 'статьи 1-30', []],
  ['a chapter with many provisions', 'глава 1', []],
  ['a comparison of many provisions', 'сравни статьи 1-30', []],
  ['missing provisions', 'статьи 500-529', []],
  ['a question consisting of escape characters', '\u0001'.repeat(2000), []],
  [
    'the longest histories',
    'а подробнее?',
    full('порядок рассмотрения обращений '.repeat(129).slice(0, 4000)),
  ],
  ['histories consisting of escape characters', 'а подробнее?', full('\u0001'.repeat(4000))],
])('creates small events for %s', async (_name, query, history) => {
  const { request_id } = await ask(query, history);
  const sizes = bytesOf(request_id);
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThan(bytesMax);
});

test('a long answer says what it omits, and every citation shows its passage', async () => {
  const { request_id, finish_reason, answer } = await ask('статьи 1-30');
  expect(finish_reason).toBe('length');
  const given = (await eventsOf(request_id))[1] as EventTypes['AnswerGiven'];
  expect(given.answer).toBe(answer);
  expect(given.citations.some((citation) => 'quote' in citation)).toBe(false);
  const citations = citationsOf(given);
  expect(citations.length).toBeGreaterThan(4);
  for (const { ref, revision, content_hash, quote, source_start } of citations) {
    const source = given.sources.find((one) => one.ref === ref && one.revision === revision)!;
    expect(source.content_hash).toBe(content_hash);
    expect(textOf(source.doc_id, revision).slice(source_start, source_start! + quote.length)).toBe(quote);
  }
  for (const { doc_id, revision, chunk_index } of given.passages)
    expect(chunksOf(doc_id, revision)).toContain(chunk_index);
});

test('records only the used part of each turn', async () => {
  const history: HistoryMessage[] = [
    { role: 'user', content: 'статья 7' },
    { role: 'assistant', content: 'Статья 7 устанавливает порядок.' },
    { role: 'user', content: 'в'.repeat(900) },
    { role: 'assistant', content: 'Чужие слова.' },
  ];
  const second = await ask('а статья 8?', history);
  const [asked] = (await eventsOf(second.request_id)) as [EventTypes['QuestionAsked']];
  expect(asked.history).toEqual([
    { role: 'user', content: 'статья 7' },
    { role: 'assistant', content: 'Статья 7 устанавливает порядок.' },
    {
      role: 'user',
      content: 'в'.repeat(500),
      cut: { units: 900, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
    { role: 'assistant', content: 'Чужие слова.' },
  ]);
  expect(asked).not.toHaveProperty('history_unread');
});

function batchesOf(docId: number, revision: number): EventTypes['ChunksAdded'][] {
  const log = new LogStore(join(data, 'history.sqlite'), { readOnly: true });
  try {
    return rowsOf(log, `document-${docId}`)
      .filter(({ type }) => type === 'ChunksAdded')
      .map(({ data: text }) => JSON.parse(text) as EventTypes['ChunksAdded'])
      .filter((batch) => batch.revision === revision);
  } finally {
    log.close();
  }
}

const textOf = (docId: number, revision: number) =>
  batchesOf(docId, revision)
    .map(({ text }) => text)
    .join('');
const chunksOf = (docId: number, revision: number) =>
  batchesOf(docId, revision).flatMap(({ chunks }) => chunks.map(({ chunk_index }) => chunk_index));
