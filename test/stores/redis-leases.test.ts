/** Leases over a real Redis and over the model of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Build, Passed } from '../../src/ports/read-models.ts';
import { type Redis, RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { leaseMs, RedisLeases } from '../../src/stores/server/redis-leases.ts';
import { RedisModels } from '../../src/stores/server/redis-models.ts';
import { LeasedProjections, renewMs } from '../../src/workers/leased-projections.ts';
import { eventually } from '../support/eventually.ts';
import { RedisModel } from '../support/redis-model.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { people } from './read-models.contract.ts';

const other = { name: 'places', version: 1, collections: [] };

function suite(connect: () => Redis): void {
  /** Two instances, each with its leases and what it writes to. */
  function instances(projections = [people, other]) {
    const namespace = testNamespace();
    const redis = connect();
    const one = () => {
      const leases = new RedisLeases({ redis, namespace, projections });
      return { leases, models: new RedisModels({ redis, namespace, projections, leases }) };
    };
    /** As a lease that was not renewed in time. */
    const runOut = async (leases: RedisLeases) => {
      const key = `${namespace}:{projector}`;
      for (const { name } of projections) {
        expect(leases.holds(name)).toBe(true);
        await redis.call(key, 'DEL', `${key}:${leases.leaseOf(name)}`);
      }
    };
    return { a: one(), b: one(), runOut, redis, namespace };
  }
  const commit = (models: RedisModels, build: Build, checkpoint: string) =>
    models.commit(build, checkpoint, [{ op: 'increment', collection: 'people', key: 'n', by: { age: 1 } }]);

  it('one instance at a time holds them, and another when they have run out or were given up', async () => {
    const { a, b, runOut } = instances();
    const held = () => [a, b].map(({ leases }) => leases.holds('people') && leases.holds('places'));
    await a.leases.hold();
    await b.leases.hold();
    expect(held()).toEqual([true, false]);
    await a.leases.hold();
    await runOut(a.leases);
    await b.leases.hold();
    await a.leases.hold();
    expect(held()).toEqual([false, true]);
    await b.leases.release();
    await a.leases.hold();
    expect(held()).toEqual([true, false]);
  });

  it('what was held up for long writes no more to a build that another writes now', async () => {
    const { a, b, runOut } = instances();
    await a.leases.hold();
    const [build] = (await a.models.builds()).filter(({ name }) => name === 'people');
    expect(await commit(a.models, build!, '1')).toBe(true);
    await runOut(a.leases);
    await b.leases.hold();
    expect(await commit(b.models, { ...build!, checkpoint: '1' }, '2')).toBe(true);
    // At the right checkpoint, but with a token of the past: it learns that it holds nothing.
    expect(await commit(a.models, { ...build!, checkpoint: '2' }, '3')).toBe(false);
    expect(a.leases.holds('people')).toBe(false);
    expect(await commit(b.models, { ...build!, checkpoint: '2' }, '3')).toBe(true);
    expect(await b.models.get('people', 'n')).toEqual({ age: 3 });
  });

  it('tokens rise, also where the server was emptied', async () => {
    const { a, b, redis, namespace } = instances();
    await a.leases.hold();
    const before = Number(a.leases.token('people'));
    const key = `${namespace}:{projector}`;
    for (const name of ['people', 'places'])
      await redis.call(key, 'DEL', `${key}:${a.leases.leaseOf(name)}`, `${key}:token`);
    await b.leases.hold();
    expect(Number(b.leases.token('people'))).toBeGreaterThan(before);
  });

  it('what a holder has passed is known to the others, beside the checkpoint it was told with', async () => {
    const { a, b } = instances();
    await a.leases.hold();
    const of = async (models: RedisModels) => (await models.builds()).find(({ name }) => name === 'people')!;
    const build = await of(a.models);
    await commit(a.models, build, '1');
    const passed = { projection: 'people', build: build.build, checkpoint: '1', at: '5' };
    await b.leases.report([{ ...passed, at: '9' }]);
    expect(await a.leases.passed()).toEqual([]);
    const heard: Passed[] = [];
    for (const { leases } of [a, b]) await leases.watch((one) => heard.push(one));
    await a.leases.report([passed]);
    expect(await b.leases.passed()).toEqual([passed]);
    expect(await of(b.models)).toMatchObject({ checkpoint: '1', passed: '5' });
    // Each of the two hears it, what was told before by nobody who could is not heard.
    await eventually(() => expect(heard.length).toBeGreaterThanOrEqual(2));
    expect(heard).toEqual([passed, passed]);
    await commit(a.models, { ...build, checkpoint: '1' }, '6');
    expect((await of(b.models)).passed).toBeUndefined();
  });

  it('programs that write different builds do not wait for each other', async () => {
    const { a, redis, namespace } = instances();
    await a.leases.hold();
    const later = new RedisLeases({ redis, namespace, projections: [{ ...people, version: 2 }, other] });
    await later.hold();
    expect([later.holds('people'), later.holds('places')]).toEqual([true, false]);
  });
}

describe('leases in a model of Redis', () => {
  const model = new RedisModel();
  suite(() => model.connect());
});

withRedis('leases in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let redis: Redis;
  beforeAll(async () => {
    server = await start();
    redis = RedisConnection.open({ url: server.url });
  });
  afterAll(async () => {
    await redis.close();
    await server.stop();
  });
  suite(() => redis);

  it('another takes over from one that is silent, five seconds at the most after its last sign', async () => {
    // What it takes: a lease that has run out, and the next try for it.
    expect(leaseMs + renewMs).toBeLessThan(5_000);
    const namespace = testNamespace();
    const projections = [{ ...people, on: {} }];
    const instance = () => new RedisLeases({ redis, namespace, projections });
    const silent = instance();
    await silent.hold();
    const key = `${namespace}:{projector}`;
    const left = await redis.call<number>(key, 'PTTL', `${key}:${silent.leaseOf('people')}`);
    expect(left).toBeLessThanOrEqual(leaseMs);
    const taken = Promise.withResolvers<void>();
    const other = await LeasedProjections.open({
      leases: instance(),
      projections,
      onCommit: () => {},
      onChange: taken.resolve,
    });
    expect(other.held).toBe('');
    await taken.promise;
    expect(other.held).toBe('people');
    await silent.hold();
    expect(silent.holds('people')).toBe(false);
    await other.close();
  });
});
