/** What is broken in the read models is seen by the service itself, told, and made anew while it goes on answering. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace, withEventStore, withRedis } from '../support/servers.ts';
import { answered, discrepancies, type Servers, storyConfig, takeIn, writeLibrary } from './story.ts';

let folder: string;
const opened: App[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-healing-'));
  writeLibrary(join(folder, 'library'));
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  rmSync(folder, { recursive: true });
});

/** An instance, and what it said of a fault when it told of it. */
interface Instance {
  app: App;
  trouble: Promise<{ sentence: string; health: ReturnType<App['health']> }>;
}

async function open(servers: Partial<Servers>): Promise<Instance> {
  const trouble = Promise.withResolvers<Awaited<Instance['trouble']>>();
  const app: App = await openApp(storyConfig(folder, servers), {
    onTrouble: (sentence) => {
      if (sentence.includes('being rebuilt')) trouble.resolve({ sentence, health: app.health() });
    },
  });
  opened.push(app);
  return { app, trouble: trouble.promise };
}

const becomesWell = (app: App) => eventually(() => expect(app.health().status).toBe('ok'));

/** Two instances with the library; then something is damaged. */
async function heals(
  servers: Partial<Servers>,
  damage: () => Promise<void>,
  projection: string,
  fault: RegExp,
): Promise<void> {
  const instances = [await open(servers), await open(servers)];
  const [first] = instances as [Instance];
  await takeIn(first.app, folder);
  for (const { app } of instances) await app.caughtUp();
  await damage();
  const { sentence, health } = await Promise.any(instances.map(({ trouble }) => trouble));
  expect(sentence).toMatch(fault);
  expect(health.status).toBe('degraded');
  expect(health.components).toMatchObject({ event_log: 'ok', read_models: 'degraded' });
  expect(health.projections[projection]!.fault).toMatch(fault);
  for (const { app } of instances) {
    await becomesWell(app);
    expect(app.health().projections[projection]!.fault).toBeNull();
    expect(await answered(app, 'Когда закрывают мост на ремонт?')).toMatchObject({
      answer: expect.stringContaining('октябре'),
    });
    expect(await discrepancies(app)).toEqual({});
  }
}

describe('over files', () => {
  const file = (name: string) => join(folder, 'data', `${name}.sqlite`);
  const change = (name: string, table: string, sql: (table: string) => string) => async () => {
    // The instances write to it meanwhile: this waits for them, as they do for each other.
    const db = new DatabaseSync(file(name), { timeout: 60_000 });
    const found = db.prepare('SELECT name FROM sqlite_schema WHERE name GLOB ?').get(table);
    db.exec(sql(String(found!.name)));
    db.close();
  };

  it('two instances heal a chunk that has lost its words', () =>
    heals(
      {},
      change('index', 'chunks_*_tokens', (t) => `DELETE FROM ${t}`),
      'chunks',
      /has no words/,
    ));

  it('two instances heal a counter that is wrong', async () => {
    const damage = change(
      'models',
      'c_stats_[0-9]*',
      (t) => `INSERT INTO ${t} (key, doc) VALUES ('day:2026-01-01', '{"asked":5}')`,
    );
    await heals({}, damage, 'stats', /asked counts 0 in all, 5 over each day/);
  });
});

withEventStore('over EventStoreDB', (startLog) => {
  withRedis('and Redis', (startRedis) => {
    const connected = async () => {
      const [log, redis] = await Promise.all([startLog(), startRedis()]);
      const servers = {
        EVENTSTOREDB_URL: log.url,
        REDIS_URL: redis.url,
        DOCENT_NAMESPACE: testNamespace(),
      };
      return { servers, connection: RedisConnection.open({ url: redis.url }) };
    };

    it.each([
      ['chunks', /is not there/, (at: string) => ['DEL', `${at}c:1`]],
      ['chunks', /changes are counted/, (at: string) => ['HINCRBY', `${at}meta`, 'changed', '3']],
      ['documents', /documents holds 2 records of 3/, (at: string) => ['DEL', `${at}documents:1`]],
    ] as const)('two instances heal the damage to %s: %s', async (projection, fault, command) => {
      const { servers, connection } = await connected();
      const builds = `${servers.DOCENT_NAMESPACE}:{${projection}}:builds`;
      const all = () => connection.call<Record<string, string>>(builds, 'HGETALL', builds);
      let before = '';
      const damage = async () => {
        before = (await all()).live!;
        await connection.call(builds, ...command(`${servers.DOCENT_NAMESPACE}:{${projection}}:${before}:`));
      };
      await heals(servers, damage, projection, fault);
      const fields = await all();
      expect(Object.keys(fields).filter((field) => /^\d+$/.test(field))).toEqual([fields.live]);
      expect(fields.live).not.toBe(before);
      await connection.close();
    });
  });
});
