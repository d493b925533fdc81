import { expect, test, vi } from 'vitest';
import { newAdmin } from '../../src/access/admins.ts';
import { AdminLogins, type LoginSource } from '../../src/access/logins.ts';
import type { Admin } from '../../src/config.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const admins: Admin[] = [
  { name: 'olga', role: 'admin', hash: 'right' },
  { name: 'aidar', role: 'auditor', hash: 'also right' },
];
const derivationMs = 60;

/** Of an address, over a connection that nothing came over before. */
const from = (address = '10.0.0.1'): LoginSource => ({ address, connection: { destroyed: false } });

/** Numbers from 0 to 1 by chance, the same ones for a seed (a linear congruential generator). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Log-ins in a time of their own; a hash is the password itself, and looking at it takes as long as it does. */
function open(seed = 1) {
  const time = new VirtualTime();
  const failures: (string | null)[] = [];
  let looks = 0;
  const logins = new AdminLogins({
    admins,
    onFailure: (name) => failures.push(name),
    now: time.now,
    wait: time.sleep,
    random: chance(seed),
    verify: async (password, hash) => {
      looks++;
      await time.sleep(derivationMs);
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

test('the right password lets in, with the role it has', async () => {
  const hashed = [await newAdmin('olga', 'admin', 'right'), await newAdmin('aidar', 'auditor', 'also right')];
  const failures: unknown[] = [];
  const logins = new AdminLogins({ admins: hashed, onFailure: (name) => failures.push(name) });
  expect(await logins.login('olga', 'right', from())).toEqual({ name: 'olga', role: 'admin' });
  expect(await logins.login('aidar', 'also right', from())).toEqual({ name: 'aidar', role: 'auditor' });
  expect(failures).toEqual([]);
  await expect(logins.login('olga', 'also right', from())).rejects.toMatchObject({
    code: 'unauthorized',
  });
  await expect(logins.login('nobody', 'right', from())).rejects.toMatchObject({ code: 'unauthorized' });
  expect(failures).toEqual(['olga', null]);
});

test('wrong ones do not, are told by configured names only, and answered later one after the other', async () => {
  const { time, login, failures } = open();
  const took: number[] = [];
  for (const [name, password] of [
    ['olga', 'wrong'],
    ['right', 'olga'],
    ['aidar', 'right'],
    ['', ''],
    ['olga', 'wrong again'],
    ['olga', 'and again'],
  ] as const) {
    const began = time.ms;
    expect(await time.until(login(name, password))).toBe('unauthorized');
    took.push(time.ms - began - derivationMs);
  }
  expect(failures).toEqual(['olga', null, 'aidar', null, 'olga', 'olga']);
  // Each name has failures of its own; all that are none have theirs together. Who has failed rests 120 ms after a look.
  expect(took).toEqual([0, 0, 0, 100, 120, 220]);
});

test('a password that was right is remembered, another one is not taken for it', async () => {
  const { time, login, looks } = open();
  await time.until(login('olga', 'right'));
  time.ms += 59_000;
  expect(await time.until(login('olga', 'right', '10.0.0.2'))).toBe('in');
  expect(looks()).toBe(1);
  expect(await time.until(login('olga', 'Right', '10.0.0.2'))).toBe('unauthorized');
  time.ms += 30 * 24 * 3_600_000;
  expect(await time.until(login('olga', 'right', '10.0.0.3'))).toBe('in');
  expect(looks()).toBe(2);
});

test('the same wrong password sent again and again is refused each time, looked at once and counts once', async () => {
  const { time, login, failures, looks } = open();
  for (let i = 0; i < 30; i++) expect(await time.until(login('olga', 'last year'))).toBe('unauthorized');
  expect(failures).toHaveLength(30);
  expect(looks()).toBe(1);
});

test('after ten failures others of the name and network are refused for a minute, right ones are let in', async () => {
  const { time, logins, login, failures } = open();
  for (let i = 0; i < 10; i++) expect(await time.until(login('olga', `wrong ${i}`))).toBe('unauthorized');
  const refused = logins.login('olga', 'wrong 10', from());
  await expect(time.until(refused)).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 56 });
  expect(failures).toHaveLength(11);
  const began = time.ms;
  expect(await time.until(login('olga', 'right'))).toBe('in');
  expect(time.ms - began).toBeLessThanOrEqual(1000);
  // Elsewhere, and with another name, nobody has failed.
  expect(await time.until(login('olga', 'wrong', '10.0.0.2'))).toBe('unauthorized');
  expect(await time.until(login('aidar', 'wrong'))).toBe('unauthorized');
  time.ms += 60_000;
  expect(await time.until(login('olga', 'wrong 11'))).toBe('unauthorized');
});

test('many wrong ones at once are no more than many one after the other', async () => {
  const { time, login, looks } = open();
  const codes = await time.until(
    Promise.all(Array.from({ length: 100 }, (_, i) => login('olga', `wrong ${i}`))),
  );
  expect(codes).not.toContain('in');
  expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThanOrEqual(88);
  expect(looks()).toBeLessThanOrEqual(12);
});

const floods: [string, (i: number) => [name: string, address: string], triesMax: number][] = [
  ['of the same name and network', () => ['olga', '10.0.0.1'], 1],
  ['of other names', (i) => [`name ${i}`, '10.0.0.1'], 1],
  ['from other networks', (i) => ['olga', `10.0.${i}.2`], 1],
  ['of names and networks of all kinds', (i) => [i % 2 ? 'olga' : 'aidar', `10.0.${i % 7}.1`], 4],
];
const seeds = Array.from({ length: 5 }, (_, seed) => seed);
test.each(floods)(
  'wrong ones at once, %s, keep a right one out no longer than a second a try',
  async (_, of, triesMax) => {
    for (const seed of seeds) {
      const { time, login } = open(seed);
      const wrong = (first: number, n: number) =>
        Array.from({ length: n }, (_, i) => login(of(first + i)[0], `wrong ${i}`, of(first + i)[1]));
      const before = wrong(0, 200);
      const began = time.ms;
      let tries = 1;
      while ((await time.until(login('olga', 'right'))) !== 'in') tries++;
      expect(tries).toBeLessThanOrEqual(triesMax);
      expect(time.ms - began).toBeLessThanOrEqual(1000 * triesMax);
      await time.until(Promise.all(before));
      // Whoever is logged in does not wait at all.
      const after = wrong(200, 200);
      const then = time.ms;
      expect(await time.until(login('olga', 'right'))).toBe('in');
      expect(time.ms).toBe(then);
      await time.until(Promise.all(after));
    }
  },
);

/** All over one connection. */
const over = (source: LoginSource) => () => source;

/** Wrong log-ins of olga's from where `of` says, each `everyMs`, and after ten seconds a right one, over and over. */
async function untilIn(seed: number, everyMs: number, of: (n: number) => LoginSource, own = over(from())) {
  const { time, login, looks } = open(seed);
  const wrong: Promise<string>[] = [];
  const send = () => {
    const n = wrong.length;
    wrong.push(login('olga', `wrong ${n}`, of(n)));
    return time.until(time.sleep(everyMs));
  };
  while (time.ms < 10_000) await send();
  const looksPerS = looks() / 10;
  const began = time.ms;
  let tries = 0;
  for (let code = ''; code !== 'in' && tries < 100; ) {
    tries++;
    let answered = false;
    const right = login('olga', 'right', own()).then((one) => {
      code = one;
      answered = true;
    });
    while (!answered) await send();
    await right;
  }
  const ms = time.ms - began;
  await time.until(Promise.all(wrong));
  return { tries, ms, looksPerS };
}

const connections = Array.from({ length: 50 }, () => from());
const neighbours = (n: number) => from(`2001:db8:0:1::${(n % 50).toString(16)}`);
test.each([
  ['over the same connections', (n: number) => connections[n % connections.length]!, from()],
  ['over one connection', () => connections[0]!, from()],
  ['of other addresses of the network', neighbours, from('2001:db8:0:1::ffff')],
])('a steady stream of wrong ones, %s, does not keep the first right one out', async (_, of, own) => {
  for (const seed of seeds) {
    const { tries, ms } = await untilIn(seed, 20, of, over({ ...own, connection: { destroyed: false } }));
    expect(tries).toBe(1);
    expect(ms).toBeLessThanOrEqual(1000);
  }
});

test('a right one that is sent again over its connection goes before all that come over ever new ones', async () => {
  for (const seed of seeds) {
    const { tries, ms } = await untilIn(seed, 20, () => from());
    expect(tries).toBeLessThanOrEqual(2);
    expect(ms).toBeLessThanOrEqual(2000);
  }
});

test('among as many wrong ones over new connections a right one over such has the chance of each, however they are timed', async () => {
  // As many as are looked at, so that each would be the latest whenever one is chosen.
  const few = await Promise.all(seeds.map((seed) => untilIn(seed, 200, () => from(), from)));
  expect(Math.max(...few.map(({ tries }) => tries))).toBeLessThanOrEqual(3);
  const many = await Promise.all(seeds.map((seed) => untilIn(seed, 50, () => from(), from)));
  expect(Math.max(...many.map(({ looksPerS }) => looksPerS))).toBeLessThanOrEqual(6.5);
  // A quarter of them is looked at.
  expect(many.reduce((sum, { tries }) => sum + tries, 0) / seeds.length).toBeLessThan(25);
});

test('what nobody waits for any more is not looked at, and keeps nobody out', async () => {
  const { time, login, looks } = open();
  for (let i = 0; i < 10; i++) await time.until(login('olga', `wrong ${i}`));
  const before = looks();
  // The one that is looked at at once.
  const first = login('olga', 'wrong still');
  const left = { ...from(), connection: { destroyed: true } };
  const gone = Array.from({ length: 20 }, (_, i) => login('olga', `left ${i}`, left));
  expect(await time.until(login('olga', 'right'))).toBe('in');
  expect(new Set(await time.until(Promise.all(gone)))).toEqual(new Set(['rate_limited']));
  await time.until(first);
  expect(looks()).toBe(before + 2);
});

test.each([
  ['of the same name', () => 'olga'],
  ['of names that are none', (i: number) => `name ${i}`],
  ['of both', (i: number) => (i % 2 === 0 ? 'olga' : `name ${i}`)],
])(
  'a steady stream of wrong ones from the same network, %s, does not hold up who has logged in',
  async (_, nameOf) => {
    const { time, login } = open();
    expect(await time.until(login('olga', 'right'))).toBe('in');
    // Longer than anything is remembered by time: forty wrong ones a second for two minutes, a right one each ten seconds.
    const wrong: Promise<string>[] = [];
    for (let i = 0; i < 4_800; i++) {
      await time.until(time.sleep(25));
      wrong.push(login(nameOf(i), `wrong ${i}`));
      if (i % 400 !== 0) continue;
      const asked = time.ms;
      expect(await time.until(login('olga', 'right'))).toBe('in');
      expect(time.ms).toBe(asked);
    }
    expect(new Set(await time.until(Promise.all(wrong)))).not.toContain('in');
  },
);

test('those that have failed take a third of a processor together, and hold nobody up who has not', async () => {
  const { time, login, looks } = open();
  const networks = Array.from({ length: 8 }, (_, n) => `10.1.${n}.1`);
  await time.until(Promise.all(networks.map((address, n) => login('olga', `wrong ${n}`, address))));
  const before = looks();
  const began = time.ms;
  let going = true;
  const flood = networks.map(async (address, n) => {
    for (let i = 0; going; i++) await login('olga', `wrong ${n} ${i}`, address);
  });
  await time.until(time.sleep(3_000));
  const share = ((looks() - before) * derivationMs) / (time.ms - began);
  expect(share).toBeGreaterThan(0.25);
  expect(share).toBeLessThan(0.36);
  const asked = time.ms;
  expect(await time.until(login('olga', 'right', '10.0.0.9'))).toBe('in');
  expect(time.ms - asked).toBeLessThanOrEqual(2 * derivationMs);
  going = false;
  await time.until(Promise.all(flood));
});

test('many right ones at once are looked at once and do not count', async () => {
  const { time, login, failures, looks } = open();
  const all = await time.until(Promise.all(Array.from({ length: 50 }, () => login('olga', 'right'))));
  expect(new Set(all)).toEqual(new Set(['in']));
  expect(looks()).toBe(1);
  expect(await time.until(login('aidar', 'also right'))).toBe('in');
  expect(failures).toEqual([]);
});

test('a clock that is set forgives no failures, and keeps nobody out', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const wait = async () => {};
    const verify = async (password: string, hash: string) => password === hash;
    const logins = new AdminLogins({ admins, onFailure: () => {}, wait, verify });
    const login = (password: string) =>
      logins.login('olga', password, from()).then(
        () => 'in',
        (error: { code: string }) => error.code,
      );
    for (let n = 0; n < 10; n++) expect(await login(`wrong ${n}`)).toBe('unauthorized');
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    expect(await login('wrong still')).toBe('rate_limited');
    vi.setSystemTime(Date.now() - 4 * 3_600_000);
    expect(await login('right')).toBe('in');
  } finally {
    vi.useRealTimers();
  }
});
