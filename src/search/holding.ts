/** Finds passages that contain all the given words in any inflected form. */
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import { isStopWord, stem, stemIn, words } from '../text/words.ts';

/** Candidates need only contain one of the words, so `limit` times this number are fetched and then filtered. */
const lookedThrough = 4;

/** Returns at most `limit` passages, best first. Stop words are ignored; if there are no other words, returns none. */
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
