/** A pool thread that dies, hangs and fails on demand; see test/workers/pool.test.ts. */
import { servePool } from '../../src/workers/pool.ts';
import { troubledHandlers } from './troubled-handlers.ts';

export default servePool((data: string) => ({
  ...troubledHandlers,
  data: () => data,
  exhaust: () => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, Math.random));
  },
}));
