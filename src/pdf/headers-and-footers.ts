/** Removes repeated page headers and footers, and page numbers. */

import { tidyLine } from '../formats/blocks.ts';
import { anyOf, phrasesOfAll, wordsOfAll } from '../language/index.ts';
import type { Line } from './lines.ts';

const pageWord = anyOf(...phrasesOfAll('documents.page'));
const pageNumber = new RegExp(
  `^(?:[-–—|]\\s*)?(?:${pageWord}\\s*)?#(?:\\s*(?:/|${anyOf(...wordsOfAll('documents.pageOf'))})\\s*#)?(?:\\s*(?:[-–—|]|${pageWord}))?$`,
  'u',
);

/** Maximum difference in a header's distance from the edge between pages, in points. */
const sameHeight = 4;

/**
 * Returns the lines without repeated headers, footers and page numbers. A repeated line counts as a header only if it
 * is at the same height on every page, because code may end with a brace on each page and tables may repeat a row.
 */
export function withoutHeadersAndFooters(
  sheets: readonly { height: number; lines: readonly Line[] }[],
  pages: number,
): Line[][] {
  const edges = new Map<Line, { key: string; height: number }>();
  for (const { height, lines } of sheets) {
    const own = lines.toSorted((a, b) => b.y - a.y);
    for (const line of new Set([...own.slice(0, 2), ...own.slice(-2)])) {
      if (line.pitch !== null) continue;
      const key = tidyLine(line.text).replace(/\d+/g, '#').toLowerCase();
      edges.set(line, { key, height });
    }
  }
  const seen = Map.groupBy(edges, ([, { key }]) => key);
  /** Keyed by position and text. */
  const found = new Map<string, boolean>();
  const most = Math.max(2, Math.ceil(pages * 0.5));
  const isFurniture = (line: Line) => {
    const edge = edges.get(line);
    if (edge === undefined) return false;
    if (pageNumber.test(edge.key)) return true;
    const others = seen.get(edge.key)!;
    const at = `${Math.round(line.y)} ${Math.round(edge.height)} ${edge.key}`;
    const known = found.get(at);
    if (known !== undefined) return known;
    if (others.length < most) return false;
    const alike = others.filter(
      ([{ y }, { height }]) =>
        Math.abs(y - line.y) < sameHeight || Math.abs(height - y - (edge.height - line.y)) < sameHeight,
    );
    const repeats = new Set(alike.map(([{ page }]) => page)).size >= most;
    found.set(at, repeats);
    return repeats;
  };
  return sheets.map(({ lines }) => lines.filter((line) => !isFurniture(line)));
}
