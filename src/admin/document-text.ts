/**
 * The text of a document with its chunks, as returned in replies. A text that is too long for a browser is truncated.
 */

import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Chunk } from '../domain/events.ts';
import { pageOf } from '../ingest/inspect.ts';
import { orNull, record } from '../schema.ts';

/** Maximum length of the text in a reply. */
export const charactersMax = 1_000_000;

export const TextChunk = record('TextChunk', {
  chunk_index: Type.String(),
  unit: orNull(Type.String({ description: 'The unit of its number: article, paragraph, point, …' })),
  heading: Type.String(),
  path: Type.Array(Type.String(), { description: 'Headings, outermost first.' }),
  lang: Type.String({ description: 'ISO 639-1 code.' }),
  start: Type.Integer({ description: 'UTF-16 offset into the text.' }),
  end: Type.Integer({ description: 'UTF-16 offset of the end of the chunk (exclusive).' }),
  page: orNull(
    Type.Integer({ description: 'The page on which it begins; null if the document has no pages.' }),
  ),
  question: orNull(Type.String({ description: 'The question, if the chunk is a question–answer pair.' })),
});

type TextChunk = Static<typeof TextChunk>;

/** The text up to the last chunk that ends within `room` characters, and its chunks. */
export function shownText(
  text: string,
  chunks: readonly Chunk[],
  room = charactersMax,
): { text: string; chunks: TextChunk[] } {
  const within = chunks.filter(({ end }) => end <= room);
  return {
    text: within.length === chunks.length ? text : text.slice(0, within.at(-1)?.end ?? 0),
    chunks: within.map((chunk) => {
      const { chunk_index, unit, heading, path, lang, question, start, end } = chunk;
      return { chunk_index, unit, heading, path, lang, start, end, page: pageOf(chunk), question };
    }),
  };
}
