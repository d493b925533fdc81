/** Finds passages that contain all of the given words, in any inflected form. */
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import { isStopWord, stem, stemIn, words } from '../text/words.ts';

/** Candidates contain any of the words, so this many times `limit` are fetched and filtered. */
const lookedThrough = 4;

/** Best first, at most `limit`; empty for a text of stop words only. */
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
