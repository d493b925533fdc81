import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';

const entry = new URL('../support/open-sqlite.ts', import.meta.url);
let folder: string;
beforeEach(() => {
  folder = newFolder('sqlite');
});

it('opens a new file for several threads simultaneously', async () => {
  const paths = Array.from({ length: 100 }, (_, n) => join(folder, `${n}.sqlite`));
  const arrived = new Int32Array(new SharedArrayBuffer(4 * paths.length));
  const threads = 2;
  const failures = await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(entry, { workerData: { paths, threads, arrived } });
      return (await once(worker, 'message'))[0];
    }),
  );
  expect(failures.flat()).toEqual([]);
});
