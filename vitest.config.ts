import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { Slowest } from './test/support/slowest.ts';

// The tests start many processes and threads: what they compile is kept between them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Ends what hangs; what is slow may be so for the machine's sake. */
const hangingMs = 20 * 60_000;

/**
 * Files that start many processes or a browser, or go over every wiring of the servers, take longest: they begin first,
 * also in a checkout where none has run before.
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
    // Three files at a time, as many wait for servers, each in a process that goes on to the next: a file leaves
    // nothing behind.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    isolate: false,
    // The threads that tests start begin with room for what their modules make: they are collected less, and start sooner.
    execArgv: ['--min-semi-space-size=8'],
    restoreMocks: true,
    // Node loads what is tested as it does in service, from what it has compiled before; loading it through Vite took a third of
    // the time of most files. No module is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
