import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunks } from '../../projections/chunks.ts';
import { ProjectionRunner } from '../../projections/runner.ts';
import { openRedisChunkSearch } from '../../src/search/redis/chunk-search.ts';
import { chunkBase, RedisChunkStore } from '../../src/search/redis/chunk-store.ts';
import { RedisChunkWriter } from '../../src/search/redis/chunks.ts';
import { dropIndex, listIndexes } from '../../src/search/redis/query-engine.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { buildStoreContract, someChunks } from './builds.contract.ts';
import { chunkStoreContract, lengthEmbedder, type OpenedChunkStore } from './chunks.contract.ts';

const openStore = (url: string, namespace = testNamespace(), projection = chunks) => {
  const redis = RedisConnection.open({ url });
  const store = new RedisChunkStore({ redis, namespace, projection, compute: lengthEmbedder });
  return { redis, namespace, store };
};

/** A chunk store in a separate namespace. */
async function openChunks(url: string): Promise<OpenedChunkStore> {
  const { redis, namespace, store } = openStore(url);
  const writer = new RedisChunkWriter(redis, chunkBase(namespace), lengthEmbedder);
  const [build] = await store.builds();
  let commits = 0;
  return {
    search: openRedisChunkSearch(redis, store.prefix(build!.build)),
    write: async (writes) => {
      const checkpoint = String(++commits).padStart(9, '0');
      if (!(await store.commit(build!, checkpoint, writes))) throw new Error('Another commit was faster.');
      build!.checkpoint = checkpoint;
    },
    sweep: (limit) => writer.sweep(String(build!.build), limit),
    close: () => store.close(),
  };
}

withRedis('chunks in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  chunkStoreContract('Redis', () => openChunks(server.url));
  buildStoreContract('Redis', async (version) => {
    const { store } = openStore(server.url, testNamespace(), { ...chunks, version });
    return { store, close: () => store.close() };
  });

  it('rejects an index of a later version, and uses an earlier one until its successor has caught up', async () => {
    const { namespace, store } = openStore(server.url);
    const [build] = await store.builds();
    const later = openStore(server.url, namespace, { ...chunks, version: chunks.version + 1 });
    expect(await later.store.builds()).toMatchObject([{ build: build!.build, live: true }]);
    const beside = await later.store.startBuild('chunks');
    expect(beside).toMatchObject({ version: chunks.version + 1, live: false });
    await later.store.goLive(beside);
    // An instance of the older program that is running continues; one that starts now fails.
    expect((await store.builds()).map(({ version }) => version)).toEqual([chunks.version + 1]);
    const restarted = openStore(server.url, namespace);
    await expect(restarted.store.builds()).rejects.toMatchObject({ code: 'newer_format' });
    for (const one of [store, later.store, restarted.store]) await one.close();
  });

  it('recreates a missing or different index, and waits until it is complete', async () => {
    const { redis, namespace, store } = openStore(server.url);
    const [build] = await store.builds();
    await store.commit(build!, '1', someChunks(1, 300));
    const search = openRedisChunkSearch(redis, store.prefix(build!.build));
    const scope = { corpus_id: 'laws', layers: ['norm'] };
    const find = () => search.candidates(scope, { stems: ['закон'], prefixes: [] }, 1000);
    expect(await find()).toHaveLength(300);
    const name = [...(await listIndexes(redis))].find((one) => one.startsWith(store.prefix(build!.build)));
    await dropIndex(redis, name!);
    await expect(find()).rejects.toMatchObject({ code: 'unavailable' });
    await store.builds();
    expect(await find()).toHaveLength(300);
    await dropIndex(redis, name!);
    await redis.call('FT.CREATE', name!, 'PREFIX', '1', `${name}:`, 'SCHEMA', 'any', 'TAG');
    const restarted = openStore(server.url, namespace);
    await restarted.store.builds();
    expect(await find()).toHaveLength(300);
    for (const one of [store, restarted.store]) await one.close();
  });

  it.each(['at', null])('reports an index entry that lost this field or is missing: %s', async (field) => {
    const { redis, store } = openStore(server.url);
    const [build] = await store.builds();
    await store.commit(build!, '1', someChunks(1, 1));
    const names: string[] = [];
    for await (const page of store.names(build!)) names.push(...page);
    const values = async () => (await store.values(build!, names))?.values;
    const before = await values();
    const [entry] = await redis.call<string[]>('KEYS', `${store.prefix(build!.build)}t:*:*`);
    await (field === null ? redis.call('DEL', entry!) : redis.call('HDEL', entry!, field));
    expect(await values()).not.toEqual(before);
    await store.close();
  });

  it('rebuilds a build with an earlier layout once', async () => {
    const { redis, namespace, store } = openStore(server.url);
    const builds = `${chunkBase(namespace)}:builds`;
    await redis.call('HSET', builds, '17', '1 0123456789abcdef', '17:at', '5', 'live', '17');
    expect(await store.builds()).toMatchObject([{ version: 0, build: 17, live: true }]);
    const runner = new ProjectionRunner({
      log: { readAll: async () => [], head: async () => null },
      store,
      projections: [chunks],
      clock: { now: () => new Date() },
    });
    await runner.prepare();
    await runner.catchUp();
    const [made, ...others] = await runner.prepare();
    expect(made).toMatchObject({ version: chunks.version, live: true });
    expect(made!.build).not.toBe(17);
    expect(others).toEqual([]);
    await store.close();
  });

  it('rejects a commit to a build that was lost, and starts over', async () => {
    const { redis, namespace, store } = openStore(server.url);
    const [build] = await store.builds();
    expect(await store.commit(build!, '1', someChunks(1, 3))).toBe(true);
    for (const key of await redis.call<string[]>('KEYS', `${namespace}*`)) await redis.call('DEL', key);
    expect(await store.commit({ ...build!, checkpoint: '1' }, '2', someChunks(2, 3))).toBe(false);
    const [again] = await store.builds();
    expect(again).toMatchObject({ checkpoint: null, live: true });
    expect(again!.build).not.toBe(build!.build);
    expect(await store.commit(again!, '1', someChunks(1, 3))).toBe(true);
    await store.close();
  });

  it('is incomplete until it has reached the end of the log, and reports its progress', async () => {
    const { store } = openStore(server.url);
    const [build] = await store.builds();
    await expect(store.completeBuild()).rejects.toMatchObject({ code: 'unavailable' });
    await store.settled(build!, '7');
    expect(await store.completeBuild()).toBe(String(build!.build));
    expect(await store.found()).toMatchObject([{ checkpoint: null, unchangedUntil: '7' }]);
    await store.commit(build!, '9', someChunks(1, 3));
    // For a checkpoint that another process has since passed.
    await store.settled(build!, '8');
    expect((await store.found())[0]).toEqual({ ...build!, checkpoint: '9' });
    await store.close();
  });

  it('deletes replaced builds in batches, with their indexes', async () => {
    const { redis, namespace, store } = openStore(server.url);
    const [build] = await store.builds();
    await store.commit(build!, '1', someChunks(1, 300));
    const beside = await store.startBuild('chunks');
    await store.commit(beside, '1', someChunks(1, 2));
    await store.goLive(beside);
    while (await store.sweep(50));
    const keys = await redis.call<string[]>('KEYS', `${namespace}:*`);
    const ofBuilds = keys.filter((key) => /:\d+:/.test(key));
    expect(ofBuilds.length).toBeGreaterThan(5);
    for (const key of ofBuilds) expect(key.startsWith(store.prefix(beside.build))).toBe(true);
    const names = [...(await listIndexes(redis))].filter((name) => name.startsWith(namespace));
    for (const name of names) expect(name.startsWith(store.prefix(beside.build))).toBe(true);
    await store.close();
  });
});

it('fails immediately while Redis is unreachable, and rejects an invalid address when opened', async () => {
  const redis = RedisConnection.open({ url: 'redis://127.0.0.1:1', callTimeoutMs: 200 });
  const store = new RedisChunkStore({ redis, namespace: 'test', projection: chunks });
  await expect(store.completeBuild()).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 1 });
  await store.close();
  expect(() => RedisConnection.open({ url: 'not an address' })).toThrow(
    expect.objectContaining({ code: 'invalid' }),
  );
});
