/** Passages that hold all of some words, in any of their forms, whatever else a question says. */
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import { isStopWord, stem, stemIn, words } from '../text/words.ts';

/** Candidates hold any of the words: so many times the passages wanted are looked through. */
const lookedThrough = 4;

/** The best first, at most `limit`; none for a text of stop words. */
export async function passagesHolding(
  search: ChunkSearch,
  scope: SearchScope,
  text: string,
  limit: number,
): Promise<Passage[]> {
  const wanted = words(text).filter((word) => !isStopWord(word));
  if (wanted.length === 0) return [];
  const ids = await search.candidates(
    scope,
    { stems: wanted.map(stem), prefixes: [] },
    lookedThrough * limit,
  );
  const found = await search.passages(ids);
  const holds = ({ text: said, chunk }: Passage) => {
    const there = new Set(words(said).map((word) => stemIn(word, chunk.lang)));
    return wanted.every((word) => there.has(stemIn(word, chunk.lang)));
  };
  return found.filter(holds).slice(0, limit);
}
