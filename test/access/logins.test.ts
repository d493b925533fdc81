import { beforeAll, expect, test } from 'vitest';
import { newAdmin } from '../../src/access/admins.ts';
import { AdminLogins } from '../../src/access/logins.ts';
import type { Admin } from '../../src/config.ts';
import { ManualClock } from '../stores/limiter.contract.ts';

let admins: Admin[];
beforeAll(async () => {
  admins = [await newAdmin('olga', 'admin', 'right'), await newAdmin('aidar', 'auditor', 'also right')];
});

function open() {
  const clock = new ManualClock();
  const failures: (string | null)[] = [];
  const waits: number[] = [];
  const logins = new AdminLogins({
    admins,
    clock,
    onFailure: (name) => failures.push(name),
    wait: async (ms) => waits.push(ms),
  });
  return { clock, failures, waits, logins };
}
const refused = (code: string) => expect.objectContaining({ name: 'Failure', code });

test('the right password lets in, with the role it has', async () => {
  const { logins, failures } = open();
  expect(await logins.login('olga', 'right', '10.0.0.1')).toEqual({ name: 'olga', role: 'admin' });
  expect(await logins.login('aidar', 'also right', '10.0.0.1')).toEqual({ name: 'aidar', role: 'auditor' });
  expect(failures).toEqual([]);
});

test('wrong ones do not, are counted by configured names only, and slowed down', async () => {
  const { logins, failures, waits } = open();
  for (const [name, password] of [
    ['olga', 'wrong'],
    ['right', 'olga'],
    ['aidar', 'right'],
    ['', ''],
  ] as const)
    await expect(logins.login(name, password, '10.0.0.1')).rejects.toEqual(refused('unauthorized'));
  expect(failures).toEqual(['olga', null, 'aidar', null]);
  expect(waits).toEqual([0, 100, 200, 300]);
});

test('a password that was right is remembered for a minute, another one is not taken for it', async () => {
  const { clock, logins } = open();
  await logins.login('olga', 'right', '10.0.0.1');
  clock.ms += 59_999;
  expect(await logins.login('olga', 'right', '10.0.0.2')).toEqual({ name: 'olga', role: 'admin' });
  await expect(logins.login('olga', 'Right', '10.0.0.2')).rejects.toEqual(refused('unauthorized'));
  clock.ms += 1;
  expect(await logins.login('olga', 'right', '10.0.0.2')).toEqual({ name: 'olga', role: 'admin' });
});

test('after ten failures an address waits until they are a minute old; others do not', async () => {
  const { clock, logins, failures } = open();
  for (let i = 0; i < 10; i++) {
    await expect(logins.login('olga', `wrong ${i}`, '10.0.0.1')).rejects.toEqual(refused('unauthorized'));
    clock.ms += 1000;
  }
  const limited = { name: 'Failure', code: 'rate_limited', retryAfterS: 50 };
  await expect(logins.login('olga', 'right', '10.0.0.1')).rejects.toMatchObject(limited);
  expect(failures).toHaveLength(11);
  expect(await logins.login('olga', 'right', '10.0.0.2')).toMatchObject({ name: 'olga' });
  clock.ms += 49_999;
  await expect(logins.login('olga', 'right', '10.0.0.1')).rejects.toEqual(refused('rate_limited'));
  clock.ms += 1;
  expect(await logins.login('olga', 'right', '10.0.0.1')).toMatchObject({ name: 'olga' });
});

test('many wrong ones at once are no more than many one after the other', async () => {
  const { logins } = open();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => logins.login('olga', `wrong ${i}`, '10.0.0.1')),
  );
  const codes = outcomes.map((one) => one.status === 'rejected' && (one.reason as { code: string }).code);
  expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(10);
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(10);
});

test('many right ones at once are looked at once and do not count', async () => {
  const { logins, failures } = open();
  const all = await Promise.all(Array.from({ length: 50 }, () => logins.login('olga', 'right', '10.0.0.1')));
  expect(new Set(all.map(({ name }) => name))).toEqual(new Set(['olga']));
  expect(await logins.login('aidar', 'also right', '10.0.0.1')).toMatchObject({ role: 'auditor' });
  expect(failures).toEqual([]);
});
