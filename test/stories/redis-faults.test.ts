/**
 * The service while its Redis is unavailable, silent or emptied: nothing is lost, no caller hangs, and it recovers
 * automatically.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { Failure } from '../../src/failures.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';
import { type OwnServer, startEventStore, startRedis } from '../support/own-server.ts';
import { testNamespace, withOwnEventStore, withOwnRedis } from '../support/servers.ts';
import { answered, discrepancies, storyConfig, takeIn, writeLibrary } from './story.ts';

const question = 'Когда закрывают мост на ремонт?';
const right = { mode: 'ordinary', answer: expect.stringContaining('октябре') };

/** What a test has of its own: a Redis, a folder with a library, and services over both. */
interface Place {
  folder: string;
  redis: OwnServer;
  troubles: string[];
  open(more?: { EVENTSTOREDB_URL?: string }): Promise<Service>;
  opened: Service[];
  /** Servers that end after the services. */
  others: OwnServer[];
  /** Sends a command to Redis. */
  command(...args: string[]): Promise<void>;
}

async function openPlace(afterwards: (end: () => Promise<void>) => void): Promise<Place> {
  const folder = newFolder('redis');
  writeLibrary(join(folder, 'library'));
  const redis = await startRedis();
  const namespace = testNamespace();
  const opened: Service[] = [];
  const troubles: string[] = [];
  const others: OwnServer[] = [];
  afterwards(async () => {
    for (const server of [redis, ...others]) server.thaw();
    for (const app of opened) await app.close();
    for (const server of [redis, ...others]) await server.stop();
  });
  return {
    folder,
    redis,
    troubles,
    opened,
    others,
    open: async (more = {}) => {
      const config = storyConfig(folder, { REDIS_URL: redis.url, DOCENT_NAMESPACE: namespace, ...more });
      const app = await openApp(config, { onTrouble: (sentence) => troubles.push(sentence) });
      opened.push(app);
      return app;
    },
    command: async (...args) => {
      const connection = RedisConnection.open({ url: redis.url });
      await connection.call(...args);
      await connection.close();
    },
  };
}

/**
 * A test after which the read models match the history. Tests spend most of their time on waiting for the time limits of
 * calls, so those of a suite wait together.
 */
const story = (title: string, run: (place: Place) => Promise<void>) =>
  it.concurrent(title, async ({ onTestFinished }) => {
    const place = await openPlace(onTestFinished);
    await run(place);
    expect(await discrepancies(place.opened[0]!)).toEqual({});
  });

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

withOwnRedis('with a separate Redis', () => {
  story(
    'the service starts without it, says so, and answers once it is available',
    async ({ folder, redis, open, opened }) => {
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
    },
  );

  story(
    'the service answers again after Redis was killed and restarted empty',
    async ({ folder, redis, open }) => {
      const app = await open();
      await takeIn(app, folder);
      await redis.kill();
      expect(await asked(app)).toBe('refused');
      await becomes(app, 'down');
      await redis.start();
      await recovered(app);
      expect((await app.documents(null, { limit: 10, offset: 0 })).total).toBe(3);
    },
  );

  story(
    'questions fail while Redis is silent, and are answered afterwards',
    async ({ folder, redis, open }) => {
      const app = await open();
      await takeIn(app, folder);
      redis.freeze();
      expect(await asked(app)).toBe('refused');
      await becomes(app, 'down');
      expect(await asked(app)).toBe('refused');
      redis.thaw();
      await recovered(app);
    },
  );

  story('the service waits for a slow Redis, and completes everything', async ({ folder, redis, open }) => {
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

  story(
    'all instances rebuild everything after Redis is emptied, and never claim to find nothing',
    async ({ folder, open, command }) => {
      const app = await open();
      await takeIn(app, folder);
      const second = await open();
      await second.caughtUp();
      for (let round = 0; round < 3; round++) {
        await command('FLUSHALL');
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
    },
  );

  story('documents can be ingested while Redis is emptied repeatedly', async ({ folder, open, command }) => {
    const app = await open();
    const taking = takeIn(app, folder);
    for (let i = 0; i < 4; i++) {
      await delay(100);
      await command('FLUSHALL');
    }
    expect(await taking).toMatchObject({ added: 3 });
    await recovered(app);
    expect((await app.documents(null, { limit: 10, offset: 0 })).total).toBe(3);
  });
});

withOwnRedis('with a Redis that drops keys', () => {
  story('the service warns at startup', async ({ open, command, troubles }) => {
    await open();
    expect(troubles).toEqual([]);
    await command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await open();
    await eventually(() => expect(troubles).toContainEqual(expect.stringContaining('noeviction')));
  });
});

withOwnRedis('with a separate Redis and EventStoreDB', () => {
  withOwnEventStore('both', () => {
    story(
      'questions fail while both are silent, and are answered afterwards',
      async ({ folder, redis, open, others }) => {
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
      },
    );
  });
});
