import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Projection, ProjectionRunner } from '../../projections/runner.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { ProjectionSchema } from '../../src/ports/read-models.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { dropIndex, listIndexes } from '../../src/stores/server/redis-index.ts';
import { RedisModels } from '../../src/stores/server/redis-models.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { people, readModelsContract } from './read-models.contract.ts';

const indexes = async (redis: RedisConnection) => [...(await listIndexes(redis))[0]!];

const put = (key: string, doc: Record<string, unknown>) => ({
  op: 'put' as const,
  collection: 'people',
  key,
  doc,
});

withRedis('read models in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  const opened: RedisModels[] = [];
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    for (const models of opened.splice(0)) await models.close();
  });

  const connect = () => RedisConnection.open({ url: server.url });
  const open = (namespace: string, projections: readonly ProjectionSchema[] = [people]) => {
    const models = new RedisModels({ redis: connect(), namespace, projections });
    opened.push(models);
    return models;
  };

  readModelsContract('Redis', async (projections: readonly ProjectionSchema[]) => {
    const models = new RedisModels({ redis: connect(), namespace: testNamespace(), projections });
    return { models, close: () => models.close() };
  });

  it('refuses read models of a later version; an earlier one serves until its successor has caught up', async () => {
    const namespace = testNamespace();
    const first = open(namespace);
    const [build] = await first.builds();
    await first.commit(build!, '1', [put('a', { town: 'x' })]);
    const second = open(namespace, [{ ...people, version: 2 }]);
    await second.builds();
    const beside = await second.startBuild('people');
    expect(beside).toMatchObject({ version: 2, live: false });
    expect(await second.get('people', 'a')).toEqual({ town: 'x' });
    await second.goLive(beside);
    expect(await second.get('people', 'a')).toBeNull();
    // The instance of the older program that is still running is not stopped, one that starts now is.
    expect((await first.builds()).map(({ version }) => version)).toEqual([2]);
    await expect(open(namespace).builds()).rejects.toMatchObject({ code: 'newer_format' });
  });

  it('makes an index anew that is gone or different, and waits until it is whole', async () => {
    const namespace = testNamespace();
    const models = open(namespace);
    const [build] = await models.builds();
    const records = Array.from({ length: 500 }, (_, i) =>
      put(String(i), { town: 'x', age: i, bio: 'рыбак' }),
    );
    await models.commit(build!, '1', records);
    const redis = connect();
    const [name] = (await indexes(redis)).filter((index) => index.startsWith(namespace));
    await dropIndex(redis, name!);
    await expect(models.find('people', {})).rejects.toMatchObject({ code: 'unavailable' });
    await models.builds();
    expect((await models.find('people', { where: { town: 'x' }, search: 'рыбаки' })).total).toBe(500);
    await dropIndex(redis, name!);
    await redis.call(name!, 'FT.CREATE', name!, 'PREFIX', '1', `${name}:`, 'SCHEMA', 'any', 'TAG');
    const restarted = open(namespace);
    await restarted.builds();
    expect((await restarted.find('people', { where: { town: 'x' } })).total).toBe(500);
    await redis.close();
  });

  it('builds anew what was written with other fields under the same version', async () => {
    const namespace = testNamespace();
    const before = open(namespace);
    const [build] = await before.builds();
    await before.commit(build!, '1', [put('a', { town: 'x' })]);
    const [collection] = people.collections;
    const other = { ...people, collections: [{ ...collection!, fields: { town: 'tag' as const } }] };
    const models = open(namespace, [other]);
    expect(await models.builds()).toMatchObject([{ version: 0, live: true }]);
    expect(await models.get('people', 'a')).toEqual({ town: 'x' });
    const beside = await models.startBuild('people');
    expect(beside).toMatchObject({ version: 1, live: false });
    expect(await models.goLive(beside)).toBe(true);
    expect(await models.builds()).toMatchObject([{ version: 1, live: true, build: beside.build }]);
  });

  it('builds anew, once, what an earlier layout wrote', async () => {
    const namespace = testNamespace();
    const redis = connect();
    const builds = `${namespace}:{people}:builds`;
    await redis.call(builds, 'HSET', builds, '17', '1 0123456789abcdef', '17:at', '5', 'live', '17');
    const models = open(namespace);
    expect(await models.builds()).toMatchObject([{ version: 0, build: 17, live: true }]);
    const runner = new ProjectionRunner({
      log: { readAll: async () => [], head: async () => null },
      models,
      projections: [{ ...people, on: {} }],
      clock: { now: () => new Date() },
    });
    await runner.prepare();
    await runner.catchUp();
    const [made, ...others] = await runner.prepare();
    expect(made).toMatchObject({ version: 1, live: true });
    expect(made!.build).not.toBe(17);
    expect(others).toEqual([]);
    await redis.close();
  });

  it('takes no commit of a build that was emptied away, and begins anew', async () => {
    const namespace = testNamespace();
    const models = open(namespace);
    const [build] = await models.builds();
    expect(await models.commit(build!, '1', [put('a', { age: 1 })])).toBe(true);
    const redis = connect();
    for (const key of await redis.call<string[]>('', 'KEYS', `${namespace}*`))
      await redis.call(key, 'DEL', key);
    await expect(models.get('people', 'a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await models.commit({ ...build!, checkpoint: '1' }, '2', [put('b', {})])).toBe(false);
    const [again] = await models.builds();
    expect(again).toMatchObject({ checkpoint: null, live: true });
    expect(again!.build).not.toBe(build!.build);
    expect(
      await models.commit(again!, '1', [{ op: 'increment', collection: 'people', key: 'a', by: { age: 5 } }]),
    ).toBe(true);
    expect(await models.get('people', 'a')).toEqual({ age: 5 });
    await redis.close();
  });

  it('is not taken for whole before it has been at the end of the log', async () => {
    const models = open(testNamespace());
    const [build] = await models.builds();
    await expect(models.completeBuild('people')).rejects.toMatchObject({ code: 'unavailable' });
    await models.markComplete(build!);
    expect(await models.completeBuild('people')).toBe(String(build!.build));
    const beside = await models.startBuild('people');
    await models.goLive(beside);
    expect(await models.completeBuild('people')).toBe(String(beside.build));
  });

  it('deletes builds that were replaced, in slices, with their indexes, and looks through no other keys', async () => {
    const namespace = testNamespace();
    const connection = connect();
    const call = vi.spyOn(connection, 'call');
    const models = new RedisModels({ redis: connection, namespace, projections: [people] });
    opened.push(models);
    const [build] = await models.builds();
    await models.commit(
      build!,
      '1',
      Array.from({ length: 300 }, (_, i) => put(String(i), { town: 'x' })),
    );
    const beside = await models.startBuild('people');
    await models.commit(beside, '1', [put('a', { town: 'y' })]);
    await models.goLive(beside);
    const redis = connect();
    let slices = 0;
    while (await models.sweep(50)) slices++;
    expect(slices).toBeGreaterThan(1);
    expect(call.mock.calls.map(([, command]) => command)).not.toContain('SCAN');
    const keys = await redis.call<string[]>('', 'KEYS', `${namespace}:*`);
    expect(keys.sort()).toEqual(
      [`${namespace}:{people}:builds`, `${namespace}:{people}:${beside.build}:people:a`].sort(),
    );
    expect((await indexes(redis)).filter((name) => name.startsWith(namespace))).toHaveLength(1);
    await redis.close();
  });

  it('looks for no index of a build that was deleted', async () => {
    const namespace = testNamespace();
    const connection = connect();
    const reader = new RedisModels({ redis: connection, namespace, projections: [people] });
    opened.push(reader);
    const models = open(namespace);
    await models.builds();
    expect((await reader.find('people', {})).total).toBe(0);
    const beside = await models.startBuild('people');
    await models.commit(beside, '1', [put('a', { town: 'y' })]);
    await models.goLive(beside);
    while (await models.sweep(50));
    const call = vi.spyOn(connection, 'call');
    expect((await reader.find('people', {})).total).toBe(1);
    expect(call.mock.calls.filter(([, command]) => command === 'FT.SEARCH').length).toBeLessThan(4);
  });

  it('is written in commits that are cut between events, by several runners at once', async () => {
    const namespace = testNamespace();
    const words = Array.from({ length: 2_000 }, (_, i) => `слово${i}`).join(' ');
    const projection: Projection = {
      ...people,
      on: {
        DocumentRegistered: ({ data: { doc_key } }) => [
          put(doc_key, { bio: words }),
          { op: 'increment', collection: 'people', key: 'all', by: { age: 1 } },
        ],
      },
    };
    const events = Array.from({ length: 200 }, (_, i): RecordedEvent => {
      const data = { corpus_id: 'c', doc_id: i, doc_key: `d${i}`, root: null };
      const of = { id: String(i), stream: 'catalog', revision: i, position: String(i + 1).padStart(9, '0') };
      const by = { version: 1, time: '', actor: 'system', correlation_id: 'c', causation_id: null };
      return { ...of, ...by, type: 'DocumentRegistered', data };
    });
    const log = {
      readAll: async (after: string | null, limit: number) =>
        events.slice(Number(after ?? 0), Number(after ?? 0) + limit),
      head: async () => events.at(-1)!.position,
    };
    const commits: string[] = [];
    const runners = [1, 2].map(
      () =>
        new ProjectionRunner({
          log,
          models: open(namespace, [projection]),
          projections: [projection],
          clock: { now: () => new Date() },
          onCommit: (_, checkpoint) => commits.push(String(checkpoint)),
        }),
    );
    for (const runner of runners) await runner.prepare();
    await Promise.all(runners.map((runner) => runner.catchUp()));
    const models = opened.at(-1)!;
    expect(await models.get('people', 'all')).toEqual({ age: 200 });
    expect((await models.find('people', { search: 'слово77' })).total).toBe(200);
    expect(new Set(commits).size).toBeGreaterThan(10);
  });
});

it('refuses at once while Redis cannot be reached, an address that cannot be read when it is opened', async () => {
  const redis = RedisConnection.open({ url: 'redis://127.0.0.1:1', callTimeoutMs: 200 });
  const models = new RedisModels({ redis, namespace: 'test', projections: [people] });
  await expect(models.get('people', 'a')).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 1 });
  await models.close();
  expect(() => RedisConnection.open({ url: 'not an address' })).toThrow(
    expect.objectContaining({ code: 'invalid' }),
  );
});
