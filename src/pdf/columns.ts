/**
 * Restores the reading order of a page whose columns are drawn line by line across the full width. A gutter between
 * columns runs through many lines and has running text on both sides; between table cells there is no running text.
 */
import { unmarked } from '../formats/inline-marks.ts';
import type { Line, Segment } from './lines.ts';

/** Minimum number of lines with text on both sides of a gutter. */
const rowsMin = 4;
/** Minimum gutter width, in font sizes. A narrower gap only separates words. */
const gutterMin = 0.9;
/** Minimum average number of words per line of running text. */
const wordsMin = 3;
/** Maximum depth of columns within columns. */
const depthMax = 4;

/** The pieces at one height, from left to right. */
interface Row {
  y: number;
  size: number;
  parts: { line: Line; segment: Segment }[];
}

/** Returns the lines of an area in reading order. Each column is ordered as a separate area. */
export function inColumns(lines: readonly Line[], depth = 0): Line[] {
  if (depth === depthMax || lines.length < rowsMin) return [...lines];
  const rows = rowsOf(lines.filter(({ pitch }) => pitch === null));
  const gutter = gutterOf(rows);
  if (gutter === null) return [...lines];
  const places = new Map<Line, Line[]>();
  for (const zone of zonesOf(rows, gutter)) {
    if (!isText(zone, gutter)) continue;
    const [left, right] = part(zone, gutter);
    const own = new Set(zone.flatMap(({ parts }) => parts.map(({ line }) => line)));
    const first = lines.find((line) => own.has(line))!;
    for (const line of own) places.set(line, []);
    places.set(first, [...inColumns(left, depth + 1), ...inColumns(right, depth + 1)]);
  }
  return lines.flatMap((line) => places.get(line) ?? [line]);
}

function rowsOf(lines: readonly Line[]): Row[] {
  const rows: Row[] = [];
  for (const line of lines.toSorted((a, b) => b.y - a.y)) {
    const parts = line.segments.map((segment) => ({ line, segment }));
    const row = rows.at(-1);
    if (row !== undefined && row.y - line.y < line.size * 0.4) {
      row.parts.push(...parts);
      row.size = Math.max(row.size, line.size);
    } else rows.push({ y: line.y, size: line.size, parts });
  }
  for (const { parts } of rows) parts.sort((a, b) => a.segment.x - b.segment.x);
  return rows;
}

/** The position where the gaps of most rows overlap; null if there are too few such rows. */
function gutterOf(rows: readonly Row[]): number | null {
  const events: [x: number, step: number][] = [];
  for (const { parts, size } of rows)
    for (let n = 1; n < parts.length; n++) {
      const [from, to] = [parts[n - 1]!.segment.right, parts[n]!.segment.x];
      if (to - from > size * gutterMin) events.push([from, 1], [to, -1]);
    }
  if (events.length < rowsMin * 2) return null;
  events.sort(([a, up], [b, other]) => a - b || other - up);
  let [open, most, at] = [0, 0, 0];
  for (const [n, [x, step]] of events.entries()) {
    open += step;
    if (step < 0 || open <= most) continue;
    most = open;
    at = (x + (events[n + 1]?.[0] ?? x)) / 2;
  }
  return most < rowsMin ? null : at;
}

type Side = 'both' | 'left' | 'right' | 'across';

function sideOf({ parts }: Row, gutter: number): Side {
  if (parts.some(({ segment }) => segment.x < gutter && segment.right > gutter)) return 'across';
  const left = parts.some(({ segment }) => segment.x < gutter);
  const right = parts.some(({ segment }) => segment.x >= gutter);
  return left && right ? 'both' : left ? 'left' : 'right';
}

/** Runs of rows that do not cross the gutter. */
function zonesOf(rows: readonly Row[], gutter: number): Row[][] {
  const zones: Row[][] = [[]];
  for (const row of rows)
    if (sideOf(row, gutter) === 'across') zones.push([]);
    else zones.at(-1)!.push(row);
  return zones.flatMap((zone) => {
    const first = zone.findIndex((row) => sideOf(row, gutter) === 'both');
    const last = zone.findLastIndex((row) => sideOf(row, gutter) === 'both');
    if (last - first + 1 < rowsMin) return [];
    // The longer column continues below with the same line spacing; text further away does not belong to it.
    const leading = median(distances(zone.slice(first, last + 1)));
    let [from, to] = [first, last];
    const isNear = (above: number) => zone[above]!.y - zone[above + 1]!.y <= leading * 1.6;
    while (from > 0 && isNear(from - 1)) from--;
    while (to < zone.length - 1 && isNear(to)) to++;
    return [zone.slice(from, to + 1)];
  });
}

function distances(rows: readonly Row[]): number[] {
  return rows.slice(1).map(({ y }, n) => rows[n]!.y - y);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

interface SideLine {
  text: string;
  x: number;
  right: number;
}

/** One side of each row. */
function sideLines(zone: readonly Row[], gutter: number, left: boolean): (SideLine | null)[] {
  return zone.map(({ parts }) => {
    const own = parts.filter(({ segment }) => segment.x < gutter === left).map(({ segment }) => segment);
    if (own.length === 0) return null;
    const text = own.map((segment) => unmarked(segment.text).trim()).join(' ');
    return { text, x: own[0]!.x, right: own.at(-1)!.right };
  });
}

/** Whether both sides of a gutter contain running text, rather than adjacent cells. */
function isText(zone: readonly Row[], gutter: number): boolean {
  const both = zone.filter((row) => sideOf(row, gutter) === 'both').length;
  if (both < rowsMin) return false;
  const sides = [sideLines(zone, gutter, true), sideLines(zone, gutter, false)];
  return sides.every(isRunning) && !areRows(zone, gutter, sides);
}

function isRunning(side: readonly (SideLine | null)[]): boolean {
  const lines = side.filter((line) => line !== null);
  const [left, right] = [Math.min(...lines.map(({ x }) => x)), Math.max(...lines.map((line) => line.right))];
  const words = lines.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const full = lines.filter((line) => line.right > right - (right - left) * 0.25).length;
  const wrapped = lines.filter(({ text }, n) => n > 0 && goesOn(lines[n - 1]!.text, text)).length;
  const signs = lines.reduce((sum, { text }) => sum + text.length, 0);
  const digits = lines.reduce((sum, { text }) => sum + (text.match(/\d/g)?.length ?? 0), 0);
  return (
    lines.length >= rowsMin &&
    words >= lines.length * wordsMin &&
    full >= lines.length * 0.5 &&
    wrapped >= (lines.length - 1) * 0.35 &&
    digits < signs * 0.2
  );
}

function goesOn(before: string, after: string): boolean {
  return !/[.;:!?]$/.test(before) && /^[\p{Ll}\d(«"]/u.test(after);
}

/** Whether both sides repeatedly begin at the same heights, as table rows do. */
function areRows(zone: readonly Row[], gutter: number, sides: readonly (SideLine | null)[][]): boolean {
  const apart = distances(zone);
  const leading = median(apart);
  const starts = zone.flatMap((row, n) =>
    n > 0 && apart[n - 1]! > leading * 1.3 && sideOf(row, gutter) === 'both' ? [n] : [],
  );
  if (starts.length < 2) return false;
  // A sentence that continues after the gap shows that the gap does not separate rows.
  return !starts.some((n) =>
    sides.some((side) => {
      const before = side.slice(0, n).findLast((line) => line !== null);
      return before != null && /^\p{Ll}/u.test(side[n]?.text ?? '') && goesOn(before.text, side[n]!.text);
    }),
  );
}

/** The lines on the left and right of a gutter, from top to bottom. */
function part(zone: readonly Row[], gutter: number): [Line[], Line[]] {
  const { page } = zone[0]!.parts[0]!.line;
  const areas = [{ page }, { page }];
  const sides: [Line[], Line[]] = [[], []];
  for (const { parts } of zone)
    for (const line of new Set(parts.map((one) => one.line))) {
      for (const [n, side] of sides.entries()) {
        const segments = line.segments.filter(({ x }) => x < gutter === (n === 0));
        if (segments.length === 0) continue;
        const text = segments.map((segment) => unmarked(segment.text)).join(' ');
        const [x, right] = [segments[0]!.x, segments.at(-1)!.right];
        side.push({ ...line, text, segments, cells: segments, x, right, area: areas[n]! });
      }
    }
  return sides;
}
