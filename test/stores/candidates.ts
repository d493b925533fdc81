/** The candidates a question's terms have over a store, whether it names them itself or those who search find them. */
import type { ChunkSearch, SearchScope } from '../../src/ports/chunk-search.ts';
import { StoreTerms } from '../../src/retrieval/forward-index.ts';
import { InvertedIndex } from '../../src/retrieval/inverted-index.ts';

export async function candidatesOf(
  search: ChunkSearch,
  scope: SearchScope,
  asked: { stems: readonly string[]; prefixes: readonly string[] },
  limit: number,
): Promise<number[]> {
  if (search.candidates) return search.candidates(scope, asked, limit);
  const terms = new StoreTerms(search);
  await terms.refresh();
  const partition = terms.partition(scope);
  const { stems, prefixes } = terms.vocabulary;
  const ids = (names: { find(name: string): number }, list: readonly string[]) =>
    list.map((name) => ({ id: names.find(name) })).filter(({ id }) => id !== 0);
  const found = partition
    ? new InvertedIndex(partition).best(
        { stems: ids(stems, asked.stems), prefixes: ids(prefixes, asked.prefixes) },
        limit,
      )
    : [];
  return found.map((slot) => partition!.ids[slot]!);
}
