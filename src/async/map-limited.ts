/**
 * Maps over items with limited concurrency. Results are in the order of the items. Rejects with the first rejection.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < items.length; n = next++) results[n] = await work(items[n]!);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
