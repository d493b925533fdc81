import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AdminSessions, type AdminSessionsDeps } from '../../src/access/sessions.ts';
import type { Admin } from '../../src/config.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { ManualClock } from '../support/manual-clock.ts';

const olga: Admin = { name: 'olga', role: 'admin', hash: 'one' };
const { name, role } = olga;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Instances over one history, with a virtual clock. */
function open() {
  const log: EventLog = new EmbeddedLog(directLog(new LogStore(':memory:')));
  const clock = new ManualClock();
  const instance = (deps: Partial<AdminSessionsDeps> = {}, own = log) =>
    new AdminSessions({ commands: new Commands(own, clock), clock, admins: [olga], provider: null, ...deps });
  return { log, clock, instance };
}

test('a session is known to every instance, for twelve hours', async () => {
  const { clock, instance } = open();
  const { text, session } = await instance().open({ name, role }, 'password', 'r1');
  expect(session).toEqual({ name, role, expires_at: '2026-01-01T22:00:00.000Z' });
  expect(await instance().find(text)).toEqual(session);
  for (const other of ['', 'x', text.slice(1), `${text.slice(0, -2)}zz`, `${text} `])
    expect(await instance().find(other)).toBeNull();
  clock.ms += 12 * 3_600_000 - 1;
  expect(await instance().find(text)).not.toBeNull();
  clock.ms += 1;
  expect(await instance().find(text)).toBeNull();
});

test('after signing out, an instance rejects the session immediately, and others within half a second', async () => {
  const { instance } = open();
  const [here, there] = [instance(), instance()];
  const { text } = await here.open({ name, role }, 'password', 'r1');
  expect(await there.find(text)).not.toBeNull();
  await here.close(text, 'r2');
  expect(await here.find(text)).toBeNull();
  vi.advanceTimersByTime(500);
  expect(await there.find(text)).toBeNull();
  await here.close(text, 'r3');
});

test('a session ends when the password, the role, the name or the provider is no longer configured', async () => {
  const { instance } = open();
  const provider = 'provider one';
  const first = instance({ provider });
  const byPassword = (await first.open({ name, role }, 'password', 'r1')).text;
  const byProvider = (await first.open({ name: 'sso:olga', role }, 'provider', 'r2')).text;
  const found = async (deps: Partial<AdminSessionsDeps>) => {
    const later = instance({ provider, ...deps });
    return [await later.find(byPassword), await later.find(byProvider)].map((session) => session !== null);
  };
  expect(await found({})).toEqual([true, true]);
  expect(await found({ admins: [{ ...olga, hash: 'two' }] })).toEqual([false, true]);
  expect(await found({ admins: [{ ...olga, role: 'auditor' }] })).toEqual([false, true]);
  expect(await found({ admins: [{ ...olga, name: 'vera' }] })).toEqual([false, true]);
  expect(await found({ provider: 'provider two' })).toEqual([true, false]);
  expect(await found({ provider: null })).toEqual([true, false]);
});

test('while the history cannot be read, known sessions stay valid', async () => {
  const { log, instance } = open();
  let down = false;
  const failing = new Proxy(log, {
    get: (target, key) =>
      key === 'readStream' && down
        ? () => Promise.reject(new Failure('unavailable', 'The history is down.'))
        : Reflect.get(target, key).bind(target),
  });
  const sessions = instance({}, failing);
  const { text } = await sessions.open({ name, role }, 'password', 'r1');
  down = true;
  vi.advanceTimersByTime(500);
  expect(await sessions.find(text)).not.toBeNull();
});

test('the history contains neither the text nor the password hash of a session', async () => {
  const { log, instance } = open();
  const { text } = await instance().open({ name, role }, 'password', 'r1');
  const [event] = await log.readStream('admin-sessions', 0);
  expect(JSON.stringify(event)).not.toContain(text);
  expect(event!.data).toMatchObject({ name, role, credential: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(event!.actor).toBe('admin:olga');
});
