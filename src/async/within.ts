/** Waits for a promise for `ms`, then returns (or throws) the result of `late`. The underlying work continues. */
export async function within<T, L>(promise: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([promise, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
