import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { Failure } from '../../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../../src/log/sqlite/log.ts';
import { LogStore } from '../../../src/log/sqlite/log-store.ts';
import { CoreMetrics } from '../../../src/operations/metrics/core.ts';
import { type OpenedDoor, openDoor } from '../../http/admin-door.ts';

let door: OpenedDoor | null = null;
afterEach(async () => {
  await door?.close();
  door = null;
});

const metrics = async (of: OpenedDoor): Promise<string> => (await of.call('GET', '/metrics')).body;
const value = (text: string, name: string): number | null => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
};

test('counts the stages of asks, their appends and outcomes by corpus and channel', async () => {
  door = await openDoor();
  const before = value(await door.registry.metrics(), 'docent_append_seconds_count{outcome="ok"}') ?? 0;
  await door.call('POST', '/api/ask', { query: 'When does the fish market open?' });
  await door.call('POST', '/api/ask', { query: 'Hello' });
  await door.call('POST', '/api/ask', { query: 'Who won the chess tournament?' });
  await door.call('POST', '/api/source-refs', { query: 'fish market' });
  const text = await metrics(door);
  const stage = (name: string) =>
    value(text, `docent_ask_stage_seconds_count{corpus="krk_2026",channel="http",stage="${name}"}`);
  // A greeting gets a fixed reply.
  expect(['record', 'understand', 'cache', 'retrieve', 'answer', 'end'].map(stage)).toEqual([
    3, 3, 2, 2, 2, 3,
  ]);
  expect(value(text, 'docent_append_seconds_count{outcome="ok"}')).toBe(before + 7);
  const asks = (channel: string, outcome: string) =>
    value(
      text,
      `docent_asks_total{corpus="krk_2026",channel="${channel}",outcome="${outcome}",cached="false"}`,
    );
  expect([asks('http', 'ordinary'), asks('http', 'greeting'), asks('http', 'no_answer')]).toEqual([1, 1, 1]);
  expect(asks('source-refs', 'ordinary')).toBe(1);
});

test('counts FAQ cache answers and requests rejected by a limit', async () => {
  door = await openDoor({ DOCENT_PUBLIC_RPM: 2, DOCENT_PUBLIC_RPH: 2 });
  const pair = { corpus_id: 'krk_2026', question: 'When is high tide?', answer: 'At noon.' };
  await door.call('POST', '/admin/api/faq-cache', pair);
  for (let i = 0; i < 3; i++) await door.call('POST', '/api/ask', { query: pair.question });
  const { key } = (await door.call('POST', '/admin/api/api-keys', { name: 'one' })).body;
  await door.call('POST', '/api/source-refs', { query: 'fish' }, { 'x-api-key': key });
  const text = await metrics(door);
  expect(value(text, 'docent_asks_total{corpus="krk_2026",channel="http",outcome="faq",cached="true"}')).toBe(
    2,
  );
  const limits = (channel: string, caller: string, outcome: string) =>
    value(
      text,
      `docent_limits_total{corpus="krk_2026",channel="${channel}",caller="${caller}",outcome="${outcome}"}`,
    );
  expect([limits('http', 'address', 'allowed'), limits('http', 'address', 'refused')]).toEqual([2, 1]);
  expect(limits('source-refs', 'key', 'allowed')).toBe(1);
  // Text from strangers in a URL must not name a series.
  await door.call('GET', '/source/made-up-by-a-stranger/1');
  expect(await metrics(door)).not.toContain('made-up-by-a-stranger');
});

test('counts a failed append with its code', async () => {
  const registry = new Registry();
  const refused = new Failure('storage_full', 'The disk is full.');
  const calls = directLog(new LogStore(':memory:'));
  const full = new EmbeddedLog({ ...calls, append: () => Promise.reject(refused) });
  const log = new CoreMetrics(registry).log(full);
  await expect(log.append('a', -1, [])).rejects.toBe(refused);
  await log.close();
  expect(value(await registry.metrics(), 'docent_append_seconds_count{outcome="storage_full"}')).toBe(1);
});
