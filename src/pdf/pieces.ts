/**
 * Extracts the text of a page as positioned pieces. The page's rotation is undone, and text in another direction goes
 * on a separate, upright sheet.
 */
import { type Annotations, type FormField, fillIn, type Link, linkPieces } from './annotations.ts';
import type { Pdf, Sheet, TextRun, ToSheet } from './sheet.ts';

/** The part of a page's text content that is used. */
interface TextContent {
  items: (
    | { str: string; transform: number[]; width: number; height: number; fontName: string; hasEOL: boolean }
    | { type: string }
  )[];
  styles: Record<string, { fontFamily: string }>;
}

/** Clockwise rotation of text relative to the reading direction, in quarter turns. */
type Turn = 0 | 1 | 2 | 3;

/**
 * Returns the sheets of a page, upright text first. Fonts declared as fixed-pitch are added to `declared`.
 * `annotations` are those of this page.
 */
export async function readPage(
  pdf: Pdf,
  number: number,
  declared: Set<string>,
  { fields, links }: Annotations = { fields: [], links: [] },
): Promise<Sheet[]> {
  const page = await pdf.getPage(number);
  const { items, styles }: TextContent = await page.getTextContent();
  for (const [font, { fontFamily }] of Object.entries(styles))
    if (fontFamily === 'monospace') declared.add(font);
  const { transform, width, height } = page.getViewport({ scale: 1 });
  page.cleanup();
  const placeOf = (turn: Turn): ToSheet => {
    const [a, b, c, d, e, f] = transform as [number, number, number, number, number, number];
    return (x, y) => {
      const [right, down] = [a * x + c * y + e, b * x + d * y + f];
      if (turn === 0) return [right, height - down];
      if (turn === 1) return [down, right];
      return turn === 2 ? [width - right, down] : [height - down, width - right];
    };
  };
  const sheets = new Map<Turn, TextRun[]>();
  let turn: Turn = 0;
  for (const item of items) {
    if (!('str' in item)) continue;
    const [a, b, , , e, f] = item.transform as [number, number, number, number, number, number];
    // A blank at the end of a line has no direction.
    if (item.str.trim() !== '') turn = turnOf(placeOf(0), a, b);
    const [x, y] = placeOf(turn)(e, f);
    const pieces = sheets.get(turn) ?? [];
    sheets.set(turn, pieces);
    pieces.push({
      text: item.str,
      x,
      y,
      width: item.width,
      size: item.height || Math.hypot(a, b) || 10,
      font: item.fontName,
      endsLine: item.hasEOL,
    });
  }
  annotate(sheets, placeOf, fields, links);
  return [...sheets]
    .sort(([one], [other]) => Number(one !== 0) - Number(other !== 0))
    .map(([turn, pieces]) => ({
      page: number,
      height: turn % 2 === 0 ? height : width,
      pieces,
      ...(turn !== 0 && sheets.has(0) && { turned: true as const }),
    }));
}

/** Adds fields to the sheet with the page's upright text (creating it if necessary), and links to all sheets. */
function annotate(
  sheets: Map<Turn, TextRun[]>,
  placeOf: (turn: Turn) => ToSheet,
  fields: readonly FormField[],
  links: readonly Link[],
): void {
  if (fields.length > 0) {
    const upright = sheets.get(0) ?? [];
    sheets.set(0, upright);
    fillIn(upright, fields, placeOf(0));
  }
  if (links.length > 0) for (const [turn, pieces] of sheets) linkPieces(pieces, links, placeOf(turn));
}

/** Slanted text is assigned to the nearest direction. */
function turnOf(place: ToSheet, a: number, b: number): Turn {
  const [left, low] = place(0, 0);
  const [x, y] = place(a, b);
  const quarters = Math.round(-Math.atan2(y - low, x - left) / (Math.PI / 2));
  return (((quarters % 4) + 4) % 4) as Turn;
}
