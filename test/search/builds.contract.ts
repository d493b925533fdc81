/** The contract for every store of chunk index builds. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ChunkWrite } from '../../src/ports/chunk-search.ts';
import type { Build, BuildStore } from '../../src/ports/read-models.ts';
import { chunk, revision } from './chunks.contract.ts';

export interface OpenedBuilds {
  store: BuildStore;
  close(): Promise<void>;
}

/** A document with this many chunks, all containing the same word. */
export const someChunks = (docId: number, count: number): ChunkWrite[] =>
  revision(
    docId,
    1,
    Array.from({ length: count }, (_, n) => chunk(`закон ${n}`)),
  );

const position = (n: number) => String(n).padStart(16, '0');
const version = 3;

/** `open` returns an empty store whose projection has this version. */
export function buildStoreContract(name: string, open: (version: number) => Promise<OpenedBuilds>): void {
  describe(`builds: ${name}`, () => {
    const opened: OpenedBuilds[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });
    async function start(): Promise<OpenedBuilds & { build: Build }> {
      const one = await open(version);
      opened.push(one);
      const [build] = await one.store.builds();
      return { ...one, build: build! };
    }

    test('a new projection has a live build without a checkpoint', async () => {
      const { store, build } = await start();
      expect(build).toMatchObject({ name: 'chunks', version, checkpoint: null, live: true });
      expect(await store.builds()).toEqual([build]);
    });

    test('only one of two runners with the same checkpoint writes', async () => {
      const { store, build } = await start();
      const commits = await Promise.all(
        [1, 2, 3].map((n) => store.commit({ ...build }, position(n), someChunks(n, 2))),
      );
      expect(commits.filter(Boolean)).toHaveLength(1);
      const [after] = await store.builds();
      expect(after!.checkpoint).toBe(position(commits.indexOf(true) + 1));
      expect(await store.commit(build, position(9), someChunks(9, 1))).toBe(false);
    });

    test('a rebuild exists alongside the live build until it replaces it', async () => {
      const { store, build } = await start();
      await store.commit(build, position(1), someChunks(1, 2));
      const beside = await store.startBuild('chunks');
      expect(beside).toMatchObject({ version, checkpoint: null, live: false });
      expect((await store.startBuild('chunks')).build).toBe(beside.build);
      expect(await store.commit(beside, position(1), someChunks(1, 2))).toBe(true);
      expect(await store.goLive(beside)).toBe(true);
      expect(await store.builds()).toEqual([{ ...beside, checkpoint: position(1), live: true }]);
      expect(await store.commit({ ...build, checkpoint: position(1) }, position(2), [])).toBe(false);
      expect(await store.goLive(build)).toBe(false);
    });

    test('poisoned events are kept until the projection gets a new build', async () => {
      const { store, build } = await start();
      const event = {
        projection: 'chunks',
        position: position(1),
        event_id: 'e',
        error: 'TypeError',
        at: '',
      };
      await store.commit(build, position(1), [], [event]);
      expect(await store.poisoned()).toEqual([event]);
      await store.startBuild('chunks');
      expect(await store.poisoned()).toEqual([]);
    });

    test('an unknown projection has no build', async () => {
      const { store } = await start();
      await expect(store.startBuild('unknown')).rejects.toMatchObject({ code: 'not_found' });
    });
  });
}
