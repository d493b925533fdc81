import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projections } from '../../projections/index.ts';
import type { ProjectionSchema } from '../../src/ports/read-models.ts';
import { ModelsReader } from '../../src/read-models/models-reader.ts';
import { ModelsStore } from '../../src/read-models/models-store.ts';
import { directModels } from '../support/direct-models.ts';
import { newFolder } from '../support/folder.ts';
import { openOnSmallDisk } from '../support/small-disk.ts';
import { people, readModelsContract } from './read-models.contract.ts';

function openIn(folder: string, schemas: readonly ProjectionSchema[]) {
  const path = join(folder, 'models.sqlite');
  const store = new ModelsStore(path, schemas);
  const reader = new ModelsReader(path);
  return {
    store,
    reader,
    models: {
      ...directModels(store),
      get: async (collection: string, key: string) => reader.get(collection, key),
      getMany: async (collection: string, keys: readonly string[]) => reader.getMany(collection, keys),
      find: async (collection: string, query: Parameters<ModelsReader['find']>[1]) =>
        reader.find(collection, query),
    },
    close: async () => {
      reader.close();
      store.close();
    },
  };
}

readModelsContract('embedded', async (schemas) => {
  const folder = newFolder('models');
  const { models, close } = openIn(folder, schemas);
  return {
    models,
    close: async () => {
      await close();
    },
  };
});

test('rejects read models of a later version, and uses an earlier one until its successor has caught up', async () => {
  const folder = newFolder('models');
  const raised = { ...people, version: 2 };
  const first = openIn(folder, [people]);
  const [build] = await first.models.builds();
  await first.models.commit(build!, '1', [{ op: 'put', collection: 'people', key: 'a', doc: { town: 'x' } }]);
  await first.close();
  const second = openIn(folder, [raised]);
  const beside = await second.models.startBuild('people');
  expect(beside.version).toBe(2);
  expect(await second.models.get('people', 'a')).toEqual({ town: 'x' });
  await second.models.goLive(beside);
  expect(await second.models.get('people', 'a')).toBeNull();
  await second.close();
  expect(() => new ModelsStore(join(folder, 'models.sqlite'), [people])).toThrow(
    expect.objectContaining({ code: 'newer_format' }),
  );
});

test('rejects a commit on a full disk, keeps existing data, and works again when there is space', async () => {
  const folder = newFolder('models');
  const disk = openOnSmallDisk(() => openIn(folder, [people]));
  const { store, models, reader, close } = disk.opened;
  let [build] = await models.builds();
  await models.commit(build!, '1', [{ op: 'put', collection: 'people', key: 'a', doc: { bio: 'first' } }]);
  build = (await models.builds())[0]!;
  const big = Array.from({ length: 200 }, (_, i) => ({
    op: 'put' as const,
    collection: 'people',
    key: `k${i}`,
    doc: { bio: `word${i} `.repeat(500) },
  }));
  disk.fill(50);
  expect(() => store.commit(build!, '2', big)).toThrow(expect.objectContaining({ code: 'storage_full' }));
  expect(reader.get('people', 'a')).toEqual({ bio: 'first' });
  expect(reader.get('people', 'k0')).toBeNull();
  disk.free();
  expect(store.commit(build!, '2', big)).toBe(true);
  expect(reader.find('people', { search: 'word7' }).total).toBe(1);
  await close();
});

test('all projections of the service can be opened together', async () => {
  const folder = newFolder('models');
  const { models, close } = openIn(folder, projections);
  expect((await models.builds()).map((b) => b.name)).toEqual(projections.map((p) => p.name));
  await close();
});

test('a read of a collection uses one build, even if another replaces it meanwhile', async () => {
  const folder = newFolder('models');
  const { models, reader, close } = openIn(folder, [people]);
  const [build] = await models.builds();
  await models.commit(build!, '1', [{ op: 'put', collection: 'people', key: 'a', doc: { town: 'x' } }]);
  const beside = await models.startBuild('people');
  await models.commit(beside, '1', [{ op: 'put', collection: 'people', key: 'a', doc: { town: 'y' } }]);
  // The other build goes live between the lookup of the live build and the read of its table.
  const { prepare } = reader.db;
  let switched = false;
  reader.db.prepare = (sql) => {
    if (!switched) {
      switched = true;
      models.goLive(beside);
    }
    return prepare.call(reader.db, sql);
  };
  expect(reader.get('people', 'a')).toEqual({ town: 'x' });
  expect(reader.get('people', 'a')).toEqual({ town: 'y' });
  await close();
});
