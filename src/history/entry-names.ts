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

/** A sequence that arrives in portions. */
class Head {
  readonly #portions: AsyncIterator<readonly string[]>;
  #portion: readonly string[] = [];
  #at = 0;

  constructor(portions: AsyncIterable<readonly string[]>) {
    this.#portions = portions[Symbol.asyncIterator]();
  }

  /** The next text; undefined at the end, or if `more` must be called first. */
  get next(): string | undefined {
    return this.#portion[this.#at];
  }

  pass(): void {
    this.#at++;
  }

  /** Whether there is a next text. */
  async more(): Promise<boolean> {
    while (this.#at >= this.#portion.length) {
      const { done, value } = await this.#portions.next();
      if (done) return false;
      [this.#portion, this.#at] = [value, 0];
    }
    return true;
  }

  async end(): Promise<void> {
    await this.#portions.return?.();
  }
}

/** The union of both, in order and without duplicates, at most `size` texts at a time. Both must be ordered. */
export async function* union(
  one: AsyncIterable<readonly string[]>,
  other: AsyncIterable<readonly string[]>,
  size: number,
): AsyncGenerator<string[]> {
  const heads = [new Head(one), new Head(other)] as const;
  try {
    let portion: string[] = [];
    for (;;) {
      for (const head of heads) if (head.next === undefined) await head.more();
      const [a, b] = [heads[0].next, heads[1].next];
      if (a === undefined && b === undefined) break;
      const order = a === undefined ? 1 : b === undefined ? -1 : byBytes(a, b);
      portion.push((order <= 0 ? a : b)!);
      if (order <= 0) heads[0].pass();
      if (order >= 0) heads[1].pass();
      if (portion.length < size) continue;
      yield portion;
      portion = [];
    }
    if (portion.length > 0) yield portion;
  } finally {
    for (const head of heads) await head.end();
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
