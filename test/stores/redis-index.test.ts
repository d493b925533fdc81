/** Over a cluster an index that was just made is not known to every shard at once. */
import { expect, it } from 'vitest';
import { Failure } from '../../src/failures.ts';
import type { Arg, Redis } from '../../src/stores/server/redis-connection.ts';
import { ensureIndex, type Index, searchIndex } from '../../src/stores/server/redis-index.ts';

const index: Index = { name: 'i', fields: [{ name: 'any', type: 'TAG', options: [] }] };
const found = { total_results: 1, results: [{ id: 'i:1' }], warning: [] };

/** A cluster of which one shard learns of an index only by the `shy`-th search for it, or when it is made again. */
function cluster(shy: number) {
  const commands: string[] = [];
  let [made, searched] = [0, 0];
  const call = async (_key: string, ...[name]: Arg[]): Promise<unknown> => {
    commands.push(String(name));
    const noIndex = new Failure('internal', 'refused', { cause: new Error('No such index i') });
    switch (name) {
      case 'FT.INFO':
        // It adds up what those shards say that know it.
        if (made === 0) throw noIndex;
        return { attributes: [{ identifier: 'any', type: 'TAG' }], indexing: 0 };
      case 'FT.CREATE':
        made++;
        return 'OK';
      case 'FT.SEARCH':
        if (made === 0 || (++searched < shy && made === 1)) throw noIndex;
        return found;
      default:
        return 'OK';
    }
  };
  return { redis: { call } as unknown as Redis, commands };
}

it('is ready only when a search finds it', async () => {
  const { redis, commands } = cluster(3);
  await ensureIndex(redis, index, 0);
  expect(commands.filter((name) => name === 'FT.SEARCH')).toHaveLength(3);
  expect(commands.filter((name) => name === 'FT.CREATE')).toHaveLength(1);
});

it('is made once more where a shard does not come to know it', async () => {
  const { redis, commands } = cluster(Number.POSITIVE_INFINITY);
  await ensureIndex(redis, index, 0);
  const changes = commands.filter((name) => name === 'FT.CREATE' || name === 'FT.DROPINDEX');
  expect(changes).toEqual(['FT.CREATE', 'FT.DROPINDEX', 'FT.CREATE']);
});

it('is looked for again by a search, within its time', async () => {
  const { redis } = cluster(4);
  await redis.call('i', 'FT.CREATE');
  expect((await searchIndex(redis, 'i', '*', [0, 10])).hits).toMatchObject([{ key: '1' }]);
});
