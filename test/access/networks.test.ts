import { expect, test } from 'vitest';
import { networkOf, subjectOf } from '../../src/access/networks.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:52100', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:8080', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('text that is not an address stays short', () => {
  expect(networkOf('x'.repeat(5_000))).toHaveLength(64);
});

test('a subject is stable for a day and a secret, and does not contain the address', () => {
  const secret = Buffer.alloc(32, 1);
  const at = (time: string, key = secret) => subjectOf('203.0.113.7', new Date(time), key);
  const morning = at('2026-05-01T00:00:00.000Z');
  expect(at('2026-05-01T23:59:59.999Z')).toBe(morning);
  expect(at('2026-05-02T00:00:00.000Z')).not.toBe(morning);
  expect(at('2026-05-01T00:00:00.000Z', Buffer.alloc(32, 2))).not.toBe(morning);
  expect(subjectOf('203.0.113.8', new Date('2026-05-01T00:00:00.000Z'), secret)).not.toBe(morning);
  expect(morning).toMatch(/^net:[\w-]{22}$/);
});
