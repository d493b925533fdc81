import { expect, it } from 'vitest';
import { history } from '../../src/admin/history.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { appendBytesMax, type EventLog, pageBytesMax } from '../../src/ports/event-log.ts';
import { note } from '../support/events.ts';

const acting = { name: 'olga', request_id: 'r' };
const large = 'x'.repeat(900_000);

/** A history of many large events in one stream, and its reader. */
async function written(count: number): Promise<{ ids: string[]; reader: ReturnType<typeof history> }> {
  const log: EventLog = new EmbeddedLog(directLog(new LogStore(':memory:')));
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const event = note(large);
    await log.append('large', n - 1, [event]);
    ids.push(event.id);
  }
  return { ids, reader: history({ log, audit: { read: async () => {} } as never }) };
}

const bytesOf = (items: readonly { data: unknown }[]) =>
  items.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
const bound = pageBytesMax + appendBytesMax;

it.each(['forwards', 'backwards'] as const)('pages of large events end early, %s', async (direction) => {
  const { ids, reader } = await written(12);
  const found: string[] = [];
  for (let position: string | undefined; ; ) {
    const { items, next } = await reader.events({ direction, position, limit: 500 }, acting);
    expect(bytesOf(items)).toBeLessThan(bound);
    found.push(...items.map(({ id }) => id));
    if (next === null) break;
    position = next;
  }
  expect(found).toEqual(direction === 'forwards' ? ids : ids.toReversed());
});

it('pages of a stream also end early, from any revision to its end', async () => {
  const { ids, reader } = await written(12);
  const found: string[] = [];
  for (let from_revision = 1; ; ) {
    const { items, next } = await reader.stream('large', { from_revision, limit: 500 }, acting);
    expect(bytesOf(items)).toBeLessThan(bound);
    found.push(...items.map(({ id }) => id));
    if (next === null) break;
    expect(next).toBe(from_revision + items.length);
    from_revision = next;
  }
  expect(found).toEqual(ids.slice(1));
});

it.each([1, 11, 12, 13])('a page of a stream has %i events if they are small', async (limit) => {
  const log: EventLog = new EmbeddedLog(directLog(new LogStore(':memory:')));
  await log.append(
    'small',
    -1,
    Array.from({ length: 12 }, () => note()),
  );
  const reader = history({ log, audit: { read: async () => {} } as never });
  const { items, next } = await reader.stream('small', { from_revision: 0, limit }, acting);
  expect([items.length, next]).toEqual([Math.min(limit, 12), limit < 12 ? limit : null]);
});
