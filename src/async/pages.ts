/**
 * Yields the pages of a list that is read by limit and offset; an incomplete page is the last one. Items that are added
 * or removed in the meantime may be missed or repeated.
 */
export async function* pages<T>(
  read: (page: { limit: number; offset: number }) => Promise<{ items: readonly T[] }>,
  limit: number,
): AsyncGenerator<readonly T[], void, undefined> {
  for (let offset = 0; ; offset += limit) {
    const { items } = await read({ limit, offset });
    yield items;
    if (items.length < limit) return;
  }
}
