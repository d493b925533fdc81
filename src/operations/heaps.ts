/**
 * Limits how far the heaps of a long-running process grow beyond their live data. The process has half a dozen heaps,
 * one per thread. The limits are set at run time, because a process started as `node …` cannot set its own flags.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * How far a heap may grow before a garbage collection, as a percentage of its live data. V8's default lets a heap of
 * this size grow to four times its live data.
 */
const growthPercent = 25;
/**
 * Size of the young generation in MB, both halves together. By default, V8 doubles it up to 128 MB while many objects
 * survive its collections, as under heavy load, and never shrinks it. This limit does not slow the process down.
 */
const youngMbMax = 16;
/** How long the main thread's young generation keeps its initial size, in ms. */
const loadingMs = 1_000;

/**
 * Limits the growth of all heaps of the process. Called once by the main thread, before it loads the modules of a
 * command and starts other threads.
 */
export function boundHeaps(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  // Other threads have their own limits (resourceLimits); this makes them start at the size to which they would grow.
  setFlagsFromString(`--min-semi-space-size=${youngMbMax / 2}`);
  // Nearly all objects created while modules are loaded survive, so the young generation would immediately exceed the
  // limit.
  setFlagsFromString('--semi-space-growth-factor=1');
  setTimeout(growToLimit, loadingMs).unref();
}

function growToLimit(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if ((young?.space_size ?? 0) < youngMbMax * 2 ** 20) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
