/** The promise, or what `late` gives (or throws) once `ms` have passed; what was waited for goes on by itself. */
export async function within<T, L>(promise: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([promise, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
