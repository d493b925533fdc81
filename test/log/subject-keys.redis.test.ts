import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { RedisKeys, type RedisKeysConfig } from '../../src/log/redis/subject-keys.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { freePort } from '../support/free-port.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { subjectKeysContract } from './subject-keys.contract.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const day = '2026-01-01';

withRedis("subjects' keys in Redis", (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let redis: RedisConnection;
  let namespace: string;
  const opened: RedisKeys[] = [];
  const open = (more: Partial<RedisKeysConfig> = {}) => {
    opened.push(new RedisKeys({ url: server.url, namespace, master: null, ...more }));
    return opened.at(-1)!;
  };
  const closeAll = async () => {
    for (const one of opened.splice(0)) await one.close();
  };
  beforeAll(async () => {
    server = await start();
    redis = RedisConnection.open({ url: server.url });
  });
  afterAll(() => redis.close());
  beforeEach(() => {
    namespace = testNamespace();
  });
  afterEach(closeAll);

  const base = () => `${namespace}:{keys}`;
  const command = (...args: string[]) => redis.call<unknown>(...args);

  subjectKeysContract('in Redis', async (master) => {
    const place = { namespace: testNamespace(), master };
    return { master, open: () => open(place), close: async () => {} };
  });

  it('instances that create a key simultaneously agree on one', async () => {
    const instances = Array.from({ length: 10 }, () => open());
    const taken = await Promise.all(instances.map((keys) => keys.take([{ subject: 's', day }])));
    expect(new Set(taken.map(([key]) => `${key!.id} ${Buffer.from(key!.key).toString('hex')}`)).size).toBe(1);
  });

  it('no key is stored unencrypted, and only the ids of destroyed ones remain', async () => {
    const keys = open({ master: randomBytes(32) });
    const [taken] = await keys.take([
      { subject: 'telegram:someone', day },
      { subject: 'other', day },
    ]);
    const dump = async () =>
      JSON.stringify([
        await command('HGETALL', `${base()}:key`),
        await command('ZRANGE', `${base()}:days`, '0', '-1'),
        await command('HGETALL', base()),
        await redis.call('KEYS', `${base()}*`),
      ]);
    expect(await dump()).toContain('telegram:someone');
    for (const encoding of ['base64url', 'hex', 'latin1'] as const)
      expect(await dump()).not.toContain(Buffer.from(taken!.key).toString(encoding));
    await keys.destroy({ subject: 'telegram:someone' });
    expect(await dump()).not.toContain('telegram:someone');
    expect(await command('HGET', `${base()}:key`, taken!.id)).toBe('');
    expect(await command('TTL', `${base()}:key`)).toBe(-1);
  });

  it('keys for past days are destroyed in small batches', async () => {
    const keys = open();
    const purposes = Array.from({ length: 1_100 }, (_, n) => ({ subject: `s ${n}`, day: '2025-12-31' }));
    await keys.take([...purposes, { subject: 's', day }]);
    expect(await keys.destroy({ before: day })).toBe(1_100);
    expect(await command('ZCARD', `${base()}:days`)).toBe(1);
  });

  it('keys can be read only with their master key, which all instances need', async () => {
    const master = randomBytes(32);
    const [key] = await open({ master }).take([{ subject: 's', day }]);
    expect(await open({ master, readOnly: true }).find([key!.id])).toEqual([key!.key]);
    for (const other of [randomBytes(32), null]) {
      await expect(open({ master: other }).open()).rejects.toEqual(failure('invalid'));
      await expect(open({ master: other }).open()).rejects.toThrow(/DOCENT_MASTER_KEY/);
    }
    expect(await command('HEXISTS', base(), 'master')).toBe(0);
  });

  it('readers create no keys, and no key is created after Redis has lost the existing ones', async () => {
    await expect(open({ readOnly: true }).find(['unknown'])).rejects.toEqual(failure('unavailable'));
    expect(await command('EXISTS', base())).toBe(0);
    const keys = open();
    const [key] = await keys.take([{ subject: 's', day }]);
    for (const lost of await redis.call<string[]>('KEYS', `${base()}*`)) await command('DEL', lost);
    for (const look of [
      () => keys.take([{ subject: 's', day }]),
      () => keys.destroy({ subject: 's' }),
      () => keys.find([key!.id]),
    ])
      await expect(look()).rejects.toEqual(failure('unavailable'));
    // Not even if another instance has restarted since, until the missing keys are given up there.
    const another = open();
    await another.open();
    await expect(keys.take([{ subject: 's', day }])).rejects.toEqual(failure('unavailable'));
    await expect(keys.find([key!.id])).rejects.toEqual(failure('unavailable'));
    await another.giveUpMissing();
    expect(await keys.find([key!.id])).toEqual([null]);
    expect(await keys.take([{ subject: 's', day }])).toEqual(await another.take([{ subject: 's', day }]));
  });

  it('keys are unavailable while Redis is unavailable', async () => {
    const keys = open({ url: `redis://127.0.0.1:${await freePort()}`, callTimeoutMs: 200 });
    await expect(keys.take([{ subject: 's', day }])).rejects.toEqual(failure('unavailable'));
    await expect(keys.find(['unknown'])).rejects.toEqual(failure('unavailable'));
  });
});
