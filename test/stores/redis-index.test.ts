/** In a cluster, the node that receives a search silently skips nodes whose connection is down. */
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failures.ts';
import { type Arg, type Redis, RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { dropIndex, ensureIndex, type Index, searchIndex } from '../../src/stores/server/redis-index.ts';
import { eventually } from '../support/eventually.ts';
import { startRedisCluster } from '../support/own-server.ts';
import { withOwnRedis } from '../support/servers.ts';

const index: Index = { name: 'n:{i}:all', fields: [{ name: 'any', type: 'TAG', options: [] }] };
const noIndex = () => new Failure('internal', 'refused', { cause: new Error('No such index') });

/**
 * Two nodes: the first receives the commands, the second has all the hashes. `deaf`: how many of the next commands do
 * not reach the second.
 */
class Cluster {
  readonly commands: string[] = [];
  deaf = 0;
  readonly #nodes = [new Set<string>(), new Set<string>()];
  readonly redis: Redis;

  constructor() {
    const call = async (_key: string, ...[command, ...args]: Arg[]): Promise<unknown> =>
      this.#command(String(command), String(args[0]));
    const onMasters = async () => this.#nodes.map((names) => [...names]);
    this.redis = { clustered: true, call, onMasters } as unknown as Redis;
  }

  #command(command: string, name: string): unknown {
    if (command === 'HSET') return 1;
    if (command !== 'FT.INFO') this.commands.push(`${command} ${name}`);
    const reached = this.deaf === 0 || this.deaf-- === 0 ? this.#nodes : this.#nodes.slice(0, 1);
    switch (command) {
      case 'FT.INFO':
        if (!reached.some((names) => names.has(name))) throw noIndex();
        return { attributes: [{ identifier: 'any', type: 'TAG' }], indexing: 0 };
      case 'FT.CREATE':
        for (const names of reached) names.add(name);
        return 'OK';
      case 'FT.DROPINDEX':
        for (const names of reached) names.delete(name);
        return 'OK';
      case 'FT.SEARCH':
        if (reached.some((names) => !names.has(name))) throw noIndex();
        return reached.length === 2
          ? { total_results: 1, results: [{ id: `${name}:1` }], warning: [] }
          : { total_results: 0, results: [], warning: [] };
      default:
        throw new Error(command);
    }
  }

  /** Removes the index from one node, as if the node had joined later or missed the command. */
  forget(): void {
    this.#nodes[1]!.delete(index.name);
  }
}

describe('a cluster with a node that is sometimes unreachable', () => {
  const of = (cluster: Cluster, command: string) =>
    cluster.commands.filter((one) => one === `${command} ${index.name}`).length;

  it('has an index on every node', async () => {
    const cluster = new Cluster();
    cluster.deaf = 3;
    await ensureIndex(cluster.redis, index, 0);
    expect(of(cluster, 'FT.CREATE')).toBeGreaterThan(1);
    cluster.deaf = 0;
    expect((await searchIndex(cluster.redis, index.name, '*', [0, 10])).hits).toMatchObject([{ key: '1' }]);
  });

  it('recreates the index on a node that lost it', async () => {
    const cluster = new Cluster();
    await ensureIndex(cluster.redis, index, 0);
    cluster.forget();
    await ensureIndex(cluster.redis, index, 0);
    expect(of(cluster, 'FT.DROPINDEX')).toBe(0);
    expect((await searchIndex(cluster.redis, index.name, '*', [0, 10])).total).toBe(1);
  });

  it('drops the index on every node', async () => {
    const cluster = new Cluster();
    await ensureIndex(cluster.redis, index, 0);
    cluster.deaf = 2;
    await dropIndex(cluster.redis, index.name, 0);
    expect(of(cluster, 'FT.DROPINDEX')).toBe(3);
  });

  it('accepts an empty result only if all nodes were reached', async () => {
    const cluster = new Cluster();
    await ensureIndex(cluster.redis, index, 0);
    cluster.deaf = 4;
    expect((await searchIndex(cluster.redis, index.name, 'x', [0, 10])).total).toBe(1);
  });

  it('reports a node that cannot be reached at all', async () => {
    const cluster = new Cluster();
    await ensureIndex(cluster.redis, index, 0);
    cluster.deaf = Number.POSITIVE_INFINITY;
    await expect(searchIndex(cluster.redis, index.name, 'x', [0, 10])).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

withOwnRedis('a real Redis cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  let redis: RedisConnection;
  beforeEach(async () => {
    cluster = await startRedisCluster();
    redis = RedisConnection.open({ url: cluster.url });
  });
  afterEach(async () => {
    await redis.close();
    await cluster.stop();
  });

  /** A node that hangs fails its test instead of blocking all the others. */
  const cliMs = 30_000;

  /** Cuts the search connections between nodes, and of each node to itself. */
  function cutSearches(): number {
    let cut = 0;
    for (const [, port] of cluster.url.matchAll(/:(\d+)/g)) {
      const cli = (...args: string[]) =>
        execFileSync('redis-cli', ['-p', port!, ...args], { encoding: 'utf8', timeout: cliMs });
      for (const client of cli('CLIENT', 'LIST').split('\n')) {
        if (!/ user=\(superuser\) /.test(client)) continue;
        cli('CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(client)![1]!);
        cut++;
      }
    }
    return cut;
  }

  /**
   * Callers must retry. Redis 8.0.6 sometimes never replies to a command in flight on a dropped connection, nor to any
   * later one, not even from redis-cli. In that case the test retries with a new cluster.
   */
  const tries = { retry: 2, timeout: 60_000 };

  it('a cluster finds existing data right after its nodes lost their connections', tries, async () => {
    await ensureIndex(redis, index);
    await redis.call(index.name, 'HSET', `${index.name}:1`, 'any', 'thing');
    expect(cutSearches()).toBeGreaterThan(0);
    const total = async (name: string, query: string) =>
      (await eventually(() => searchIndex(redis, name, query, [0, 10]))).total;
    expect(await total(index.name, '@any:{thing}')).toBe(1);
    expect(await total(index.name, '@any:{nothing}')).toBe(0);
  });

  it('a cluster creates an index on every node right after that', tries, async () => {
    await ensureIndex(redis, index);
    await searchIndex(redis, index.name, '*', [0, 10]);
    expect(cutSearches()).toBeGreaterThan(0);
    const other: Index = { ...index, name: 'n:{i}:other' };
    await eventually(() => ensureIndex(redis, other));
    await redis.call(other.name, 'HSET', `${other.name}:1`, 'any', 'thing');
    const found = await eventually(() => searchIndex(redis, other.name, '*', [0, 10]));
    expect(found.total).toBe(1);
    expect(await eventually(() => redis.onMasters('FT._LIST'))).toEqual(
      Array.from({ length: 3 }, () => expect.arrayContaining([other.name])),
    );
  });
});
