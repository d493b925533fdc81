/** Opens each new file at the same moment as other threads; see test/storage/sqlite.test.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from '../../src/storage/sqlite.ts';

const { paths, threads, arrived } = workerData as { paths: string[]; threads: number; arrived: Int32Array };

const failures: string[] = [];
for (const [n, path] of paths.entries()) {
  Atomics.add(arrived, n, 1);
  while (Atomics.load(arrived, n) < threads);
  try {
    openSqlite(path, { format: 1, schema: 'CREATE TABLE a (b)', synchronous: 'FULL' }).close();
  } catch (error) {
    failures.push(String(error));
  }
}
parentPort!.postMessage(failures);
