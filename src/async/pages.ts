/**
 * All items of a list that is read by limit and offset, page by page; a page that is not full is the last. What is
 * added or removed meanwhile may be missed or met twice.
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
