import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it("the main thread's young generation stays within its limit, and a thread's within its own", async () => {
  const heaps = fileURLToPath(new URL('../../src/operations/heaps.ts', import.meta.url));
  const program = `
    import { setImmediate as turn } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { Worker } from 'node:worker_threads';
    import { boundHeaps } from ${JSON.stringify(heaps)};
    boundHeaps();
    const youngMb = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size / 2 ** 20;
    const make = (count, keep = []) => {
      for (let n = 0; n < count; n++) if (keep.push({ n, more: [1, 2, 3] }) > 200_000) keep = [];
      return keep;
    };
    let kept = [];
    while (youngMb() < 16) {
      kept = make(20_000, kept);
      await turn();
    }
    for (let n = 0; n < 250; n++, await turn()) kept = make(20_000, kept);
    // Without the limit it would be twice as large by now.
    console.log(youngMb() < 20);
    const code = 'import { parentPort } from "node:worker_threads"; import { getHeapSpaceStatistics } from "node:v8";'
      + 'const youngMb = ' + youngMb + '; const make = ' + make + '; make(5_000_000); parentPort.postMessage(youngMb());';
    const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(code)), {
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.on('message', (mb) => console.log(mb));`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  const [said, trouble] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([said, trouble]).toEqual(['true\n8\n', '']);
});
