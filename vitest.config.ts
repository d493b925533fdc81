import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests start many processes and threads: what they compile is kept between them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Ends what hangs; what is slow may be so for the machine's sake. */
const hangingMs = 20 * 60_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/shared-servers.ts',
    testTimeout: hangingMs,
    hookTimeout: hangingMs,
    // Two files at a time, each in a process that goes on to the next: a file leaves nothing behind.
    maxWorkers: 2,
    isolate: false,
    restoreMocks: true,
  },
});
