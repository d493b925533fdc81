/**
 * The service while its Redis is unavailable, silent or emptied: nothing is lost, no caller hangs, and it recovers
 * automatically.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { Failure } from '../../src/failures.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';
import { type OwnServer, startEventStore, startRedis } from '../support/own-server.ts';
import { testNamespace, withOwnEventStore, withOwnRedis } from '../support/servers.ts';
import { answered, discrepancies, storyConfig, takeIn, writeLibrary } from './story.ts';

const question = 'Когда закрывают мост на ремонт?';
const right = { mode: 'ordinary', answer: expect.stringContaining('октябре') };

let folder: string;
let redis: OwnServer;
const opened: Service[] = [];
const troubles: string[] = [];
const others: OwnServer[] = [];

beforeEach(async () => {
  folder = newFolder('redis');
  writeLibrary(join(folder, 'library'));
  redis = await startRedis();
  troubles.length = 0;
});
afterEach(async () => {
  redis.thaw();
  for (const other of others) other.thaw();
  const apps = opened.splice(0);
  expect(await discrepancies(apps[0]!)).toEqual({});
  for (const app of apps) await app.close();
  for (const other of others.splice(0)) await other.stop();
  await redis.stop();
});

const namespace = testNamespace();
async function open(more: { EVENTSTOREDB_URL?: string } = {}): Promise<Service> {
  const config = storyConfig(folder, { REDIS_URL: redis.url, DOCENT_NAMESPACE: namespace, ...more });
  const app = await openApp(config, { onTrouble: (sentence) => troubles.push(sentence) });
  opened.push(app);
  return app;
}

/** Whether the question was answered or failed. An answer without evidence is neither, and would be wrong here. */
async function asked(app: Service): Promise<'answered' | 'refused'> {
  // Always the same caller, because an answer given to several would come from the FAQ cache.
  const answer = await answered(app, question, 'asker').catch((error: unknown) => {
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).retryable).toBe(true);
    return null;
  });
  if (answer === null || answer.mode === 'error') return 'refused';
  expect(answer).toMatchObject(right);
  return 'answered';
}

const becomes = (app: Service, status: string) => eventually(() => expect(app.health().status).toBe(status));

const recovered = async (app: Service) => {
  await eventually(async () => expect(await asked(app)).toBe('answered'));
  await becomes(app, 'ok');
};

async function command(...args: string[]): Promise<void> {
  const connection = RedisConnection.open({ url: redis.url });
  await connection.call(...args);
  await connection.close();
}
const flush = () => command('FLUSHALL');

withOwnRedis('with a separate Redis', () => {
  it('the service starts without it, says so, and answers once it is available', async () => {
    await takeIn(await open(), folder);
    await opened.pop()!.close();
    await redis.kill();
    const app = await open();
    expect(await asked(app)).toBe('refused');
    await eventually(() =>
      expect(app.health()).toMatchObject({
        status: 'down',
        components: { event_log: 'ok', read_models: 'down' },
      }),
    );
    await redis.start();
    await recovered(app);
  });

  it('the service answers again after Redis was killed and restarted empty', async () => {
    const app = await open();
    await takeIn(app, folder);
    await redis.kill();
    expect(await asked(app)).toBe('refused');
    await becomes(app, 'down');
    await redis.start();
    await recovered(app);
    expect((await app.documents(null, { limit: 10, offset: 0 })).total).toBe(3);
  });

  it('questions fail while Redis is silent, and are answered afterwards', async () => {
    const app = await open();
    await takeIn(app, folder);
    redis.freeze();
    expect(await asked(app)).toBe('refused');
    await becomes(app, 'down');
    expect(await asked(app)).toBe('refused');
    redis.thaw();
    await recovered(app);
  });

  it('the service waits for a slow Redis, and completes everything', async () => {
    const app = await open();
    let finished = false;
    const stuttering = (async () => {
      while (!finished) {
        redis.freeze();
        await delay(300);
        redis.thaw();
        await delay(50);
      }
    })();
    expect(await takeIn(app, folder)).toMatchObject({ added: 3 });
    let given = 0;
    for (let i = 0; i < 5; i++) if ((await asked(app)) === 'answered') given++;
    finished = true;
    await stuttering;
    await recovered(app);
    expect((await app.documents(null, { limit: 10, offset: 0 })).total).toBe(3);
    const acting = { name: 'olga', request_id: 'r' };
    const { total } = await app.admin.queries({ limit: 10, offset: 0 }, acting);
    expect(total).toBeGreaterThanOrEqual(given + 1);
  });

  it('all instances rebuild everything after Redis is emptied, and never claim to find nothing', async () => {
    const app = await open();
    await takeIn(app, folder);
    const second = await open();
    await second.caughtUp();
    for (let round = 0; round < 3; round++) {
      await flush();
      for (let i = 0; i < 10; i++) await Promise.all([asked(app), asked(second)]);
      await recovered(app);
      await recovered(second);
    }
    const { items, total } = await app.admin.queries(
      { limit: 10, offset: 0 },
      { name: 'olga', request_id: 'r' },
    );
    expect(items.every((item) => item.query === question)).toBe(true);
    expect(total).toBeGreaterThanOrEqual(6);
  });

  it('documents can be ingested while Redis is emptied repeatedly', async () => {
    const app = await open();
    const taking = takeIn(app, folder);
    for (let i = 0; i < 4; i++) {
      await delay(100);
      await flush();
    }
    expect(await taking).toMatchObject({ added: 3 });
    await recovered(app);
    expect((await app.documents(null, { limit: 10, offset: 0 })).total).toBe(3);
  });
});

withOwnRedis('with a Redis that drops keys', () => {
  it('the service warns at startup', async () => {
    await open();
    expect(troubles).toEqual([]);
    await command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await open();
    await eventually(() => expect(troubles).toContainEqual(expect.stringContaining('noeviction')));
  });
});

withOwnRedis('with a separate Redis and EventStoreDB', () => {
  withOwnEventStore('both', () => {
    it('questions fail while both are silent, and are answered afterwards', async () => {
      const eventStore = await startEventStore();
      others.push(eventStore);
      const app = await open({ EVENTSTOREDB_URL: eventStore.url });
      await takeIn(app, folder);
      expect(await asked(app)).toBe('answered');
      eventStore.freeze();
      redis.freeze();
      expect(await asked(app)).toBe('refused');
      await becomes(app, 'down');
      eventStore.thaw();
      redis.thaw();
      await recovered(app);
    });
  });
});
