/**
 * Converts PDF to blocks, based on text positions, in this order:
 * 1. pdf/annotations.ts reads links and form fields.
 * 2. pdf/pieces.ts locates the pieces of text on each page and sorts them onto sheets by direction.
 * 3. Pages whose text layer pdf/legible.ts finds unreadable are recognised, and ligatures are joined.
 * 4. pdf/code.ts finds the pitch of code, and pdf/lines.ts assembles pieces into lines, with list markers.
 * 5. pdf/headers-and-footers.ts removes headers, footers and page numbers.
 * 6. pdf/notes.ts takes out footnotes.
 * 7. pdf/columns.ts puts columns one after another; then pdf/lines.ts divides lines into cells, and pdf/code.ts
 *    restores the order of code.
 * 8. pdf/flow.ts builds paragraphs, headings and lists, and pdf/tables.ts builds tables.
 *
 * Pages that are images or have an unreadable text layer go through text recognition if it is installed (recognise.ts).
 * Without it, a document that contains only such pages is refused.
 */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { type Block, type ParsedDocument, Refusal, tidyLine } from '../formats/blocks.ts';
import { readAnnotations } from './annotations.ts';
import { codePitches, reorderCode } from './code.ts';
import { inColumns } from './columns.ts';
import { bodySize, toBlocks } from './flow.ts';
import { withoutHeadersAndFooters } from './headers-and-footers.ts';
import { isGarbage, isUnmapped, joinLigatures, legibilityOf, together } from './legible.ts';
import { joinMarkers, linesOf, withCells } from './lines.ts';
import { type Footnote, takeNotes } from './notes.ts';
import { readPage } from './pieces.ts';
import { openRecogniser, type PageSize, wayToRecognise } from './recognise.ts';
import type { Pdf, Sheet } from './sheet.ts';

export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  let pdf: Pdf;
  try {
    // Make a copy, because the reader takes ownership of the buffer.
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new Refusal(
      name === 'PasswordException' ? 'encrypted: it needs a password' : 'broken: not a readable PDF',
    );
  }
  const pages = new Map<number, Sheet[]>();
  const declared = new Set<string>();
  const annotations = mayHaveAnnotations(bytes) ? await readAnnotations(pdf) : null;
  for (let page = 1; page <= pdf.numPages; page++) {
    // Read as much of a damaged file as possible.
    const sheets = await readPage(pdf, page, declared, annotations?.get(page)).catch(() => null);
    if (sheets !== null) pages.set(page, sheets);
  }
  if (pages.size === 0) throw new Refusal('broken: no page can be read');
  const { sheets, warnings } = await legible(bytes, pdf, pages);
  const info: unknown = (await pdf.getMetadata().catch(() => null))?.info;
  return {
    title: titleOf(info),
    blocks: blocksOf(sheets, declared, pdf.numPages),
    hints: {},
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Converts a page image (PNG, JPEG or TIFF) to blocks of text, if a text recogniser is installed. */
export async function parseImage(bytes: Uint8Array): Promise<ParsedDocument> {
  const recogniser = await openRecogniser();
  if (recogniser === null)
    throw new Refusal(`no text: it is an image; ${wayToRecognise.replace('them', 'it')}`);
  const sheet = await recogniser.image(bytes);
  if (sheet === null) throw new Refusal('broken: not a readable image');
  const blocks = blocksOf([sheet], new Set(), 1);
  if (blocks.length === 0) throw new Refusal('empty: no text was recognised in the image');
  return { title: null, blocks, hints: {} };
}

/** Whether the file may contain an external link or a form field. Compressed content may always contain some. */
function mayHaveAnnotations(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ['/URI', '/Widget', '/ObjStm'].some((name) => file.includes(name));
}

/** Titles that programs fill in automatically (file names) are ignored. */
function titleOf(info: unknown): string | null {
  if (typeof info !== 'object' || info === null || !('Title' in info) || typeof info.Title !== 'string')
    return null;
  const title = tidyLine(info.Title);
  return title.includes(' ') && !/\.\w{2,4}$|^microsoft word/i.test(title) ? title : null;
}

/** The blocks of all sheets. `declared`: fonts that are declared as fixed-pitch. */
export function blocksOf(sheets: readonly Sheet[], declared: ReadonlySet<string>, pages: number): Block[] {
  joinLigatures(sheets);
  const pitches = codePitches(
    sheets.flatMap(({ pieces }) => pieces),
    declared,
  );
  const read = withoutHeadersAndFooters(
    sheets.map((sheet) => ({ height: sheet.height, lines: joinMarkers(linesOf(sheet, pitches)) })),
    pages,
  );
  const body = bodySize(read.flat());
  // Text along a margin is not a heading, regardless of its size.
  for (const [n, { turned }] of sheets.entries())
    if (turned) for (const line of read[n]!) line.size = Math.min(line.size, body);
  const notes = new Map<number, Footnote[]>();
  const lines = read.flatMap((own, n) => {
    const { lines: text, notes: found } = takeNotes(own, body);
    const { page } = sheets[n]!;
    if (found.length > 0) notes.set(page, [...(notes.get(page) ?? []), ...found]);
    return reorderCode(withCells(inColumns(text)));
  });
  return toBlocks(lines, notes);
}

/** Pages with fewer letters and digits count as having no text. */
const textMin = 3;
/** Pages with fewer letters and digits may be images with a stamp. */
const textFew = 40;
/** Maximum number of pages checked for images. */
const picturePages = 20;
/** An image with this many pixels is a page scan, not an ornament. */
const scanDots = 500_000;
/** A page with at least this many shapes may contain letters drawn as outlines. */
const outlinesMin = 20;

/**
 * Returns the sheets of pages with text, including recognised text, and warnings about the other pages. Throws Refusal
 * if no text is left.
 */
async function legible(
  bytes: Uint8Array,
  pdf: Pdf,
  pages: ReadonlyMap<number, Sheet[]>,
): Promise<{ sheets: Sheet[]; warnings: string[] }> {
  const texts = new Map([...pages].map(([page, sheets]) => [page, legibilityOf(textOf(sheets))]));
  const few = [...texts]
    .filter(([, { letters, broken }]) => letters + broken < textFew)
    .map(([page]) => page);
  const drawn = await picturesOf(pdf, few);
  const bare = few.filter((page) => texts.get(page)!.letters + texts.get(page)!.broken < textMin);
  const allBare = bare.length === texts.size;
  const pictures = bare.filter((page) =>
    allBare ? drawn.get(page) !== 'nothing' : isPicture(drawn.get(page)),
  );
  if (allBare && pictures.length === 0) throw new Refusal('empty: its pages are blank');
  const stamped = few.filter((page) => !bare.includes(page) && drawn.get(page) === 'scan');
  const written = [...texts].filter(([page]) => !bare.includes(page));
  const mapped = written.filter(([, text]) => !isUnmapped(text)).map(([, text]) => text);
  const allGarbled = written.length > 0 && (mapped.length === 0 || isGarbage(together(mapped)));
  const garbled = written.filter(([, text]) => allGarbled || isGarbage(text)).map(([page]) => page);
  const without = new Set([...pictures, ...stamped, ...garbled]);
  if (without.size === 0) return { sheets: [...pages.values()].flat(), warnings: [] };

  const recogniser = await openRecogniser();
  const { read, left } = (await recogniser?.pages(bytes, await sizesOf(pdf, without))) ?? {
    read: [],
    left: [...without],
  };
  const seen = read.filter((sheet) => lettersIn(sheet) > textMin);
  const recognised = new Map(seen.map((sheet) => [sheet.page, sheet]));
  const sheets = [...pages].flatMap(([page, own]) => {
    const sheet = recognised.get(page);
    if (sheet !== undefined) return [sheet];
    // Drop meaningless characters, but keep pages whose words merely look odd, because some may be real.
    return without.has(page) && (allGarbled || isUnmapped(texts.get(page)!)) ? [] : own;
  });
  if (sheets.every((sheet) => lettersIn(sheet) < textMin)) {
    if (garbled.length > 0) throw new Refusal('the text layer has no mapping to Unicode');
    throw new Refusal(
      recogniser === null
        ? `no text layer: pages are images; ${wayToRecognise}`
        : 'no text layer: pages are images, and no text was recognised in them',
    );
  }
  const remedy =
    recogniser === null ? wayToRecognise : 'they would take too long to recognise: split the file';
  const unread = (some: readonly number[]) => left.filter((page) => some.includes(page));
  // An image may contain no text.
  const lost = garbled.filter((page) => !left.includes(page) && !recognised.has(page));
  const warnings = [
    warning(unread(pictures), 'no text: they are images', remedy),
    warning(unread(stamped), 'an image and little text', remedy),
    warning(unread(garbled), 'letters without a mapping to Unicode', remedy),
    warning(lost, 'letters without a mapping to Unicode', 'no text was recognised there'),
  ];
  return { sheets, warnings: warnings.filter((one) => one !== null) };
}

/** "pages 3–5 contain no text: they are images; …" */
function warning(pages: readonly number[], what: string, remedy: string): string | null {
  if (pages.length === 0) return null;
  const sorted = pages.toSorted((a, b) => a - b);
  const runs: number[][] = [];
  for (const page of sorted)
    if (runs.at(-1)?.at(-1) === page - 1) runs.at(-1)!.push(page);
    else runs.push([page]);
  const names = runs.map((run) => (run.length === 1 ? `${run[0]}` : `${run[0]}–${run.at(-1)}`)).join(', ');
  if (pages.length > 1) return `pages ${names} contain ${what}; ${remedy}`;
  const one = (text: string) =>
    text.replace('they are images', 'it is an image').replace('they', 'it').replace('them', 'it');
  return `page ${names} contains ${one(what)}; ${one(remedy)}`;
}

function textOf(sheets: readonly Sheet[]): string {
  return sheets
    .map(({ pieces }) => pieces.map(({ text, endsLine }) => text + (endsLine ? '\n' : '')).join(''))
    .join('\n');
}

function lettersIn(sheet: Sheet): number {
  return legibilityOf(textOf([sheet])).letters;
}

type Drawn = 'nothing' | 'little' | 'picture' | 'scan';

function isPicture(drawn: Drawn | undefined): boolean {
  return drawn === 'picture' || drawn === 'scan';
}

/**
 * Checks what pages draw besides text. The first pages are checked individually; the rest are assumed to be like the
 * first page without text.
 */
async function picturesOf(pdf: Pdf, pages: readonly number[]): Promise<Map<number, Drawn>> {
  const out = new Map<number, Drawn>();
  if (pages.length === 0) return out;
  const { OPS } = await getResolvedPDFJS();
  const images: ReadonlySet<number> = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
  ]);
  const shapes: ReadonlySet<number> = new Set([
    OPS.paintFormXObjectBegin,
    OPS.constructPath,
    OPS.shadingFill,
  ]);
  for (const page of pages.slice(0, picturePages)) {
    const proxy = await pdf.getPage(page);
    const list: { fnArray: number[]; argsArray: unknown[] } | null = await proxy
      .getOperatorList()
      .catch(() => null);
    proxy.cleanup();
    // Content that cannot be rendered counts as drawn.
    if (list === null) {
      out.set(page, 'picture');
      continue;
    }
    let [dots, pictures, outlines] = [0, 0, 0];
    for (const [n, operation] of list.fnArray.entries()) {
      if (shapes.has(operation)) outlines++;
      if (!images.has(operation)) continue;
      pictures++;
      const args: unknown = list.argsArray[n];
      if (Array.isArray(args)) dots = Math.max(dots, (Number(args[1]) || 0) * (Number(args[2]) || 0));
    }
    const drawn = dots >= scanDots ? 'scan' : pictures > 0 || outlines >= outlinesMin ? 'picture' : 'little';
    out.set(page, drawn === 'little' && outlines === 0 ? 'nothing' : drawn);
  }
  const like = [...out.values()].find(isPicture);
  for (const page of pages.slice(picturePages)) if (like !== undefined) out.set(page, 'picture');
  return out;
}

async function sizesOf(pdf: Pdf, pages: Iterable<number>): Promise<PageSize[]> {
  const sizes: PageSize[] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const { width, height } = (await pdf.getPage(page)).getViewport({ scale: 1 });
    sizes.push({ page, width, height });
  }
  return sizes;
}
