import { vi } from 'vitest';

/**
 * Repeats the check until it passes. The time limit is far above what a busy machine needs, because slowness is not an
 * error.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 300_000, interval: 20 });
