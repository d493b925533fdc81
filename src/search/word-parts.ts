/**
 * Splits an unknown compound into two words that are adjacent in the documents. The first word may be clipped, as in
 * "физлица" (физические лица) and "техподдержка" (техническая поддержка), or whole, as in "timesheet" (time sheet).
 */
import type { ChunkSearch, SearchScope } from '../ports/chunk-search.ts';
import { marks, stemId } from '../text/fingerprint.ts';
import { stem } from '../text/words.ts';
import type { ScopeCounts } from './counts.ts';

const shortest = { first: 2, last: 3 };
/** Minimum number of letters clipped from the first word, and maximum length of that word. */
const clipped = 3;
const longestFirst = 16;
/** If the first part begins more stems than this, it is too ambiguous. */
const stemsMax = 300;
/** Maximum number of possible splits to try, because each one requires reading chunks. */
const splitsMax = 3;
/** Maximum number of chunks searched for the two words side by side. */
const chunksRead = 50;

/**
 * Returns the stem of the first word, as found in the documents, and the second word as written, or null if the word
 * cannot be split. Prefers the longest second word.
 */
export async function partsOf(
  word: string,
  search: ChunkSearch,
  scope: SearchScope,
  counts: ScopeCounts,
): Promise<[first: string, last: string] | null> {
  if (/\d/.test(word)) return null;
  const splits: [string, string][] = [];
  for (let at = shortest.first; at <= word.length - shortest.last; at++)
    splits.push([word.slice(0, at), word.slice(at)]);
  await counts.add({ stems: splits.map(([, last]) => stem(last)) });
  const known = splits.filter(([, last]) => counts.stem(stem(last)) > 0);
  for (const [first, last] of known.slice(0, splitsMax)) {
    const longer = await search.stemsBeginning(first, first.length + clipped, longestFirst);
    if (longer.length > stemsMax) continue;
    const found = await beside(stem(last), [stem(first), ...longer], search, scope);
    if (found !== null) return [found, last];
  }
  return null;
}

/** The stem that most often precedes the second word; null if none does. */
async function beside(
  last: string,
  firsts: readonly string[],
  search: ChunkSearch,
  scope: SearchScope,
): Promise<string | null> {
  const ids = await search.candidates(scope, { stems: [last, ...firsts], prefixes: [] }, chunksRead);
  const names = new Map(firsts.map((name) => [stemId(name), name]));
  const lastId = stemId(last);
  const times = new Map<string, number>();
  for (const { tokens } of await search.indexed(ids)) {
    let before: string | undefined;
    for (let n = 0; n < tokens.length; n += 2) {
      if (before !== undefined && tokens[n] === lastId) times.set(before, (times.get(before) ?? 0) + 1);
      if (tokens[n + 1] !== marks.secondStem) before = names.get(tokens[n]!);
    }
  }
  return [...times].reduce<[string | null, number]>((a, b) => (b[1] > a[1] ? b : a), [null, 0])[0];
}
