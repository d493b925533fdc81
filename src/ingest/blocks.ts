/**
 * The neutral model every format is read into: a document is a list of blocks in reading order. What a block says
 * about structure is what the format itself says (heading levels, list labels, rows); numbered provisions are
 * recognised later, once for all formats, in structure.ts.
 */
import type { Mark } from '../domain/events.ts';
import {
  anyOf,
  formsOf,
  isSo,
  type Language,
  languages,
  rowsOf,
  type UnitRow,
} from '../text/languages/index.ts';
import { readPoint } from './provisions.ts';

export type Block = {
  /** Page it begins on, from 1; absent where the format has no pages. */
  page?: number;
  /** Of text that was read from a picture: how sure the reader is, 0 to 1. */
  confidence?: number;
} & (
  | /** `level` 1 is the outermost. */ ({ kind: 'heading'; level: number } & MarkedText)
  /** Closes the sections opened by headings of this level or deeper: what follows belongs to the one outside. */
  | { kind: 'end'; level: number }
  /**
   * `lead`: the beginning of the text, or all of it, that is set off from the body (bold, larger, a term). `depth`: as
   * of an item, where the text itself begins with the number of one.
   */
  | ({ kind: 'paragraph'; lead?: string; depth?: number } & MarkedText)
  /** `marker` as a reader sees it: "1.", "2)", "а)", "–". `depth` 0 is the outermost list. */
  | ({ kind: 'item'; marker: string; depth: number; lead?: string } & MarkedText)
  | { kind: 'code'; text: string }
  | Table
  /** A footnote or endnote; `mark` as it stands in brackets in the text that refers to it: "1" for "[1]". */
  | ({ kind: 'note'; mark: string } & MarkedText)
  | { kind: 'pair'; question: string; answer: Block[] }
);

/** `marks`: links and what is struck out (marks.ts); absent: none. */
export interface MarkedText {
  text: string;
  marks?: Mark[];
}

/** Rows of one length. A merged cell stands, as the same object, in every place it covers. */
export interface Table {
  kind: 'table';
  rows: MarkedText[][];
  /** Rows at the top that name the columns; null where the format does not say (tables.ts looks for them). */
  header: number | null;
  /** A sheet or a file of rows: each row becomes a record that names its columns. Default: rows of cells. */
  records?: true;
  caption?: string;
  page?: number;
  confidence?: number;
}

/** Something a document holds and its text does not. */
export interface LeftOut {
  /** Where, as a reader of the file would name it ("sheet Prices, row 12"); empty where that is not known. */
  where: string;
  text: string;
}

/** What a file, its front matter, its line or the manifest says about a document. Absent: not said. */
export interface Hints {
  doc_key?: string;
  title?: string;
  lang?: Language;
  layer?: string;
  url?: string;
  source_url?: string;
  /** ISO date: YYYY, YYYY-MM or YYYY-MM-DD. */
  event_date?: string;
  skip?: boolean;
  metadata?: Record<string, unknown>;
}

/** One document as its format gives it; `title` is what the format names so, not a guess. */
export interface ParsedDocument {
  title: string | null;
  /** The language the format names; weaker than what manifest or front matter say. */
  lang?: Language;
  blocks: Block[];
  hints: Hints;
  /** Absent: nothing was left out. */
  left?: LeftOut[];
  /** What whoever takes the document in should know, clauses without a capital or a full stop ("page 3 holds no text"); absent: nothing. */
  warnings?: string[];
}

/** One document of a file of many, as it was read; its text is still to be taken apart. */
export interface FileRecord {
  /** Line it begins on, from 1. */
  line: number;
  /** Its own key; null for a piece of a table, whose key is the file's. */
  key: string | null;
  /** Of a table's pieces, from 1; 1 for every other record. */
  part: number;
  /** What it was read from: equal for equal content. */
  source: string;
  parsed: Omit<ParsedDocument, 'blocks'>;
  /** Text that is still to be read as Markdown or plain text, and which of them the record says it is. */
  text: string;
  format: string | null;
  /** A question with its answer, which is text like the other; stands before it. */
  pair: { question: string; answer: string } | null;
  /** Blocks before the text's. */
  blocks: Block[];
}

/** A file, or one line of it, that is not taken in. The message is one sentence for people. */
export class Refusal extends Error {}

/**
 * One line of text for a block: NFC, white space of any kind as single spaces, no soft hyphens, no control or
 * zero-width characters (a NUL would cut the text in the store), well-formed UTF-16.
 */
export function tidyLine(text: string): string {
  return tidyLines(text).replace(/\s+/g, ' ').trim();
}

/** As tidyLine, but line breaks stay. */
export function tidyParagraph(text: string): string {
  return tidyLines(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** As tidyLine, but line breaks and the spaces at the start of lines stay (code). */
export function tidyLines(text: string): string {
  return joinSpaced(tidyText(text))
    .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** "П Р И К А З" → "ПРИКАЗ": words set wide with spaces. */
function joinSpaced(text: string): string {
  if (!/\p{Lu} \p{Lu} \p{Lu} \p{Lu}/u.test(text)) return text;
  return text.replace(/(?<!\p{L})(?:\p{Lu} ){4,}\p{Lu}(?!\p{L})/gu, (spaced) => spaced.replaceAll(' ', ''));
}

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Control characters but tab and line feed, soft hyphens, zero-width characters. */
const unseen = /(?![\t\n])[\p{Cc}\u00ad\u200b\u200c\u2028\u2029\u2060\ufeff]/u;

/** Removes what no reader sees and makes line ends and spaces uniform; everything else stays as it is. */
export function tidyText(text: string): string {
  let out = text;
  if (unseen.test(out)) out = out.replace(lineEnds, '\n').replace(new RegExp(unseen, 'gu'), '');
  return plainSuperscripts(
    out
      .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
      .toWellFormed()
      .normalize('NFC'),
  );
}

/** Words as a reader counts them; long strings without spaces count by their length, so that sizes stay bounded. */
export function countWords(text: string): number {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const space = text.charCodeAt(i) <= 32;
    if (!space && !inside) words++;
    inside = !space;
  }
  return Math.max(words, Math.floor(text.length / 14));
}

/** Words of units before their number, and behind it. */
const unitWords = (numberFirst: boolean) =>
  languages
    .filter((language) => isSo(language, 'provisions.numberFirst') === numberFirst)
    .flatMap((language) => rowsOf<UnitRow>(language, 'provisions.units'))
    .flatMap(([, forms, count]) => formsOf(forms).map((form) => (count === 'short' ? `${form}.` : form)));
const provisionWord = anyOf(...unitWords(false), '§');
const provisionBefore = new RegExp(`${provisionWord}\\s*\\d+$`, 'iu');

/** A number in superscript after the number of a provision ("Статья 15¹") is written "15-1"; elsewhere it stays. */
export function superscript(before: string, digits: string): string {
  // Signs that end a link or what is struck out (marks.ts) say nothing of the number.
  const text = before.replace(/[\ufdd2\ufdd4]+$/, '');
  return /^\d+$/.test(digits.trim()) && provisionBefore.test(text) ? `-${digits.trim()}` : digits;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** After the word of a provision, before one where numbers stand first, or where a line begins with the number of a point. */
const raisedNumber = new RegExp(
  [
    `(?<=${provisionWord}\\s*(?:№\\s*)?\\d{1,4})[${raised}]{1,2}(?![${raised}\\d])`,
    `(?<=^\\(?\\d{1,3})[${raised}]{1,2}(?=[.)]\\s)`,
    `(?<=\\d)[${raised}]{1,2}(?=\\s*-?\\s*${anyOf(...unitWords(true))})`,
  ].join('|'),
  'gimu',
);

/** As superscript, for the superscript digits of Unicode. */
function plainSuperscripts(text: string): string {
  if (!/[¹²³⁰-⁹]/.test(text)) return text;
  return text.replace(
    raisedNumber,
    (digits) => `-${[...digits].map((digit) => raised.indexOf(digit)).join('')}`,
  );
}

/** The beginning of a paragraph that is set off from the rest, gathered while its pieces are read. */
export class LeadingRun {
  private text = '';
  private open = true;

  /** A piece of the paragraph in its order, and whether it is set off. */
  add(piece: string, setOff: boolean): void {
    if (setOff || piece.trim() === '') {
      if (this.open) this.text += piece;
    } else this.open = false;
  }

  /** As `lead` of the paragraph that has just ended; nothing where nothing was set off. */
  take(): { lead?: string } {
    const lead = tidyParagraph(this.text);
    this.text = '';
    this.open = true;
    return lead === '' ? {} : { lead };
  }
}

/** A list item with its marker; a bullet in front of a number of the item's own says nothing. */
export function textOfBlock(block: Extract<Block, { kind: 'paragraph' | 'item' }>): string {
  return markerOf(block) + block.text;
}

/** What textOfBlock puts before the text. */
export function markerOf(block: Extract<Block, { kind: 'paragraph' | 'item' }>): string {
  return block.kind === 'paragraph' || (block.marker === '–' && readPoint(block.text) !== null)
    ? ''
    : `${block.marker} `;
}

/** The line a block begins with, empty where it is no text. */
export function firstLine(block: Block): string {
  if (block.kind === 'item') return textOfBlock(block).split('\n', 1)[0]!;
  return 'text' in block && block.kind !== 'code' ? block.text.split('\n', 1)[0]! : '';
}

/** A line of a table of contents: a title, dots, a page. */
export function isContentsLine(line: string): boolean {
  return /[.…_]{5}\s*\d{1,4}$/.test(line);
}

/** The words of a text, by which a hyphen at the end of a line is judged. */
export function vocabularyOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/[\p{L}-]+/gu) ?? []));
}

/** No word is longer, in UTF-16 units; a line may be. */
const wordMax = 100;

/**
 * Two lines of a wrapped text joined. A hyphen between small letters at the end of the first goes, unless the word
 * is written with it elsewhere in the text and not without.
 */
export function joinWrapped(before: string, after: string, vocabulary: ReadonlySet<string>): string {
  const right = /^\p{Ll}[\p{L}-]*/u.exec(after)?.[0];
  if (!/\p{Ll}[-\u2010]$/u.test(before) || right === undefined) return `${before} ${after}`;
  const left =
    before
      .slice(-wordMax, -1)
      .split(/[^\p{L}-]/u)
      .at(-1) ?? '';
  const whole = (left + right).toLowerCase();
  const hyphenated = `${left}-${right}`.toLowerCase();
  return vocabulary.has(hyphenated) && !vocabulary.has(whole)
    ? `${before.slice(0, -1)}-${after}`
    : before.slice(0, -1) + after;
}
