import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { RedisSecret } from '../../src/read-models/redis/secret.ts';
import { folderSecret } from '../../src/read-models/secret.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { newFolder } from '../support/folder.ts';
import { testNamespace, withRedis } from '../support/servers.ts';

test('a folder has one secret, created once and readable only by its owner', () => {
  const folder = newFolder('secret');
  const path = join(folder, 'secret');
  const secret = folderSecret(path);
  expect(secret).toHaveLength(32);
  expect(folderSecret(path)).toEqual(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret']);
  writeFileSync(path, 'short');
  expect(() => folderSecret(path)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

withRedis('the secret in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  it("instances share the first one's secret, and any of them restores it after Redis is emptied", async () => {
    const namespace = testNamespace();
    const redis = RedisConnection.open({ url: server.url });
    const [first, second, late] = [1, 2, 3].map(() => new RedisSecret({ redis, namespace }));
    await first!.agree();
    const agreed = first!.value;
    await second!.agree();
    expect(second!.value).toEqual(agreed);
    await redis.call('DEL', `${namespace}:{secret}`);
    await second!.agree();
    await late!.agree();
    expect(late!.value).toEqual(agreed);
    for (const one of [first, second, late]) one!.close();
    await redis.close();
  });
});
