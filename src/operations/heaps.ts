/**
 * How large the heaps of a process that runs for long may grow beyond what they hold: it has half a dozen, one for each
 * thread. Set while it is running, since a process that is started as `node …` has no flags of its own.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * How much a heap grows, in percent, before what is no longer used is looked for. By itself V8 lets one of this size grow
 * to four times what is used.
 */
const growthPercent = 25;
/**
 * What has just been made, in MB, both halves of it. By itself V8 doubles it up to 128 MB while much survives its
 * collections, as in a flood, and never gives it back; the same work takes no longer within this.
 */
const youngMbMax = 16;

/** Bounds the growth of all heaps of the process. Called by the main thread, once, before there are others. */
export function boundHeaps(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  // The other threads have bounds of their own (resourceLimits): they begin where they would have grown to.
  setFlagsFromString(`--min-semi-space-size=${youngMbMax / 2}`);
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if ((young?.space_size ?? 0) < youngMbMax * 2 ** 20) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
