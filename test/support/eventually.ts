import { vi } from 'vitest';

/** Repeats the check until it passes, far longer than a busy machine needs, because slow is not wrong. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 120_000, interval: 20 });
