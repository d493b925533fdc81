import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The tests start many processes and threads: what they compile is kept between them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Ends what hangs; what is slow may be so for the machine's sake. */
const hangingMs = 20 * 60_000;

/** Files that take minutes are begun first: one begun last would leave the other processors idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/stories/');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/shared-servers.ts',
    testTimeout: hangingMs,
    hookTimeout: hangingMs,
    // Three files at a time, as many wait for servers, each in a process that goes on to the next: a file leaves
    // nothing behind.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    isolate: false,
    restoreMocks: true,
  },
});
