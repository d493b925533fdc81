import { expect, test } from 'vitest';
import { newAdmin } from '../../src/access/admins.ts';
import { AdminLogins, type LoginSource } from '../../src/access/logins.ts';
import type { Admin } from '../../src/config.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const admins: Admin[] = [
  { name: 'olga', role: 'admin', hash: 'right' },
  { name: 'aidar', role: 'auditor', hash: 'also right' },
];
const derivationMs = 60;
/** On a busy or slow processor. */
const slowMs = 300;

const from = (address = '10.0.0.1'): LoginSource => ({ address, connection: { destroyed: false } });

/** Logins with a virtual clock. A hash is the password itself; checking it takes `checkMs`. */
function open(checkMs = derivationMs) {
  const time = new VirtualTime();
  const failures: (string | null)[] = [];
  let looks = 0;
  const logins = new AdminLogins({
    admins,
    onFailure: (name) => failures.push(name),
    now: time.now,
    wait: time.sleep,
    verify: async (password, hash) => {
      looks++;
      await time.sleep(checkMs);
      return password === hash;
    },
  });
  /** 'in', or the code of the failure. */
  const login = (name: string, password: string, source: string | LoginSource = from()): Promise<string> =>
    logins.login(name, password, typeof source === 'string' ? from(source) : source).then(
      () => 'in',
      (error: { code: string }) => error.code,
    );
  return { time, failures, logins, login, looks: () => looks };
}

test('a correct password grants its role; failures are reported only for configured names', async () => {
  const hashed = [await newAdmin('olga', 'admin', 'right'), await newAdmin('aidar', 'auditor', 'also right')];
  const failures: unknown[] = [];
  const logins = new AdminLogins({ admins: hashed, onFailure: (name) => failures.push(name) });
  expect(await logins.login('olga', 'right', from())).toEqual({ name: 'olga', role: 'admin' });
  expect(await logins.login('aidar', 'also right', from())).toEqual({ name: 'aidar', role: 'auditor' });
  expect(failures).toEqual([]);
  for (const [name, password] of [
    ['olga', 'also right'],
    ['nobody', 'right'],
    ['', ''],
  ] as const)
    await expect(logins.login(name, password, from())).rejects.toMatchObject({ code: 'unauthorized' });
  expect(failures).toEqual(['olga', null, null]);
});

test('remembers a correct password, and accepts no other one for it', async () => {
  const { time, login, looks } = open();
  await time.until(login('olga', 'right'));
  time.ms += 30 * 24 * 3_600_000;
  expect(await time.until(login('olga', 'right', '10.0.0.2'))).toBe('in');
  expect(looks()).toBe(1);
  expect(await time.until(login('olga', 'Right', '10.0.0.2'))).toBe('unauthorized');
});

test('many simultaneous correct logins are checked once and do not count', async () => {
  const { time, login, failures, looks } = open();
  const all = await time.until(Promise.all(Array.from({ length: 50 }, () => login('olga', 'right'))));
  expect(new Set(all)).toEqual(new Set(['in']));
  expect(looks()).toBe(1);
  expect(failures).toEqual([]);
});

test('after ten failures, logins from a network are rejected unchecked for a minute', async () => {
  const { time, logins, login, failures, looks } = open();
  for (let i = 0; i < 10; i++) expect(await time.until(login('olga', `wrong ${i}`))).toBe('unauthorized');
  await expect(logins.login('olga', 'right', from())).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterS: 59,
  });
  expect([failures.length, looks()]).toEqual([11, 10]);
  // Other networks have no failures.
  expect(await time.until(login('olga', 'right', '10.0.0.2'))).toBe('in');
  expect(await login('olga', 'right')).toBe('in');
  expect(await login('aidar', 'also right')).toBe('rate_limited');
  time.ms += 60_000;
  expect(await time.until(login('aidar', 'also right'))).toBe('in');
});

test('the networks of an IPv6 block count as one, and a network that has logged in is never locked out', async () => {
  const { time, login } = open();
  for (let i = 0; i < 10; i++) await time.until(login('olga', `wrong ${i}`, `2001:db8:0:${i}::1`));
  expect(await login('olga', 'right', '2001:db8:0:ff::1')).toBe('rate_limited');
  expect(await time.until(login('olga', 'right', '10.0.0.1'))).toBe('in');
  for (let i = 0; i < 20; i++) await time.until(login('aidar', `wrong ${i}`, '10.0.0.1'));
  expect(await time.until(login('aidar', 'also right', '10.0.0.1'))).toBe('in');
});

/** Wrong logins for olga from this many networks, each sent as soon as the previous one is answered. */
function guessing(login: ReturnType<typeof open>['login'], time: VirtualTime, networks: number) {
  const state = { going: true };
  const all = Array.from({ length: networks }, async (_, n) => {
    for (let i = 0; state.going; i++) {
      await login('olga', `wrong ${n} ${i}`, `10.1.${n}.1`);
      await time.sleep(50);
    }
  });
  return { state, all };
}

test.each([
  ['that begin simultaneously', 0],
  ['that have gone on for a while', 30_000],
])('a first correct login succeeds despite guesses from a hundred networks %s', async (_, ms) => {
  const { time, login } = open();
  const { state, all } = guessing(login, time, 100);
  await time.until(time.sleep(ms));
  const asked = time.ms;
  while ((await time.until(login('olga', 'right', '10.0.0.9'))) !== 'in') await time.until(time.sleep(100));
  expect(time.ms - asked).toBeLessThanOrEqual(2_000);
  state.going = false;
  await time.until(Promise.all(all));
});

test.each([derivationMs, slowMs])('guesses that take %i ms take a third of a processor', async (checkMs) => {
  const { time, login, looks } = open(checkMs);
  const { state, all } = guessing(login, time, 100);
  await time.until(time.sleep(10_000));
  const [before, since] = [looks(), time.ms];
  await time.until(time.sleep(10_000));
  const share = ((looks() - before) * checkMs) / (time.ms - since);
  expect(share).toBeLessThan(0.36);
  state.going = false;
  await time.until(Promise.all(all));
});

test('an abandoned login is not checked, and does not count as a failure', async () => {
  const { time, login, looks, failures } = open();
  const first = login('olga', 'wrong');
  const left = { address: '10.0.0.2', connection: { destroyed: true } };
  const gone = [login('olga', 'left 1', left), login('olga', 'left 2', left)];
  expect(await time.until(login('olga', 'right', '10.0.0.3'))).toBe('in');
  expect(await Promise.all(gone)).toEqual(['cancelled', 'cancelled']);
  await first;
  expect([looks(), failures]).toEqual([2, ['olga']]);
});
