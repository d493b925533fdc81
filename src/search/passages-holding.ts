/** Finds passages that contain all the given words in any inflected form. */
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import { contentWords, secondStem, stem, stemIn, words } from '../text/words.ts';

/** Candidates need only contain one of the words, so `limit` times this number are fetched and then filtered. */
const lookedThrough = 4;

export interface Holding<Found> {
  passages: Found[];
  /** Whether there may be further passages. */
  more: boolean;
}

/** Returns at most `limit` passages, best first. Stop words are ignored; if there are no other words, returns none. */
export async function passagesHolding(
  search: ChunkSearch,
  scope: SearchScope,
  text: string,
  limit: number,
): Promise<Holding<Passage>> {
  const wanted = contentWords(text);
  if (wanted.length === 0) return { passages: [], more: false };
  const stems = wanted.flatMap((word) => [stem(word), secondStem(word)]).filter((one) => one !== null);
  const asked = lookedThrough * limit;
  const ids = await search.candidates(scope, { stems, prefixes: [] }, asked);
  const holds = ({ text: said, chunk }: Passage) => {
    const there = new Set(words(said).map((word) => stemIn(word, chunk.lang)));
    return wanted.every((word) => there.has(stemIn(word, chunk.lang)));
  };
  const found = (await search.passages(ids)).filter(holds);
  return { passages: found.slice(0, limit), more: ids.length === asked || found.length > limit };
}
