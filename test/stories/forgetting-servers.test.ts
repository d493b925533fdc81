/**
 * A person is forgotten on one instance over EventStoreDB and Redis, and the other instance, a separate process, also
 * drops the data.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashPassword } from '../../src/access/admins.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { storedPages } from '../../src/event-sourcing/stored-pages.ts';
import { readCheckpoint } from '../../src/history/checkpoint.ts';
import { HistoryCheck } from '../../src/history/history-check.ts';
import { readVerifyingKey } from '../../src/history/signed-note.ts';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import { ended, startCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { testNamespace, withEventStore, withRedis } from '../support/servers.ts';
import { endInstances, startInstance } from './serving.ts';
import { askOf } from './story.ts';

const within = 200_000;
const cause = { actor: 'admin:olga', correlation_id: 'r' };
const password = 'bridge-and-river';
const admin = { authorization: `Basic ${Buffer.from(`olga:${password}`).toString('base64')}` };
const json = { 'content-type': 'application/json' };

let folder: string;
let env: NodeJS.ProcessEnv;
let config: Config;
const opened: App[] = [];
beforeEach(() => {
  folder = newFolder('forgetting');
});
afterEach(async () => {
  await endInstances();
  for (const app of opened.splice(0)) await app.close();
});

/** Redis keys of any type with the words in their name or value, and indexes that find them. */
async function holding(redis: RedisConnection, words: string): Promise<string[]> {
  const found: string[] = [];
  const read: Record<string, string[]> = {
    string: ['GET'],
    hash: ['HGETALL'],
    list: ['LRANGE', '0', '-1'],
    set: ['SMEMBERS'],
    zset: ['ZRANGE', '0', '-1'],
  };
  let cursor = '0';
  do {
    const [next, keys] = await redis.call<[string, string[]]>('SCAN', cursor, 'COUNT', '1000');
    for (const key of keys) {
      const type = await redis.call<string>('TYPE', key);
      if (type === 'none') continue;
      const [command, ...range] = read[type]!;
      const value = JSON.stringify(await redis.call(command!, key, ...range));
      if (`${key} ${value}`.toLowerCase().includes(words)) found.push(key);
    }
    cursor = next;
  } while (cursor !== '0');
  for (const index of await redis.call<string[]>('FT._LIST')) {
    // A key that another test has dropped meanwhile is empty.
    const search = ['FT.SEARCH', index, words, 'LIMIT', '0', '0'] as const;
    const { total_results } = await redis
      .call<{ total_results: number }>(...search)
      .catch(() => ({ total_results: 0 }));
    if (total_results > 0) found.push(index);
  }
  return found;
}

/** Files of an instance that contain the words; a file deleted meanwhile contains none. */
function filesHolding(folder: string, words: string): string[] {
  const holds = (path: string) => {
    try {
      return readFileSync(path).toString('latin1').toLowerCase().includes(words);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  };
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(holds);
}

withEventStore('two instances', (startEventStore) => {
  withRedis('over Redis', (startRedis) => {
    it(
      'both forget a person: neither server contains their words, and proofs stay valid',
      async () => {
        const [log, store] = await Promise.all([startEventStore(), startRedis()]);
        const redis = RedisConnection.open({ url: store.url });
        // The servers are shared with other tests, so these words are unique.
        const name = `zanzibarov${randomUUID().replace(/[^a-z]/g, '')}`;
        const other = `quillfeather${randomUUID().replace(/[^a-z]/g, '')}`;
        await ended(startCommand(folder, ['seal-key', 'docent.example'])).then(({ stdout }) =>
          writeFileSync(join(folder, 'seal.key'), stdout),
        );
        env = {
          LOG_LEVEL: 'silent',
          EVENTSTOREDB_URL: log.url,
          REDIS_URL: store.url,
          DOCENT_NAMESPACE: testNamespace(),
          DOCENT_DEFAULT_CORPUS: 'leave',
          DOCENT_MASTER_KEY: 'a master key that all instances have',
          DOCENT_PUBLIC_RPM: '0',
          DOCENT_PUBLIC_RPH: '0',
          DOCENT_ADMINS: `olga:admin:${await hashPassword(password)}`,
        };
        config = readConfig(
          { ...env, DOCENT_DATA: join(folder, 'a'), DOCENT_SEAL_KEY: join(folder, 'seal.key') },
          join(folder, 'none'),
        );
        const a = await openApp(config);
        opened.push(a);
        const documents = writeFiles(join(folder, 'documents'), {
          'leave.md': '# Leave\n\nEvery employee has 24 days of leave a year.\n',
        });
        await a.ingest({ path: documents, corpus_id: 'leave', actor: 'system' });
        const { url: b } = await startInstance({ ...env, DOCENT_DATA: join(folder, 'b') });
        const get = async (path: string) => {
          const reply = await fetch(`${b}${path}`, { headers: admin });
          return { status: reply.status, text: await reply.text() };
        };

        const mine = await askOf('leave', a, `How many days of leave has ${name}?`, 's-mine');
        await askOf('leave', a, `How many days of leave has ${other}?`, 's-theirs');
        // The same words from B: the answer is cached for both.
        const repeated = await fetch(`${b}/api/ask`, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ query: `How many days of leave has ${other}?`, corpus_id: 'leave' }),
        });
        expect(repeated.status).toBe(200);
        await a.sealing!.seal();
        const sealedBefore = a.sealing!.checkpoint!;
        await a.caughtUp();
        await eventually(async () => {
          expect((await get('/admin/api/queries')).text).toContain(name);
          for (const instance of ['a', 'b'])
            expect(filesHolding(join(folder, instance), name)).not.toEqual([]);
        });
        const kept = async () =>
          (await redis.call<string[]>('KEYS', `${env.DOCENT_NAMESPACE}:{answer:*`)).length;
        expect(await kept()).toBeGreaterThan(0);
        expect((await get(`/admin/api/asks/${mine}`)).text).toContain(name);

        await (await a.forget('s-mine', cause)).done;

        await eventually(async () => {
          expect((await get('/admin/api/queries')).text).not.toContain(name);
          expect((await get(`/admin/api/asks/${mine}`)).text).not.toContain(name);
          expect(JSON.parse((await get(`/admin/api/asks/${mine}`)).text).asked).toMatchObject({
            forgotten: true,
          });
          expect(await kept()).toBe(0);
        });
        expect(await holding(redis, name)).toEqual([]);
        await eventually(() => {
          for (const instance of ['a', 'b']) expect(filesHolding(join(folder, instance), name)).toEqual([]);
        });
        expect((await get('/admin/api/queries')).text).toContain(other);
        expect(await a.verifyProjections()).toMatchObject({ same: true });
        await a.sealing!.seal();

        // The stored history contains the words nowhere, and matches the checkpoints from before and after.
        const read = await openLogAt(log.url, env.DOCENT_NAMESPACE!, null);
        try {
          const trusted = [readVerifyingKey(a.sealing!.key)];
          const check = new HistoryCheck({ trusted, outside: [readCheckpoint(sealedBefore)!] });
          for await (const page of storedPages(read.log))
            for (const event of page) {
              const text = Buffer.from([...event.data, ...event.metadata])
                .toString()
                .toLowerCase();
              for (const words of [name, other]) expect(`${event.stream} ${text}`).not.toContain(words);
              check.add(event);
            }
          expect(check.finish()).toMatchObject({ intact: true, outside: 1 });
        } finally {
          await read.close();
        }
        await redis.close();
      },
      within,
    );
  });
});
