/**
 * Real servers for the suites that can use them: servers named in the environment (EVENTSTOREDB_URL, REDIS_URL), or
 * programs on this machine, started on a free loopback port. These are started once for all files (shared-servers.ts),
 * or by a suite that kills and freezes its server. Without a server, a suite is skipped and the reason printed; with
 * DOCENT_REQUIRE_SERVERS=1 it fails.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, inject, it } from 'vitest';
import { moduleFolders, onPath } from './own-server.ts';
import { sharedUrl } from './shared-servers.ts';

const missing = {
  eventStore: () =>
    process.env.EVENTSTOREDB_URL || onPath('eventstored')
      ? null
      : 'EVENTSTOREDB_URL is not set and there is no eventstored on the PATH',
  ownEventStore: () => (onPath('eventstored') ? null : 'there is no eventstored on the PATH'),
  redis: () => (process.env.REDIS_URL ? null : missing.ownRedis()),
  ownRedis: () =>
    !onPath('redis-server')
      ? 'REDIS_URL is not set and there is no redis-server on the PATH'
      : !moduleFolders.some((dir) => existsSync(join(dir, 'redisearch.so')))
        ? `redis-server has no Query Engine: no redisearch.so in ${moduleFolders.join(', ')}`
        : null,
};

/** Declares a suite that uses a server, or prints why it is skipped. */
function withServer<T>(title: string, reason: string | null, suite: () => T): void {
  if (reason === null) {
    describe(title, suite as () => void);
    return;
  }
  if (process.env.DOCENT_REQUIRE_SERVERS === '1') {
    it(title, () => {
      throw new Error(`${title} cannot run: ${reason}.`);
    });
    return;
  }
  process.stderr.write(`skipped: ${title}: ${reason}\n`);
  describe.skip(`${title} (${reason})`, () => {
    it('needs the server', () => {});
  });
}

/** A server that test files share. Each file must use a separate namespace there. */
interface SharedServer {
  url: string;
  /** Does nothing: the server ends with the run. */
  stop(): Promise<void>;
}

/** Namespaces that the file has used, and the Redis that may contain them. */
const used = { namespaces: new Set<string>(), redis: '' };

/** A separate namespace on the shared servers. Its data in Redis is removed after the test file. */
export function testNamespace(): string {
  const name = `test-${randomUUID()}`;
  used.namespaces.add(name);
  return name;
}

/** Empties the namespaces in Redis, because each index on a server slows down every write. */
export async function emptyNamespaces(): Promise<void> {
  const { namespaces, redis: url } = used;
  if (url === '' || namespaces.size === 0) return;
  // Most files need no Redis.
  const { RedisConnection } = await import('../../src/storage/redis-connection.ts');
  const { listIndexes } = await import('../../src/search/redis/query-engine.ts');
  const isOwn = (name: string) => namespaces.has(name.slice(0, name.indexOf(':')));
  const redis = RedisConnection.open({ url });
  for (const name of await listIndexes(redis)) if (isOwn(name)) await redis.call('FT.DROPINDEX', name, 'DD');
  let cursor = '0';
  do {
    const [next, keys] = await redis.call<[string, string[]]>(
      ...['SCAN', cursor, 'MATCH', 'test-*', 'COUNT', '1000'],
    );
    const own = keys.filter(isOwn);
    if (own.length > 0) await redis.call('UNLINK', ...own);
    cursor = next;
  } while (cursor !== '0');
  await redis.close();
  namespaces.clear();
}

async function shared(name: keyof typeof variableOf): Promise<SharedServer> {
  const url = process.env[variableOf[name]] || (await sharedUrl(name, inject('sharedServers')));
  if (name === 'redis') used.redis = url;
  return { url, stop: async () => {} };
}
const variableOf = { eventstore: 'EVENTSTOREDB_URL', redis: 'REDIS_URL' };

/** The suite gets a function that returns the server, and starts it on the first call. */
export function withEventStore(title: string, suite: (start: () => Promise<SharedServer>) => void): void {
  withServer(title, missing.eventStore(), () => suite(() => shared('eventstore')));
}

/** The EventStoreDB that withEventStore would use; otherwise a double that speaks its protocol. */
export async function eventStoreOrDouble(): Promise<SharedServer> {
  if (missing.eventStore() === null) return shared('eventstore');
  const { EventStoreDouble } = await import('./eventstore-double.ts');
  const double = await EventStoreDouble.start();
  return { url: double.url, stop: () => double.stop() };
}

/** Like withEventStore, for suites that kill and freeze the server: never uses one named in the environment. */
export function withOwnEventStore(title: string, suite: () => void): void {
  withServer(title, missing.ownEventStore(), suite);
}

export function withRedis(title: string, suite: (start: () => Promise<SharedServer>) => void): void {
  withServer(title, missing.redis(), () => suite(() => shared('redis')));
}

export function withOwnRedis(title: string, suite: () => void): void {
  withServer(title, missing.ownRedis(), suite);
}
