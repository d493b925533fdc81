/**
 * Loaded into a process (`--import`), its threads too: it runs each projection over a shared store, whoever else does.
 * Plain JavaScript for the reason of loop-probe.js.
 */
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/src/stores/server/redis-leases.ts')) return next(url, context);
    const source = `
      export class RedisLeases {
        async hold() {}
        holds() { return true; }
        leaseOf() { return ''; }
        token() { return ''; }
        lost() {}
        async report() {}
        async watch() {}
        async passed() { return []; }
        async release() {}
      }`;
    return { format: 'module', shortCircuit: true, source };
  },
});
