/**
 * Splits a long answer into messages no larger than a platform allows. A message ends after a paragraph if possible,
 * or else after a sentence, or else after a word. A citation number stays with the words before it. Messages
 * are filled in order, so full messages do not change when text is added.
 */
import { splitSentences } from '../src/text/sentences.ts';

/** A piece of an answer: text, or a source number after the words that the source supports. */
export type MessagePiece = { text: string } | { mark: number };

export interface SplitOptions {
  /** The maximum size of a message. */
  limit: number;
  /** Measures a text; the result must be the sum of the sizes of its characters. Default: UTF-16 units. */
  sizeOf?: (text: string) => number;
}

/** A citation number as it appears in the text, with the space before it. */
export const markText = (mark: number) => ` [${mark}]`;

/**
 * The minimum proportion of the limit that a message must fill in order to end after a paragraph or, failing that, a
 * sentence.
 */
const paragraphShare = 0.5;
const sentenceShare = 0.25;

/** Returns the messages, none of which is empty. White space at the cuts and at both ends is removed. */
export function split(
  pieces: readonly MessagePiece[],
  { limit, sizeOf = (text) => text.length }: SplitOptions,
): MessagePiece[][] {
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const marks = marksOf(pieces);
  const sizes = prefixSizes(text, marks, sizeOf);
  const isWhole = sizes.at(-1)! <= limit;
  const sentences = isWhole ? [] : splitSentences(text).map(({ start }) => start);
  const messages: MessagePiece[][] = [];
  for (let from = 0; from < text.length; ) {
    const most = furthest(sizes, from, limit);
    const to = most === text.length ? most : endOf(text, from, most, sentences);
    const message = between(text, marks, from, to);
    if (message.length > 0) messages.push(message);
    from = to;
  }
  return messages;
}

/** Splits the pieces after `units` units of text. Numbers at the cut go into `before`. */
export function cutAt(
  pieces: readonly MessagePiece[],
  units: number,
): { before: MessagePiece[]; after: MessagePiece[] } {
  const before: MessagePiece[] = [];
  const after: MessagePiece[] = [];
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

/**
 * The length of an unfinished text up to its last settled sentence, which is one that is cited or followed by another
 * sentence.
 */
export function settledUnits(pieces: readonly MessagePiece[]): number {
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const end = pieces.findLast((piece) => 'mark' in piece || piece.text.trim() !== '');
  if (end && 'mark' in end) return text.trimEnd().length;
  const last = splitSentences(text).at(-1);
  return last ? text.slice(0, last.start).trimEnd().length : 0;
}

interface Mark {
  /** The number of units of text before the mark. */
  at: number;
  mark: number;
}

function marksOf(pieces: readonly MessagePiece[]): Mark[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    if ('mark' in piece) return [{ at, mark: piece.mark }];
    at += piece.text.length;
    return [];
  });
}

/** The size of the text up to each unit, including the citation numbers up to that point. */
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

/** The last unit that fits into a message that begins at `from`; at least one unit. */
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

/** Moves a cut so that it does not split a character. */
function wholeCharacter(text: string, from: number, most: number): number {
  const around = text.slice(Math.max(from, most - characterUnitsMax), most + characterUnitsMax);
  const offset = Math.max(from, most - characterUnitsMax);
  let end = 0;
  for (const { index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(around))
    if (offset + index <= most) end = offset + index;
  if (end > from) return end;
  // If a single character is longer than a message, at least avoid splitting a surrogate pair.
  return most > from + 1 && /[\udc00-\udfff]/.test(text[most] ?? '') ? most - 1 : most;
}

const characterUnitsMax = 64;

function between(text: string, marks: readonly Mark[], from: number, to: number): MessagePiece[] {
  const slice = text.slice(from, to);
  const start = from + slice.length - slice.trimStart().length;
  const end = from + slice.trimEnd().length;
  const pieces: MessagePiece[] = [];
  let at = start;
  // A number at the beginning belongs to the previous message, if there is one.
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

/** Returns the beginning of a text. If the text exceeds `max` UTF-16 units, an ellipsis replaces the rest. */
export function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`;
}
