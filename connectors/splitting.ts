/**
 * A long answer as messages of a platform's size. A message ends where a paragraph does, else a sentence, else a word;
 * a citation's number stays with the words it stands behind. Messages are cut from the front, so those that are full
 * stay as they are while the answer grows.
 */
import { splitSentences } from '../src/text/sentences.ts';

/** An answer as it is read: text, and numbers of sources behind what they are the sources of. */
export type Piece = { text: string } | { mark: number };

export interface SplitOptions {
  /** What a message holds. */
  limit: number;
  /** What a text takes of it, as the sum of what its characters take. Default: UTF-16 units. */
  sizeOf?: (text: string) => number;
}

/** How a number stands in the text, with the blank before it. */
export const markText = (mark: number) => ` [${mark}]`;

/** Of what a message could hold, how much it has at least when it ends with a paragraph, or with a sentence. */
const paragraphShare = 0.5;
const sentenceShare = 0.25;

/** The messages, none of them empty; white space where one ends and at both ends goes. */
export function split(
  pieces: readonly Piece[],
  { limit, sizeOf = (text) => text.length }: SplitOptions,
): Piece[][] {
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const marks = marksOf(pieces);
  const sizes = prefixSizes(text, marks, sizeOf);
  const isWhole = sizes.at(-1)! <= limit;
  const sentences = isWhole ? [] : splitSentences(text).map(({ start }) => start);
  const messages: Piece[][] = [];
  for (let from = 0; from < text.length; ) {
    const most = furthest(sizes, from, limit);
    const to = most === text.length ? most : endOf(text, from, most, sentences);
    const message = between(text, marks, from, to);
    if (message.length > 0) messages.push(message);
    from = to;
  }
  return messages;
}

/** The pieces up to so many units of their text, with the numbers that stand there, and those behind. */
export function cutAt(pieces: readonly Piece[], units: number): { before: Piece[]; after: Piece[] } {
  const before: Piece[] = [];
  const after: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    if ('mark' in piece) (at <= units ? before : after).push(piece);
    else {
      const here = Math.max(0, units - at);
      if (here > 0) before.push({ text: piece.text.slice(0, here) });
      if (here < piece.text.length) after.push({ text: piece.text.slice(here) });
      at += piece.text.length;
    }
  }
  return { before, after };
}

/** The units of a text that grows up to the end of its last sentence that is cited, or that another one follows. */
export function settledUnits(pieces: readonly Piece[]): number {
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const end = pieces.findLast((piece) => 'mark' in piece || piece.text.trim() !== '');
  if (end && 'mark' in end) return text.trimEnd().length;
  const last = splitSentences(text).at(-1);
  return last ? text.slice(0, last.start).trimEnd().length : 0;
}

interface Mark {
  /** Behind so many units of the text. */
  at: number;
  mark: number;
}

function marksOf(pieces: readonly Piece[]): Mark[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    if ('mark' in piece) return [{ at, mark: piece.mark }];
    at += piece.text.length;
    return [];
  });
}

/** What the text takes up to each unit, with the numbers behind it. */
function prefixSizes(text: string, marks: readonly Mark[], sizeOf: (text: string) => number): number[] {
  const sizes = [0];
  let next = 0;
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    size += sizeOf(text[at]!);
    for (let mark = marks[next]; mark && mark.at <= at + 1; mark = marks[++next])
      size += sizeOf(markText(mark.mark));
    sizes.push(size);
  }
  return sizes;
}

/** The last unit up to which a message that begins at `from` has room; one unit at least. */
function furthest(sizes: readonly number[], from: number, limit: number): number {
  let low = from + 1;
  let high = sizes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (sizes[middle]! - sizes[from]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function endOf(text: string, from: number, most: number, sentences: readonly number[]): number {
  const room = most - from;
  const paragraph = text.lastIndexOf('\n\n', most - 2) + 2;
  if (paragraph - from >= room * paragraphShare) return paragraph;
  const sentence = sentences.findLast((start) => start <= most) ?? 0;
  if (sentence - from >= room * sentenceShare) return sentence;
  const line = /^[\s\S]*\s(?=\S*$)/.exec(text.slice(from, most + 1))?.[0].length ?? 0;
  const word = Math.min(line, room);
  return word > 0 ? from + word : wholeCharacter(text, from, most);
}

/** Not within what is read as one character. */
function wholeCharacter(text: string, from: number, most: number): number {
  const around = text.slice(Math.max(from, most - characterUnitsMax), most + characterUnitsMax);
  const offset = Math.max(from, most - characterUnitsMax);
  let end = 0;
  for (const { index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(around))
    if (offset + index <= most) end = offset + index;
  if (end > from) return end;
  // One character that is longer than a message: at least no half of a surrogate pair.
  return most > from + 1 && /[\udc00-\udfff]/.test(text[most] ?? '') ? most - 1 : most;
}

const characterUnitsMax = 64;

function between(text: string, marks: readonly Mark[], from: number, to: number): Piece[] {
  const slice = text.slice(from, to);
  const start = from + slice.length - slice.trimStart().length;
  const end = from + slice.trimEnd().length;
  const pieces: Piece[] = [];
  let at = start;
  // A number at the very beginning belongs to the message before, unless there is none.
  for (const mark of marks) {
    if (mark.at > to || (mark.at <= from && from > 0)) continue;
    const upTo = Math.min(Math.max(mark.at, at), Math.max(end, at));
    if (upTo > at) pieces.push({ text: text.slice(at, upTo) });
    at = upTo;
    pieces.push({ mark: mark.mark });
  }
  if (end > at) pieces.push({ text: text.slice(at, end) });
  return pieces.some((piece) => 'text' in piece) ? pieces : [];
}

/** The beginning of a text, with an ellipsis in place of what exceeds `max` UTF-16 units. */
export function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`;
}
