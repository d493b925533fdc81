/** Merges the entry names of two builds into a single ordered sequence, and compares their entries. */

/** Compares texts by their UTF-8 bytes, which is the order of their code points. */
export function byBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let i = 0;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === shorter) return a.length - b.length;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
  // Code points encoded as surrogates are greater than all others.
  return Number(isSurrogate(x)) - Number(isSurrogate(y)) || x - y;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

async function* each(portions: AsyncIterable<readonly string[]>): AsyncGenerator<string, undefined> {
  for await (const portion of portions) yield* portion;
}

/** The union of both, in order and without duplicates, at most `size` texts at a time. Both must be ordered. */
export async function* union(
  one: AsyncIterable<readonly string[]>,
  other: AsyncIterable<readonly string[]>,
  size: number,
): AsyncGenerator<string[]> {
  const [first, second] = [each(one), each(other)];
  try {
    let portion: string[] = [];
    let [a, b] = [await first.next(), await second.next()];
    while (!a.done || !b.done) {
      const order = a.done ? 1 : b.done ? -1 : byBytes(a.value, b.value);
      portion.push((order <= 0 ? a.value : b.value)!);
      if (order <= 0) a = await first.next();
      if (order >= 0) b = await second.next();
      if (portion.length < size) continue;
      yield portion;
      portion = [];
    }
    if (portion.length > 0) yield portion;
  } finally {
    await first.return(undefined);
    await second.return(undefined);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields are reported down to this depth. */
const depthMax = 2;

/** Paths of the fields in which two JSON values differ; empty if one of them is not an object. */
export function differingFields(a: string, b: string): string[] {
  const paths: string[] = [];
  const compare = (one: unknown, other: unknown, path: readonly string[]) => {
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    if (path.length === depthMax || !isObject(one) || !isObject(other)) {
      if (path.length > 0) paths.push(path.join('.'));
      return;
    }
    for (const field of new Set([...Object.keys(one), ...Object.keys(other)]))
      compare(one[field], other[field], [...path, field]);
  };
  try {
    compare(JSON.parse(a), JSON.parse(b), []);
  } catch {
    // A damaged value may not be valid JSON.
  }
  return paths.sort();
}
