/** A thread that compares the read models of two past moments, for as long as there are requests. */
import { parentPort } from 'node:worker_threads';
import { openEmbeddedContents } from '../stores/embedded/models.ts';
import { type ChangesPage, type ChangesRequest, changesPage, type Made } from '../verification/past.ts';
import { modelPaths } from './adapter-config.ts';
import { giveWay } from './give-way.ts';
import { serveThread } from './rpc.ts';

async function openMade(folder: string): Promise<Made & { close(): Promise<void> }> {
  const contents = openEmbeddedContents(modelPaths(folder));
  const builds = await contents.builds();
  return {
    contents,
    build: async (projection) => builds.find(({ name, live }) => name === projection && live)!,
    close: () => contents.close(),
  };
}

giveWay();
serveThread(parentPort!, () => ({
  /** `first` and `second`: folders with read models. */
  async page(first: string, second: string, request: ChangesRequest): Promise<ChangesPage> {
    const one = await openMade(first);
    try {
      const other = await openMade(second);
      return await changesPage(one, other, request).finally(() => other.close());
    } finally {
      await one.close();
    }
  },
  close: () => {},
}));
