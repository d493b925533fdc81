/**
 * Lets callers proceed in order of arrival, for about five milliseconds per iteration of the event loop. Without this,
 * all requests that arrive together would be processed in a single iteration. An iteration accepts only one new
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
    // A next tick that is requested by a microtask runs once no microtask is left, so after everything that the released
    // caller does before it waits for an event. Requested here, it would run before the caller.
    else if (performance.now() - since < sliceMs) queueMicrotask(() => process.nextTick(proceed));
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
