/**
 * Lets callers proceed in order of arrival, for about five milliseconds per iteration of the event loop. Each one runs
 * until it waits for an event or a next tick; then the next one proceeds, if the time is not up. Without this, all
 * requests that arrive together would be processed in a single iteration. An iteration accepts only one new
 * connection per socket (libuv since 1.45), so under a flood, others would wait seconds to be accepted.
 */

/**
 * Returns a function that resolves when its caller may proceed. If `sliceMs` is 0, one caller proceeds per iteration.
 */
export function inSlices(sliceMs = 5): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  let since = 0;
  const beginSlice = () => {
    since = performance.now();
    proceed();
  };
  const proceed = () => {
    waiting.shift()?.();
    if (waiting.length === 0) isRunning = false;
    // A next tick scheduled by a microtask runs once the microtask queue is empty, so after the released caller.
    // Scheduled here directly, it would run before the caller.
    else queueMicrotask(() => process.nextTick(goOn));
  };
  const goOn = () => {
    if (performance.now() - since < sliceMs) proceed();
    else setImmediate(beginSlice);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isRunning) return;
      isRunning = true;
      setImmediate(beginSlice);
    });
}
