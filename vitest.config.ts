import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { Slowest } from './test/support/slowest.ts';

// The tests start many processes and threads, which share this compile cache.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Stops tests that hang. The limit is generous, because a busy machine makes tests slow. */
const hangingMs = 20 * 60_000;

/**
 * Runs the slowest files first: those that start many processes or a browser, or test every server configuration.
 * This also applies to a checkout in which no test has run yet.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/test\/(?:stories|cli|console|web)\/|readme|servers|redis/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/shared-servers.ts',
    setupFiles: 'test/support/after-file.ts',
    reporters: [...configDefaults.reporters, new Slowest()],
    testTimeout: hangingMs,
    hookTimeout: hangingMs,
    // As long as test/support/eventually.ts waits.
    expect: { poll: { timeout: 300_000, interval: 20 } },
    // Four files run at a time, because many wait for servers. A process runs several files one after another, so a
    // file must clean up after itself.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    isolate: false,
    // A larger young generation for the threads that tests start: fewer garbage collections and a faster start.
    execArgv: ['--min-semi-space-size=8'],
    restoreMocks: true,
    // Node loads the tested modules, as in production, from its compile cache. Loading them through Vite took a third
    // of the time of most files. No module is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
