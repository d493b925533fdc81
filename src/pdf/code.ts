/**
 * Detects code, which is fixed-pitch text surrounded by other text. Its line breaks and indentation are kept. Font
 * names and flags often do not indicate a fixed pitch, so the widths of the pieces are compared.
 */
import { tidyLines } from '../formats/blocks.ts';
import type { Line } from './lines.ts';
import type { TextRun } from './sheet.ts';

/** Number of distinct pieces with the same width per letter that prove a fixed pitch. */
const piecesMeasured = 3;
/** Tolerance for this width, relative to the width of a letter. */
const pitchTolerance = 0.002;
/**
 * Letters that are wider, relative to their height, are CJK characters, which all have the same width but are not code.
 */
const pitchMax = 0.75;
/** If a larger share of the letters has a fixed pitch, the document is typewritten. */
const codeShareMax = 0.9;

/** Fonts used for code, with the width of a letter at size 1. */
export function codePitches(
  pieces: readonly TextRun[],
  declared: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const widths = new Map<string, Map<string, number>>();
  let letters = 0;
  for (const { text, width, size, font } of pieces) {
    letters += text.trim().length;
    // Digits have the same width in most fonts.
    if (!/\p{L}.*\p{L}/u.test(text)) continue;
    const own = widths.get(font) ?? new Map();
    widths.set(font, own.set(text, width / text.length / size));
  }
  const pitches = new Map<string, number>();
  const uniform = new Map<string, { pitch: number; measured: number }>();
  for (const [font, of] of widths) {
    const [low, high] = [Math.min(...of.values()), Math.max(...of.values())];
    if (high - low <= high * pitchTolerance && high <= pitchMax)
      uniform.set(font, { pitch: high, measured: of.size });
  }
  for (const [font, { pitch, measured }] of uniform)
    if (declared.has(font) || measured >= piecesMeasured) pitches.set(font, pitch);
  // The bold variant has the same width, but may be too rare to be measured.
  for (const [font, { pitch }] of uniform)
    if ([...pitches.values()].some((known) => Math.abs(known - pitch) <= known * pitchTolerance))
      pitches.set(font, pitch);
  const coded = pieces.reduce((sum, { text, font }) => sum + (pitches.has(font) ? text.trim().length : 0), 0);
  return coded > letters * codeShareMax ? new Map() : pitches;
}

/** Moves lines of code to their visual position, because many programs draw boxes after all of the surrounding text. */
export function reorderCode(lines: readonly Line[]): Line[] {
  const text = lines.filter(({ pitch }) => pitch === null);
  const placed = codeRuns(lines).flatMap((run) => {
    const left = Math.min(...run.map(({ x }) => x));
    const right = Math.max(...run.map((line) => line.right));
    const column = text.filter((line) => line.x < right && left < line.right);
    return run.map((line) => {
      let above: Line | null = null;
      for (const other of column)
        if (other.y > line.y && (above === null || other.y <= above.y)) above = other;
      return { line, above };
    });
  });
  /** Keyed by the line of text above the code; null if there is none. */
  const below = Map.groupBy(placed, ({ above }) => above);
  const codeBelow = (above: Line | null) => (below.get(above) ?? []).map(({ line }) => line);
  return [...codeBelow(null), ...text.flatMap((line) => [line, ...codeBelow(line)])];
}

/** Consecutive lines of code in a page's content stream. */
function codeRuns(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [];
  for (const [n, line] of lines.entries()) {
    if (line.pitch === null) continue;
    if (n > 0 && lines[n - 1]?.pitch !== null) runs.at(-1)?.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** The text of lines of code as laid out. Empty lines are kept. */
export function codeText(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(({ x }) => x));
  const texts = lines.map((line, n) => {
    const { x, y, page, size, pitch, text } = line;
    const before = lines[n - 1];
    const apart = before !== undefined && (before.page !== page ? false : before.y - y > size * 2.2);
    return `${apart ? '\n' : ''}${' '.repeat(Math.round((x - left) / (pitch ?? size)))}${text}`;
  });
  return tidyLines(texts.join('\n'));
}
