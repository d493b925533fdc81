/**
 * Recognises text in images with an optional library: @llamaindex/liteparse, using Tesseract data for the languages in
 * DOCENT_OCR_LANGUAGES. If they are not installed, no text is recognised, but nothing fails.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { joined } from '../language/index.ts';
import type { Sheet, TextRun } from './sheet.ts';

export interface Recogniser {
  /** Recognises PDF pages, given with their size in points. `left`: pages skipped for lack of time. */
  pages(pdf: Uint8Array, wanted: readonly PageSize[]): Promise<{ read: Sheet[]; left: number[] }>;
  /** Recognises an image as a page; null if the image cannot be read. */
  image(picture: Uint8Array): Promise<Sheet | null>;
}

export interface PageSize {
  page: number;
  width: number;
  height: number;
}

/** Explains to operators how to enable text recognition. Used at the end of a sentence. */
export const wayToRecognise = 'install @llamaindex/liteparse and Tesseract language data to recognise them';

/** A piece of text from the recogniser; y is the distance of its upper edge from the top. */
export interface RecognisedItem {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Only for recognised text. */
  confidence?: number;
}

interface ReadPage {
  width: number;
  height: number;
  textItems: RecognisedItem[];
}

interface LiteParse {
  parse(input: Uint8Array): Promise<{ pages: ReadPage[] }>;
  isComplex(input: Uint8Array): Promise<{ pageArea: number }[]>;
}
type LiteParseModule = { LiteParse: new (config: Record<string, unknown>) => LiteParse };

const defaultLanguages = 'eng+rus+kaz';
const dataFolders = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
];
/** Resolution for recognition, and maximum size. */
const dpi = 200;
const pixelsMax = 9_000_000;
/** Size of a standalone image, regardless of the resolution stated in the file. */
const pixelsOfImage = 5_000_000;
/** Limit on processor time for recognising the pages of one document. Part of the document's total limit. */
const budgetMs = 20_000;

/** Null if the library or its data is not installed. */
export async function openRecogniser(env: NodeJS.ProcessEnv = process.env): Promise<Recogniser | null> {
  const data = languageData(env);
  if (data === null) return null;
  const module: LiteParseModule | null = await import('@llamaindex/liteparse').catch(() => null);
  if (module === null) return null;
  const reader = (resolution: number, more: Record<string, unknown> = {}) =>
    new module.LiteParse({
      ocrEnabled: true,
      ocrLanguage: data.languages.join('+'),
      tessdataPath: data.folder,
      dpi: Math.max(1, Math.floor(resolution)),
      outputFormat: 'json',
      numWorkers: 1,
      quiet: true,
      ...more,
    });
  return {
    async pages(pdf, wanted) {
      const read: Sheet[] = [];
      const before = process.cpuUsage();
      for (const [n, { page, width, height }] of wanted.entries()) {
        const { user, system } = process.cpuUsage(before);
        if ((user + system) / 1000 > budgetMs) return { read, left: wanted.slice(n).map((one) => one.page) };
        const resolution = Math.min(dpi, 72 * Math.sqrt(pixelsMax / Math.max(1, width * height)));
        // If recognition fails on a page, the page counts as having no text.
        const result = await reader(resolution, { targetPages: String(page) })
          .parse(pdf)
          .catch(() => null);
        const sheet = result?.pages[0] && sheetOf(result.pages[0], page);
        if (sheet && isSure(sheet)) read.push(sheet);
      }
      return { read, left: [] };
    },
    async image(picture) {
      try {
        const [size] = await reader(dpi).isComplex(picture);
        const resolution = 72 * Math.sqrt(pixelsOfImage / Math.max(1, size?.pageArea ?? 1));
        const { pages } = await reader(resolution).parse(picture);
        if (!pages[0]) return null;
        const sheet = sheetOf(pages[0], 1);
        return isSure(sheet) ? sheet : { ...sheet, pieces: [] };
      } catch {
        return null;
      }
    },
  };
}

/**
 * The languages with installed data, and the folder that contains it. The library would download missing languages, but
 * ingesting a file must not access the network.
 */
function languageData(env: NodeJS.ProcessEnv): { folder: string; languages: string[] } | null {
  const names = (env.DOCENT_OCR_LANGUAGES || defaultLanguages).split(/[+,\s]+/);
  const folders = env.TESSDATA_PREFIX ? [env.TESSDATA_PREFIX] : dataFolders;
  for (const folder of folders) {
    const languages = names.filter(
      (name) => /^\w+$/.test(name) && existsSync(join(folder, `${name}.traineddata`)),
    );
    if (languages.length > 0) return { folder, languages };
  }
  return null;
}

/** Below this confidence, the page is upside down or has no text, and the result is random. */
const leastSure = 0.6;

/** Whether most of the recognised text is reliable. */
export function isSure({ pieces }: Pick<Sheet, 'pieces'>): boolean {
  let letters = 0;
  let sure = 0;
  for (const { text, confidence = 1 } of pieces) {
    letters += text.length;
    sure += text.length * confidence;
  }
  return letters > 0 && sure >= letters * leastSure;
}

/** Letters with ascenders, and letters with descenders. */
const shapes = (name: string) => joined(name).replaceAll(' ', '');
const tall = new RegExp(`[\\p{Lu}\\p{N}${shapes('letters.tall')}!?()[\\]{}"«»№%&/]`, 'u');
const deep = new RegExp(`[${shapes('letters.deep')}(){}[\\],;]`, 'u');
/** Heights relative to the font size: small letters, ascenders, descenders. */
const parts = { small: 0.52, above: 0.21, below: 0.21 };
/** Sizes that differ by less than this belong to one font and were measured inaccurately. */
const sameSize = 0.22;

/** Characters that bullets are often misread as. */
const bulletRead = /^[“”"*°©®·•■▪](?=\s|$)/;

/** Converts recognised text to pieces. The lines and the font size are determined from the edges of the letters. */
export function sheetOf({ height, textItems }: Pick<ReadPage, 'height' | 'textItems'>, page: number): Sheet {
  const items = textItems.filter(({ text, confidence }) => text.trim() !== '' && confidence !== undefined);
  const measured = items.map((item) => {
    const below = deep.test(item.text) ? parts.below : 0;
    const letters = /[\p{L}\p{N}]/u.test(item.text);
    const size = item.height / (parts.small + (tall.test(item.text) ? parts.above : 0) + below);
    return {
      item,
      size: letters ? size : 0,
      y: height - item.y - item.height + (letters ? below * size : 0),
    };
  });
  const body = medianSize(measured.map(({ item, size }) => ({ size, letters: item.text.length })));
  const lines: { y: number; size: number; own: typeof measured }[] = [];
  for (const one of measured.toSorted((a, b) => b.y - a.y)) {
    const line = lines.at(-1);
    const near = line !== undefined && line.y - one.y < Math.max(line.size, body) * 0.4;
    if (near) line.own.push(one);
    else lines.push({ y: one.y, size: one.size || body, own: [one] });
  }
  const fonts = [body];
  const pieces = lines.flatMap(({ own }): TextRun[] => {
    const size = medianSize(own.map((one) => ({ size: one.size, letters: one.item.text.length }))) || body;
    const known = fonts.find((font) => Math.abs(size - font) <= font * sameSize);
    if (known === undefined) fonts.push(size);
    const y = own.reduce((sum, one) => sum + one.y, 0) / own.length;
    return own
      .toSorted((a, b) => a.item.x - b.item.x)
      .map(({ item }, n) => ({
        text: n === 0 ? item.text.replace(bulletRead, '•') : item.text,
        x: item.x,
        y,
        width: item.width,
        size: known ?? size,
        font: 'recognised',
        endsLine: n === own.length - 1,
        confidence: item.confidence!,
      }));
  });
  return { page, height, pieces };
}

/** The median size, weighted by letters. Unknown sizes are ignored. */
function medianSize(sizes: readonly { size: number; letters: number }[]): number {
  const known = sizes.filter(({ size }) => size > 0).toSorted((a, b) => a.size - b.size);
  const half = known.reduce((sum, { letters }) => sum + letters, 0) / 2;
  let passed = 0;
  for (const { size, letters } of known) {
    passed += letters;
    if (passed >= half) return size;
  }
  return 0;
}
