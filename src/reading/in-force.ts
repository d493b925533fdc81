/** Removes struck-out text from the passages used for answers, except for questions about the past. */
import { textInForce } from '../domain/marks.ts';
import type { ChunkSearch, Passage } from '../ports/chunk-search.ts';

/** A passage whose struck-out text is replaced by spaces, which keeps all offsets valid. */
interface InForce extends Passage {
  /** The text including its struck-out parts. */
  before?: string;
}

function inForce(passage: Passage): InForce {
  const { chunk, text } = passage;
  if (!chunk.marks?.some(({ kind }) => kind === 'struck')) return passage;
  return { ...passage, text: textInForce(text, chunk.marks), before: text };
}

const holdsText = ({ text }: Passage): boolean => text.trim() !== '';

/** A search that returns passages without struck-out text. Lookups by location drop entirely struck-out passages. */
export function searchInForce(search: ChunkSearch): ChunkSearch {
  const left = (passages: readonly Passage[]) => passages.map(inForce).filter(holdsText);
  return {
    ...search,
    passages: async (ids) => (await search.passages(ids)).map(inForce),
    byNumber: async (...given) => left(await search.byNumber(...given)),
    neighbours: async (id, distance) => left(await search.neighbours(id, distance)),
    list: async (docId, limit, offset) => {
      const { items, total } = await search.list(docId, limit, offset);
      return { items: left(items), total };
    },
  };
}

/** The passages with struck-out text or without it; in the latter case, entirely struck-out passages are dropped. */
export function asOf<Found extends Passage>(passages: readonly Found[], past: boolean): Found[] {
  if (!past) return passages.filter(holdsText);
  return passages.map((passage) => {
    const { before } = passage as Found & InForce;
    return before === undefined ? passage : { ...passage, text: before };
  });
}
