import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Client, RequestLimits, weightOf } from '../../src/http/request-limits.ts';
import { settle } from './fake-app.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const client = (name: string, more: Partial<Client> = {}): Client => ({
  name,
  block: null,
  share: 1,
  ...more,
});

/**
 * What happens to the client's next requests: admitted, or the code of the error. Waiting requests are not listed.
 */
function enter(limits: RequestLimits, of: Client, count: number) {
  const outcomes: (string | (() => void))[] = [];
  for (let n = 0; n < count; n++)
    limits.enter(of).then(
      (leave) => outcomes.push(leave),
      ({ code }) => outcomes.push(code),
    );
  const codes = () => outcomes.map((one) => (typeof one === 'string' ? one : 'in'));
  const leave = () => {
    for (const one of outcomes.splice(0)) if (typeof one !== 'string') one();
  };
  return { codes, leave };
}

test('a client has six requests in flight; further ones wait up to two seconds or are rejected', async () => {
  const limits = new RequestLimits();
  const mine = enter(limits, client('a'), 40);
  const other = enter(limits, client('b'), 1);
  await settle();
  expect(mine.codes().filter((code) => code === 'in')).toHaveLength(6);
  expect(mine.codes().filter((code) => code === 'rate_limited')).toHaveLength(2);
  expect(other.codes()).toEqual(['in']);
  mine.leave();
  await settle();
  expect(mine.codes()).toEqual(Array(6).fill('in'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(mine.codes().filter((code) => code === 'rate_limited')).toHaveLength(26);
  mine.leave();
  const next = enter(limits, client('a'), 1);
  await settle();
  expect(next.codes()).toEqual(['in']);
});

test('delays, then rejects a client above its rate, and counts rejected requests as well', async () => {
  const limits = new RequestLimits();
  const refused = weightOf({ refused: true });
  for (let n = 0; n < 10; n++) expect(limits.charge(client('a'), refused)).toBe(0);
  const held = enter(limits, client('a'), 1);
  await settle();
  expect(held.codes()).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(held.codes()).toEqual(['in']);
  for (let n = 0; n < 5; n++) limits.charge(client('a'), refused);
  const late = enter(limits, client('a'), 1);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(late.codes()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(late.codes()).toEqual(['rate_limited']);
  await vi.advanceTimersByTimeAsync(15_000);
  const again = enter(limits, client('a'), 1);
  await settle();
  expect(again.codes()).toEqual(['in']);
});

test('counts a large body as several requests', () => {
  const limits = new RequestLimits();
  const megabyte = weightOf({ bytes: 2 ** 20 });
  for (let n = 0; n < 3; n++) expect(limits.charge(client('a'), megabyte)).toBe(0);
  expect(limits.charge(client('a'), megabyte)).toBeGreaterThan(1_000);
});

test('gives the networks of a block the combined rate of four clients', () => {
  const limits = new RequestLimits();
  const from = (n: number) => client(`2001:db8:1:${n}::/64`, { block: '2001:db8:1::/48' });
  for (let n = 0; n < 400; n++) expect(limits.charge(from(n), 1)).toBe(0);
  expect(limits.charge(from(500), 1)).toBeGreaterThan(0);
  expect(limits.charge(client('2001:db8:2:1::/64', { block: '2001:db8:2::/48' }), 1)).toBe(0);
});

test('gives a client with a double share twice as much, and never rejects one without a limit', async () => {
  const limits = new RequestLimits();
  const two = enter(limits, client('two', { share: 2 }), 13);
  const all = enter(limits, client('all', { share: Number.POSITIVE_INFINITY }), 500);
  await settle();
  expect(two.codes()).toHaveLength(12);
  expect(all.codes()).toEqual(Array(500).fill('in'));
});
