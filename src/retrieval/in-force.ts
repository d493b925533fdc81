/** What answers are made from: passages without what is struck out of them. */
import { textInForce } from '../domain/marks.ts';
import type { ChunkSearch, Passage } from '../ports/chunk-search.ts';

/** Struck-out text is blank, so that all else keeps its place; a passage that holds nothing else is none. */
function inForce(passages: readonly Passage[]): Passage[] {
  return passages.flatMap((passage) => {
    const { chunk, text } = passage;
    if (!chunk.marks?.some(({ kind }) => kind === 'struck')) return [passage];
    const left = textInForce(text, chunk.marks);
    return left.trim() === '' ? [] : [{ ...passage, text: left }];
  });
}

/** The same search, whose passages are in force. */
export function searchInForce(search: ChunkSearch): ChunkSearch {
  return {
    changes: (since, limit) => search.changes(since, limit),
    candidates: search.candidates && ((scope, terms, limit) => search.candidates!(scope, terms, limit)),
    nearest: (...given) => search.nearest(...given),
    embedders: () => search.embedders(),
    passages: async (ids) => inForce(await search.passages(ids)),
    byNumber: async (...given) => inForce(await search.byNumber(...given)),
    numbers: (scope, unit) => search.numbers(scope, unit),
    neighbours: async (id, distance) => inForce(await search.neighbours(id, distance)),
    list: async (docId, limit, offset) => {
      const { items, total } = await search.list(docId, limit, offset);
      return { items: inForce(items), total };
    },
    coverage: (...given) => search.coverage(...given),
    embedded: (...given) => search.embedded(...given),
    embeddedByDocument: (...given) => search.embeddedByDocument(...given),
  };
}
