/**
 * Assembles pieces into lines with columns. A wide gap separates columns if other lines have one at the same position;
 * in justified text it is just a space.
 */

import { unmarked } from '../formats/inline-marks.ts';
import { alphabet, classOf } from '../language/index.ts';
import { indexAt } from './annotations.ts';
import type { Sheet } from './sheet.ts';

const letter = classOf(alphabet);
/** A bullet or number that is separated from its text. */
const marker = new RegExp(`^(?:[•●▪◦○■□➢✓\\uf0a7\\uf0d8–—\\-·\\uf0b7]|\\d{1,3}[.)]|${letter}[.)])$`, 'iu');

/** The words of a line up to a gap that may separate columns. The text may contain mark characters (formats/inline-marks.ts). */
export interface Segment {
  text: string;
  x: number;
  right: number;
}

export interface Line {
  /** The text without mark characters. */
  text: string;
  segments: Segment[];
  /** The segments merged by column; a single segment if there are no columns. */
  cells: Segment[];
  /** The font of the entire line; null if there are several. */
  font: string | null;
  page: number;
  /** The area of the line: a page, a column, or text in another direction. */
  area: { page: number };
  x: number;
  right: number;
  /** Distance from the lower edge, in points. */
  y: number;
  size: number;
  /** Letter width, if the entire line has a fixed pitch. */
  pitch: number | null;
  confidence?: number;
}

/** Characters that enclose small raised text in a line until its meaning is known. */
export const raisedOpens = '\uFDD8';
export const raisedEnds = '\uFDD9';
/** Footnote marks. */
const noteMark = /^(?:\d{1,3}|[*†‡]{1,4})\)?$/;

/** Gaps below this multiple of the font size separate words. */
const gapMin = 0.9;
/** Columns separated by at least this gap may be aligned at the middle or end instead of the start. */
const gapWide = 2;
/** Number of lines above and below in which a column must continue. */
const linesNear = 4;

export function linesOf(sheet: Sheet, pitches: ReadonlyMap<string, number>): Line[] {
  const lines: Line[] = [];
  let line: Line | null = null;
  let gap = false;
  for (const piece of sheet.pieces) {
    const { text, x, y, width, size, font, endsLine, joins } = piece;
    if (text.trim() === '') {
      gap ||= text !== '';
      if (endsLine) line = null;
      continue;
    }
    const right = x + width;
    const before: Line | null = line ?? lines.at(-1) ?? null;
    if (before !== null && isRaised(piece, before) && isAt(x, before)) {
      append(before, `${raisedOpens}${text.trim()}${raisedEnds}`, x, right);
      line = before;
      gap = false;
      continue;
    }
    if (
      line !== null &&
      line.segments.length === 1 &&
      isRaised(line, { ...line, y, size }) &&
      x > line.right - 2
    ) {
      // A footnote begins with its mark.
      line.segments[0]!.text = `${raisedOpens}${line.text.trim()}${raisedEnds}`;
      Object.assign(line, { y, size });
      gap = true;
    }
    if (line !== null && (Math.abs(line.y - y) > Math.max(2, size * 0.45) || x < line.right - size * 2))
      line = null;
    const pitch = pitches.has(font) ? (pitches.get(font) ?? 0) * size : null;
    if (line === null) {
      const segment = { text, x, right };
      line = {
        text,
        segments: [segment],
        cells: [segment],
        font,
        page: sheet.page,
        area: sheet,
        x,
        right,
        y,
        size,
        pitch,
      };
      lines.push(line);
    } else {
      const space = x - line.right;
      if (line.pitch !== null && pitch !== null)
        append(line, ' '.repeat(Math.max(0, Math.round(space / pitch))) + text, x, right);
      else if (!joins && space > size * gapMin) line.segments.push({ text, x, right });
      else append(line, (joins || gap || space > size * 0.2 ? ' ' : '') + text, x, right);
      line.right = right;
      if (line.font !== font) line.font = null;
      line.size = Math.max(line.size, size);
      if (pitch === null) line.pitch = null;
    }
    if (piece.confidence !== undefined) line.confidence = Math.min(line.confidence ?? 1, piece.confidence);
    gap = false;
    if (endsLine) line = null;
  }
  const joined = tieLevel(placeRaised(lines));
  for (const one of joined) retext(one);
  return joined;
}

/** Maximum number of cells in a table row. */
const segmentsMax = 100;

/** Joins consecutive pieces of the same line that are out of order or have gaps between them. */
function tieLevel(lines: readonly Line[]): Line[] {
  const out: Line[] = [];
  for (const line of lines) {
    const before = out.at(-1);
    const level =
      before !== undefined &&
      before.pitch === null &&
      line.pitch === null &&
      Math.abs(before.y - line.y) < line.size * 0.1 &&
      Math.abs(before.size - line.size) < line.size * 0.1;
    const gap = level ? Math.max(line.x - before.right, before.x - line.right) : 0;
    if (!level || gap <= line.size * gapMin || before.segments.length > segmentsMax) {
      out.push(line);
      continue;
    }
    before.segments = [...before.segments, ...line.segments].sort((a, b) => a.x - b.x);
    before.x = Math.min(before.x, line.x);
    before.right = Math.max(before.right, line.right);
    if (before.font !== line.font) before.font = null;
    if (line.confidence !== undefined) before.confidence = Math.min(before.confidence ?? 1, line.confidence);
  }
  return out;
}

function append(line: Line, text: string, x: number, right: number): void {
  const last = line.segments.at(-1)!;
  last.text += text;
  last.right = Math.max(right, x);
  line.right = right;
}

/** Rebuilds the text of a line from its segments. */
function retext(line: Line): void {
  line.text = line.segments.map(({ text }) => unmarked(text)).join(' ');
}

/** Whether a mark is smaller and higher than a line of text. */
function isRaised({ text, y, size }: Pick<Line, 'text' | 'y' | 'size'>, line: Line): boolean {
  const up = y - line.y;
  return (
    noteMark.test(text.trim()) &&
    up > line.size * (size < line.size * 0.85 ? 0.12 : 0.25) &&
    up < line.size * 0.8 &&
    size <= line.size
  );
}

/** Whether a position is directly after the end of a line. */
function isAt(x: number, { right, size }: Line): boolean {
  return x > right - size * 0.3 && x < right + size * 0.5;
}

/** Maximum distance between a raised mark and its line in the page's stream. */
const raisedNear = 60;

/** Maximum distance from the end of a line to its mark, in font sizes, because some programs measure inaccurately. */
const raisedAway = 8;

/** Inserts raised marks, which were read as separate lines, at their visual position. */
function placeRaised(lines: readonly Line[]): Line[] {
  const gone = new Set<Line>();
  for (const [n, line] of lines.entries()) {
    const [segment, ...more] = line.segments;
    if (more.length > 0 || segment === undefined || !noteMark.test(segment.text.trim())) continue;
    const near = lines.slice(Math.max(0, n - raisedNear), n + raisedNear);
    const owner = near.find(
      (other) =>
        other !== line &&
        !gone.has(other) &&
        isRaised(line, other) &&
        line.right > other.x - other.size &&
        line.x < other.right + other.size * raisedAway,
    );
    // Text below its line is not raised.
    const isLowered = near.some(
      (other) =>
        other.size > line.size &&
        other.y >= line.y &&
        other.y - line.y < other.size * 0.45 &&
        (isAt(line.x, other) || (line.x > other.x && line.right < other.right)),
    );
    if (owner === undefined || isLowered) continue;
    gone.add(line);
    const mark = `${raisedOpens}${segment.text.trim()}${raisedEnds}`;
    if (line.right <= owner.x + owner.size * 0.2) {
      const first = owner.segments[0]!;
      first.text = `${mark} ${first.text}`;
      owner.x = first.x = line.x;
      continue;
    }
    const into =
      owner.segments.find(({ right }) => line.x < right + owner.size * 0.3) ?? owner.segments.at(-1)!;
    // Within a line, a mark follows a word.
    const found = into.text.indexOf(' ', indexAt({ ...into, width: into.right - into.x }, line.x) - 1);
    const at = found < 0 || line.x >= into.right - owner.size * 0.3 ? into.text.trimEnd().length : found;
    into.text = into.text.slice(0, at) + mark + into.text.slice(at);
  }
  return lines.filter((line) => !gone.has(line));
}

/** The lines of a sheet, with their columns. */
export function withCells(lines: readonly Line[]): readonly Line[] {
  for (const [n, line] of lines.entries()) {
    const near = lines
      .slice(Math.max(0, n - linesNear), n + linesNear + 1)
      .filter((other) => other !== line && Math.abs(other.y - line.y) < line.size * linesNear * 2);
    line.cells = cellsOf(line, near);
    line.text = unmarked(line.cells.map(({ text }) => text).join(' '));
  }
  return lines;
}

function areNumbers(one: string, other: string): boolean {
  const isNumber = (text: string) => /\d/.test(text) && !/\p{L}/u.test(text);
  return isNumber(one) || isNumber(other) || (/\d/.test(one) && /\d/.test(other));
}

/** Whether a segment is above or below several segments that are separated by a wide gap. */
function spans({ x, right }: Segment, { segments, size }: Line): boolean {
  const covered = segments.filter((other) => other.x < right && other.right > x);
  return covered.some((other, n) => n > 0 && other.x - covered[n - 1]!.right > size * gapWide);
}

/** Relative tolerance for gaps in justified text. */
const gapTolerance = 0.1;

/** Whether all gaps in a line are equal and its edges match those of a nearby line of plain text. */
function isJustified({ segments, size, x, right }: Line, near: readonly Line[]): boolean {
  const gaps = segments.slice(1).map((segment, n) => segment.x - segments[n]!.right);
  if (gaps.length < 2 || Math.max(...gaps) - Math.min(...gaps) > Math.max(...gaps) * gapTolerance)
    return false;
  const meets = (a: number, b: number) => Math.abs(a - b) < size * 0.3;
  return near.some(
    (other) =>
      other.segments.length === 1 &&
      other.text.includes(' ') &&
      meets(other.right, right) &&
      (meets(other.x, x) || other.x < x),
  );
}

/** Merges the segments of a line that are not in separate columns. */
function cellsOf(line: Line, near: readonly Line[]): Segment[] {
  const { segments, size, x: left } = line;
  if (segments.length === 1) return segments;
  const texts = segments.map(({ text }) => unmarked(text).trim());
  const segmentsNear = near.flatMap((line) =>
    line.segments.filter((segment, n) => n > 0 || segment.x > left + size * gapWide),
  );
  const apart = segments.map((segment, n) => {
    // A bullet or point number is not a column.
    if (n === 0 || (n === 1 && segments.length === 2 && marker.test(texts[0]!))) return false;
    const wide = segment.x - segments[n - 1]!.right > size * gapWide;
    const meets = (a: number, b: number) => Math.abs(a - b) < size * 0.15;
    return (
      (wide && near.some((line) => spans(segment, line))) ||
      segmentsNear.some(
        (other) =>
          meets(other.x, segment.x) ||
          (wide && meets(other.x + other.right, segment.x + segment.right)) ||
          // In justified text, all lines end at the same position. Numbers below each other or below words form a
          // column.
          (wide && meets(other.right, segment.right) && areNumbers(unmarked(other.text), texts[n]!)),
      )
    );
  });
  // Equal gaps between all words indicate justified text, unless each word is in a column.
  const words = texts.every((text) => !text.includes(' '));
  const columns = (!words || apart.slice(1).every(Boolean)) && !isJustified(line, near);
  const cells: Segment[] = [];
  for (const [n, segment] of segments.entries()) {
    const before = cells.at(-1);
    if (before !== undefined && !(columns && apart[n]))
      cells[cells.length - 1] = { text: `${before.text} ${segment.text}`, x: before.x, right: segment.right };
    else cells.push(segment);
  }
  return cells;
}

/** Joins bullets and numbers with their text, regardless of their order in the page's stream. */
export function joinMarkers(lines: readonly Line[]): Line[] {
  const isMarker = (line: Line) => line.pitch === null && marker.test(line.text.trim());
  const out = lines.filter((line) => !isMarker(line));
  for (const line of lines) {
    if (!isMarker(line)) continue;
    const owner = out.find(
      (other) =>
        Math.abs(other.y - line.y) < Math.max(3, other.size * 0.4) &&
        other.x >= line.right - 2 &&
        other.x - line.right < 60,
    );
    if (!owner) continue;
    const mark = /[\p{L}\p{N}]/u.test(line.text) ? line.text.trim() : '•';
    const first = owner.segments[0]!;
    first.text = `${mark} ${first.text}`;
    retext(owner);
    owner.pitch = null;
  }
  return out;
}
