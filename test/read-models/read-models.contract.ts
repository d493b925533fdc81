/** The contract for every store of read models; `open` returns an empty one with the given schemas. */
import { afterEach, describe, expect, test } from 'vitest';
import type {
  Build,
  BuildStore,
  Doc,
  PoisonedEvent,
  ProjectionSchema,
  Query,
  Records,
  Write,
} from '../../src/ports/read-models.ts';

/** A store as the contract uses it. */
export interface OpenedModels {
  models: BuildStore & Records;
  close(): Promise<void>;
}

export const people: ProjectionSchema = {
  name: 'people',
  version: 1,
  collections: [
    {
      name: 'people',
      fields: {
        town: 'tag',
        tags: 'tag',
        age: 'number',
        born_at: 'time',
        bio: 'text',
        note: 'text',
        active: 'number',
      },
    },
  ],
};

/** Records contain their key. */
const withKey = (write: Write): Write =>
  write.op === 'put' ? { ...write, doc: { ...write.doc, note: write.key } } : write;

const position = (n: number) => String(n).padStart(16, '0');

export function readModelsContract(
  name: string,
  open: (schemas: readonly ProjectionSchema[]) => Promise<OpenedModels>,
): void {
  describe(`read models: ${name}`, () => {
    const opened: OpenedModels[] = [];
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    const start = async () => {
      const store = await open([people]);
      opened.push(store);
      const [build] = (await store.models.builds()).filter((b) => b.name === 'people');
      let commits = 0;
      /** Commits the next writes. */
      const write = async (...writes: Write[]) => {
        const checkpoint = position(++commits);
        expect(await store.models.commit(build!, checkpoint, writes)).toBe(true);
        build!.checkpoint = checkpoint;
      };
      return { models: store.models, build: build!, write };
    };
    const put = (key: string, doc: Doc) => ({ op: 'put' as const, collection: 'people', key, doc });

    test('a new projection has a live build without a checkpoint', async () => {
      const { build } = await start();
      expect(build).toMatchObject({ name: 'people', version: 1, checkpoint: null, live: true });
    });

    test('a write and its checkpoint are committed together, once', async () => {
      const { models, build } = await start();
      expect(await models.commit(build, position(1), [put('a', { town: 'Арай', age: 3 })])).toBe(true);
      expect(await models.get('people', 'a')).toEqual({ town: 'Арай', age: 3 });
      expect((await models.builds())[0]!.checkpoint).toBe(position(1));
      // The same commit again from another runner, whose checkpoint is out of date.
      expect(await models.commit(build, position(2), [put('a', { town: 'Тау' })])).toBe(false);
      expect(await models.get('people', 'a')).toEqual({ town: 'Арай', age: 3 });
    });

    test('only one of two runners with the same checkpoint writes', async () => {
      const { models, build } = await start();
      const commits = await Promise.all(
        [1, 2, 3].map((n) =>
          models.commit({ ...build }, position(5), [
            { op: 'increment', collection: 'people', key: 'n', by: { age: n } },
          ]),
        ),
      );
      expect(commits.filter(Boolean)).toHaveLength(1);
      expect([1, 2, 3]).toContain((await models.get('people', 'n'))!.age);
    });

    test('one commit can merge, increment and delete the same record repeatedly', async () => {
      const { models, write } = await start();
      await write(
        put('a', { town: 'X', age: 1 }),
        { op: 'merge', collection: 'people', key: 'a', doc: { town: 'Y', bio: 'рыбак' } },
        { op: 'increment', collection: 'people', key: 'a', by: { age: 2, visits: 1 } },
        { op: 'increment', collection: 'people', key: 'b', by: { age: 7 } },
        put('c', { town: 'Z' }),
        { op: 'delete', collection: 'people', key: 'c' },
      );
      expect(await models.get('people', 'a')).toEqual({ town: 'Y', age: 3, bio: 'рыбак', visits: 1 });
      expect(await models.get('people', 'b')).toEqual({ age: 7 });
      expect(await models.get('people', 'c')).toBeNull();
      await write(
        { op: 'merge', collection: 'people', key: 'a', doc: { town: null } },
        { op: 'delete', collection: 'people', key: 'b' },
        { op: 'delete', collection: 'people', key: 'never' },
      );
      expect((await models.get('people', 'a'))!.town).toBeNull();
      expect(await models.get('people', 'b')).toBeNull();
    });

    const town: Doc[] = [
      {
        id: 1,
        town: 'Арай',
        tags: ['x', 'y'],
        age: 30,
        born_at: '1996-01-01T00:00:00.000Z',
        bio: 'Рыбаки ловят рыбу',
        active: true,
      },
      {
        id: 2,
        town: 'Арай',
        tags: ['y'],
        age: 20,
        born_at: '2006-01-01T00:00:00.000Z',
        bio: 'The teacher teaches',
        active: false,
      },
      {
        id: 3,
        town: 'Тау, старый',
        tags: [],
        age: 10,
        born_at: '2016-01-01T00:00:00.000Z',
        note: 'Рыбу не ест',
        active: true,
      },
      { id: 4, town: null, age: 40, born_at: '1986-01-01T00:00:00.000Z', bio: 'Мемлекеттің тілі' },
    ];
    const residents = town.map((doc) => put(String(doc.id), doc));
    const ids = async (models: OpenedModels['models'], query: Query) => {
      const { items, total } = await models.find('people', { orderBy: { field: 'age' }, ...query });
      return { ids: items.map((d) => d.id), total };
    };

    test('lists support filters, order, pages and totals', async () => {
      const { models, write } = await start();
      await write(...residents);
      expect(await ids(models, {})).toEqual({ ids: [3, 2, 1, 4], total: 4 });
      expect(await ids(models, { where: { town: 'Арай' } })).toEqual({ ids: [2, 1], total: 2 });
      expect(await ids(models, { where: { town: 'Тау, старый' } })).toEqual({ ids: [3], total: 1 });
      expect(await ids(models, { where: { tags: 'y' } })).toEqual({ ids: [2, 1], total: 2 });
      expect(await ids(models, { where: { tags: 'y', age: 20 } })).toEqual({ ids: [2], total: 1 });
      expect(await ids(models, { where: { active: true } })).toEqual({ ids: [3, 1], total: 2 });
      expect(await ids(models, { where: { town: null } })).toEqual({ ids: [4], total: 1 });
      expect(await ids(models, { where: { town: 'нигде' } })).toEqual({ ids: [], total: 0 });
      // Any of several values.
      expect(await ids(models, { where: { town: ['Тау, старый', 'нигде', 'Арай'] } })).toEqual({
        ids: [3, 2, 1],
        total: 3,
      });
      expect(await ids(models, { where: { tags: ['x', 'z'] } })).toEqual({ ids: [1], total: 1 });
      expect(await ids(models, { where: { tags: ['x', 'y'], age: [10, 20, 40] } })).toEqual({
        ids: [2],
        total: 1,
      });
      expect(await ids(models, { where: { active: [false] } })).toEqual({ ids: [2], total: 1 });
      expect(await ids(models, { where: { town: [] } })).toEqual({ ids: [], total: 0 });
      expect(await ids(models, { limit: 2, offset: 1 })).toEqual({ ids: [2, 1], total: 4 });
      expect(await ids(models, { offset: 9 })).toEqual({ ids: [], total: 4 });
      // An offset beyond the end still counts the records it skips.
      for (const offset of [1_000_001, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])
        expect(await ids(models, { offset })).toEqual({ ids: [], total: 4 });
      expect(await ids(models, { offset: Number.MAX_SAFE_INTEGER, where: { town: 'Арай' } })).toEqual({
        ids: [],
        total: 2,
      });
      expect(await ids(models, { limit: 0 })).toEqual({ ids: [], total: 4 });
      expect(await ids(models, { orderBy: { field: 'born_at', descending: true } })).toEqual({
        ids: [3, 2, 1, 4],
        total: 4,
      });
    });

    test('a time range excludes its end and can be combined with other filters', async () => {
      const { models, write } = await start();
      await write(...residents);
      await write(put('5', { id: 5, age: 50 }));
      const born = (from?: string, before?: string) => ({
        between: { field: 'born_at', ...(from && { from }), ...(before && { before }) },
      });
      expect(await ids(models, born())).toMatchObject({ ids: expect.arrayContaining([3, 2, 1, 4]) });
      expect(await ids(models, born('1996-01-01T00:00:00.000Z'))).toEqual({ ids: [3, 2, 1], total: 3 });
      expect(await ids(models, born(undefined, '1996-01-01T00:00:00.000Z'))).toEqual({ ids: [4], total: 1 });
      expect(await ids(models, born('1996-01-01T05:00:00+05:00', '2016-01-01T00:00:00Z'))).toEqual({
        ids: [2, 1],
        total: 2,
      });
      expect(
        await ids(models, { ...born('1990-01-01T00:00:00Z'), where: { town: 'Арай' }, search: 'рыба' }),
      ).toEqual({ ids: [1], total: 1 });
      expect((await ids(models, born('2020-01-01T00:00:00Z'))).total).toBe(0);
    });

    test('many records can be read together, in the order of their keys', async () => {
      const { models, write } = await start();
      await write(...residents);
      const found = await models.getMany('people', ['3', 'none', '1', '3', "'"]);
      expect(found.map((doc) => doc?.id)).toEqual([3, undefined, 1, 3, undefined]);
      expect(found[2]).toEqual(town[0]);
      expect(await models.getMany('people', [])).toEqual([]);
      expect(await models.getMany('people', Array(1000).fill('4'))).toEqual(Array(1000).fill(town[3]));
    });

    test('a filter matches its exact value, regardless of its characters', async () => {
      const { models, write } = await start();
      const values = [
        '',
        ' ',
        'a',
        'A',
        'а',
        'А',
        'a b',
        'a,b',
        'a|b',
        '*',
        '-x',
        '"',
        '\\',
        '{}',
        '_n',
        '_z',
      ];
      values.push('null', '@town', '😀', 'é', 'é'.normalize('NFD'), 'x'.repeat(500), `${'x'.repeat(500)}y`);
      await write(
        ...values.map((town, id) => put(String(id), { id, town, tags: [`t${town}`, 'all'], age: id })),
      );
      for (const [id, town] of values.entries()) {
        expect(await ids(models, { where: { town } })).toEqual({ ids: [id], total: 1 });
        expect(await ids(models, { where: { tags: `t${town}` } })).toEqual({ ids: [id], total: 1 });
      }
      expect((await ids(models, { where: { tags: 'all' } })).total).toBe(values.length);
      expect((await ids(models, { where: { town: null } })).total).toBe(0);
    });

    test('numbers sort as numbers, missing ones first, and equal ones in the order of creation', async () => {
      const { models, write } = await start();
      const ages = [3, -1, 10, 2.5, null, -20, 0, 3, 1e21, -1];
      await write(...ages.map((age, id) => put(String(9 - id), { id, age })));
      const order = [4, 5, 1, 9, 6, 3, 0, 7, 2, 8];
      expect((await ids(models, {})).ids).toEqual(order);
      // Changed records keep their place; one that is deleted and recreated does not, in one commit or in two.
      await write(
        { op: 'merge', collection: 'people', key: '9', doc: { town: 'x' } },
        { op: 'delete', collection: 'people', key: '8' },
        put('8', { id: 1, age: -1 }),
      );
      const last = [4, 5, 9, 1, 6, 3, 0, 7, 2, 8];
      expect((await ids(models, {})).ids).toEqual(last);
      await write({ op: 'delete', collection: 'people', key: '8' });
      await write(put('8', { id: 1, age: -1 }));
      expect((await ids(models, {})).ids).toEqual(last);
      expect((await ids(models, { orderBy: { field: 'age', descending: true } })).ids).toEqual(
        last.toReversed(),
      );
    });

    test('records are ordered by their writes, however the writes are divided into commits', async () => {
      const drop = (key: string) => ({ op: 'delete' as const, collection: 'people', key });
      const writes = [
        ...[drop('a'), put('gone', { age: 1 }), drop('gone'), put('b', { age: 1 }), put('a', { age: 1 })],
        ...[put('c', { age: 1 }), drop('b'), put('d', { age: 1 }), put('b', { age: 1 })],
      ];
      const orders: unknown[] = [];
      for (const size of [1, 2, writes.length]) {
        const { models, build } = await start();
        for (let at = 0; at < writes.length; at += size) {
          const checkpoint = position(at + 1);
          await models.commit({ ...build }, checkpoint, writes.slice(at, at + size).map(withKey));
          build.checkpoint = checkpoint;
        }
        const { items } = await models.find('people', { orderBy: { field: 'age' } });
        orders.push(items.map(({ note }) => note));
      }
      expect(orders).toEqual([1, 2, 3].map(() => ['a', 'c', 'd', 'b']));
    });

    test('search finds all words by stem, in any text field, together with other filters', async () => {
      const { models, write } = await start();
      await write(...residents);
      expect((await ids(models, { search: 'рыба' })).ids).toEqual([3, 1]);
      expect((await ids(models, { search: 'рыба ловят' })).ids).toEqual([1]);
      expect((await ids(models, { search: 'teachers' })).ids).toEqual([2]);
      expect((await ids(models, { search: 'тіл' })).ids).toEqual([4]);
      expect((await ids(models, { search: 'рыба', where: { town: 'Арай' } })).ids).toEqual([1]);
      expect((await ids(models, { search: '"a:b (c* OR' })).ids).toEqual([]);
      expect((await ids(models, { search: ' ' })).ids).toEqual([]);
    });

    test('search reflects changes and deletions', async () => {
      const { models, write } = await start();
      await write(put('a', { id: 1, bio: 'старое слово' }));
      await write({ op: 'merge', collection: 'people', key: 'a', doc: { bio: 'новое дело' } });
      expect((await ids(models, { search: 'слово' })).ids).toEqual([]);
      expect((await ids(models, { search: 'дела' })).ids).toEqual([1]);
      await write({ op: 'delete', collection: 'people', key: 'a' });
      expect((await ids(models, { search: 'дела' })).ids).toEqual([]);
    });

    test('a second build is read only once it is live', async () => {
      const { models, build, write } = await start();
      await write(put('a', { town: 'old' }));
      const beside = await models.startBuild('people');
      expect(beside).toMatchObject({ live: false, checkpoint: null });
      expect((await models.startBuild('people')).build).toBe(beside.build);
      await models.commit(beside, position(1), [put('a', { town: 'new' })]);
      expect((await models.get('people', 'a'))!.town).toBe('old');
      expect(await models.goLive({ ...beside, checkpoint: position(1) })).toBe(true);
      expect((await models.get('people', 'a'))!.town).toBe('new');
      expect((await models.builds()).map((b: Build) => b.build)).toEqual([beside.build]);
      // The replaced build accepts no more writes, and cannot become live again.
      expect(
        await models.commit({ ...build, checkpoint: position(1) }, position(2), [put('a', { town: 'late' })]),
      ).toBe(false);
      expect(await models.goLive(build)).toBe(false);
      expect((await models.get('people', 'a'))!.town).toBe('new');
    });

    test('a poisoned event is kept with its error until the projection gets a new build', async () => {
      const { models, build } = await start();
      const poisoned: PoisonedEvent = {
        projection: 'people',
        position: position(1),
        event_id: 'e1',
        error: 'TypeError',
        at: '2026-01-01T00:00:00.000Z',
      };
      await models.commit(build, position(1), [], [poisoned]);
      expect(await models.poisoned()).toEqual([poisoned]);
      await models.startBuild('people');
      expect(await models.poisoned()).toEqual([]);
    });

    test('unusual text is stored unchanged', async () => {
      const { models, write } = await start();
      const doc = {
        town: 'a"b\\c{d}',
        bio: '😀 \u2028 ‘’ \t',
        tags: ['a b', 'c-d'],
        nested: { list: [1, null, 'x'] },
      };
      await write(put("k'ey:1", doc));
      expect(await models.get('people', "k'ey:1")).toEqual(doc);
      expect((await models.find('people', { where: { town: 'a"b\\c{d}' } })).total).toBe(1);
      expect((await models.find('people', { where: { tags: 'c-d' } })).total).toBe(1);
    });
  });
}
