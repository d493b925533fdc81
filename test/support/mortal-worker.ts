/** A thread that dies, hangs and fails on demand; see test/workers/threads.test.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../src/failures.ts';
import { serveThread } from '../../src/workers/rpc.ts';
import { troubledHandlers } from './troubled-handlers.ts';

const { dead } = workerData as { dead?: boolean };

serveThread(parentPort!, (notify) => {
  if (dead) throw new Failure('unavailable', 'The thread cannot open.');
  return {
    ...troubledHandlers,
    say: (notice: string) => notify(notice, 'said'),
    die: () => process.exit(7),
    close: () => {},
  };
});
