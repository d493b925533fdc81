import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Missed } from '../../src/operations/beats.ts';

it('counts checks without a heartbeat, and starts again with each heartbeat', () => {
  const missed = new Missed(3);
  const looks = [0, 0, 1, 1, 1, 2, 2, 2, 2].map((beats) => missed.look(beats));
  expect(looks).toEqual([false, false, false, false, false, false, false, false, true]);
});

it('ends a process with a blocked main loop, and says so', async () => {
  const watchdog = fileURLToPath(new URL('../../src/operations/watchdog.ts', import.meta.url));
  const program = `
    import { startWatchdog } from ${JSON.stringify(watchdog)};
    startWatchdog({ beatMs: 20, missedMax: 5 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(stderr).toBe(
    'The main loop has not responded for 0.1 s: killing the process so that it is restarted.\n',
  );
  expect(signal).toBe('SIGKILL');
});

it('does not keep a process alive that has nothing more to do', async () => {
  const watchdog = fileURLToPath(new URL('../../src/operations/watchdog.ts', import.meta.url));
  const program = `import { startWatchdog } from ${JSON.stringify(watchdog)}; startWatchdog();`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  const [status] = await once(child, 'close');
  expect(status).toBe(0);
});
