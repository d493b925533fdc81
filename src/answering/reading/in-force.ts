/** What answers are made from: passages without what is struck out of them, but for questions about what was before. */
import { textInForce } from '../../domain/marks.ts';
import type { ChunkSearch, Passage } from '../../ports/chunk-search.ts';

/** A passage whose struck-out text is blank, so that all else keeps its place. */
interface InForce extends Passage {
  /** The text with what is struck out of it. */
  before?: string;
}

function inForce(passage: Passage): InForce {
  const { chunk, text } = passage;
  if (!chunk.marks?.some(({ kind }) => kind === 'struck')) return passage;
  return { ...passage, text: textInForce(text, chunk.marks), before: text };
}

const holdsText = ({ text }: Passage): boolean => text.trim() !== '';

/** The same search, whose passages are in force; what holds nothing else is left out where it is asked for by its place. */
export function searchInForce(search: ChunkSearch): ChunkSearch {
  const left = (passages: readonly Passage[]) => passages.map(inForce).filter(holdsText);
  return {
    changes: (...given) => search.changes(...given),
    counts: (...given) => search.counts(...given),
    candidates: (...given) => search.candidates(...given),
    indexed: (...given) => search.indexed(...given),
    stemsSounding: (...given) => search.stemsSounding(...given),
    stemsBeginningLike: (...given) => search.stemsBeginningLike(...given),
    nearest: (...given) => search.nearest(...given),
    embedders: () => search.embedders(),
    passages: async (ids) => (await search.passages(ids)).map(inForce),
    byNumber: async (...given) => left(await search.byNumber(...given)),
    numbers: (scope, unit) => search.numbers(scope, unit),
    neighbours: async (id, distance) => left(await search.neighbours(id, distance)),
    list: async (docId, limit, offset) => {
      const { items, total } = await search.list(docId, limit, offset);
      return { items: left(items), total };
    },
    coverage: (...given) => search.coverage(...given),
    embedded: (...given) => search.embedded(...given),
    embeddedByDocument: (...given) => search.embeddedByDocument(...given),
  };
}

/** Passages as they are to be read: as they were before, or in force, without those of which nothing is. */
export function asOf<Found extends Passage>(passages: readonly Found[], past: boolean): Found[] {
  if (!past) return passages.filter(holdsText);
  return passages.map((passage) => {
    const { before } = passage as Found & InForce;
    return before === undefined ? passage : { ...passage, text: before };
  });
}
