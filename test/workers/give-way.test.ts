import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

test.runIf(process.platform === 'linux')('a thread lowers only its own priority', async () => {
  const before = getPriority();
  const url = new URL('../../src/workers/give-way.ts', import.meta.url).href;
  const worker = new Worker(
    `const { giveWay } = await import('${url}');
     giveWay();
     (await import('node:worker_threads')).parentPort.postMessage((await import('node:os')).getPriority());`,
    { eval: true },
  );
  const priority = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  expect(priority).toBe(Math.max(before, 10));
  expect(getPriority()).toBe(before);
  await worker.terminate();
});
