/**
 * The format-independent document model: a list of blocks in reading order. Blocks record only the structure that the
 * file states explicitly (heading levels, list labels, rows). Numbered provisions are recognised later, for all formats
 * alike, in ingest/structure.ts.
 */
import type { Mark } from '../domain/events.ts';
import { anyOf, formsOf, isSo, type Language, languages, rowsOf, type UnitRow } from '../language/index.ts';
import { readPoint } from './provisions.ts';

export type Block = {
  /** Page on which the block begins, counted from 1; absent if the format has no pages. */
  page?: number | undefined;
  /** Recognition confidence from 0 to 1, for text recognised from an image. */
  confidence?: number | undefined;
} & (
  | /** `level` 1 is the outermost. */ ({ kind: 'heading'; level: number } & MarkedText)
  /** Closes all sections at this heading level or deeper; the following blocks belong to the enclosing section. */
  | { kind: 'end'; level: number }
  /**
   * `lead`: the part at the start of the text (possibly all of it) that stands out from the body because it is bold,
   * larger or a defined term. `depth`: list depth, as for an item, if the text itself begins with a list number.
   */
  | ({ kind: 'paragraph'; lead?: string; depth?: number } & MarkedText)
  /** `marker` as displayed: "1.", "2)", "а)", "–". `depth` is 0 for the outermost list. */
  | ({ kind: 'item'; marker: string; depth: number; lead?: string } & MarkedText)
  | { kind: 'code'; text: string }
  | Table
  /** A footnote or endnote. `mark` is its reference in the text without brackets ("1" for "[1]"). */
  | ({ kind: 'note'; mark: string } & MarkedText)
  | { kind: 'pair'; question: string; answer: Block[] }
);

/** `marks`: links and struck-out text (inline-marks.ts); absent if there are none. */
export interface MarkedText {
  text: string;
  marks?: Mark[];
}

/** Rows of equal length. A merged cell is represented by the same object in every position it covers. */
export interface Table {
  kind: 'table';
  rows: MarkedText[][];
  /** Number of header rows; null if the format does not state it, in which case tables.ts detects them. */
  header: number | null;
  /**
   * True for spreadsheets and row-based files, where each row becomes a record with column names. Otherwise rows are
   * written as lines of cells.
   */
  records?: true;
  caption?: string;
}

/** Content that is omitted from the document's text. */
export interface LeftOut {
  /** Human-readable location in the file ("sheet Prices, row 12"); empty if unknown. */
  where: string;
  text: string;
}

/** Document metadata from the file, front matter, JSONL line or manifest. Fields that are not stated are absent. */
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

/** A document as stored in its format. `title` is stated by the format, never guessed. */
export interface ParsedDocument {
  title: string | null;
  /** The language stated by the format; overridden by the manifest and front matter. */
  lang?: Language;
  blocks: Block[];
  hints: Hints;
  /** Absent if the format cannot hide text. */
  left?: LeftOut[];
  /**
   * Warnings for the operator, as clauses without a capital letter or full stop ("page 3 contains no text"). Absent if
   * there are none.
   */
  warnings?: string[];
}

/** One record of a multi-document file, before its text is parsed. */
export interface FileRecord {
  /** Line on which it begins, counted from 1. */
  line: number;
  /** The record's own key; null for part of a table, which uses the file's key. */
  key: string | null;
  /** Part number within a table, counted from 1; always 1 for other records. */
  part: number;
  /** The raw source of the record; identical content has an identical source. */
  source: string;
  parsed: Omit<ParsedDocument, 'blocks'>;
  /** Unparsed text, and its format if the record states one (otherwise Markdown or plain text). */
  text: string;
  format: string | null;
  /** An unparsed question and its answer, placed before the text. */
  pair: { question: string; answer: string } | null;
  /** Blocks placed before the blocks of the text. */
  blocks: Block[];
}

/** Rejects a file or one of its lines. The message is a single sentence or clause shown to users. */
export class Refusal extends Error {}

/**
 * Normalises text to a single line: NFC, collapsed white space, no soft hyphens, no control or zero-width characters (a
 * NUL would truncate the text in the store), well-formed UTF-16.
 */
export function tidyLine(text: string): string {
  return tidyLines(text).replace(/\s+/g, ' ').trim();
}

/** Like tidyLine, but keeps line breaks. */
export function tidyParagraph(text: string): string {
  return tidyLines(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** Like tidyLine, but keeps line breaks and leading spaces (code). */
export function tidyLines(text: string): string {
  return joinSpaced(tidyText(text))
    .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** Joins letter-spaced words: "П Р И К А З" → "ПРИКАЗ". */
function joinSpaced(text: string): string {
  if (!/\p{Lu} \p{Lu} \p{Lu} \p{Lu}/u.test(text)) return text;
  return text.replace(/(?<!\p{L})(?:\p{Lu} ){4,}\p{Lu}(?!\p{L})/gu, (spaced) => spaced.replaceAll(' ', ''));
}

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Control characters (except tab and line feed), soft hyphens and zero-width characters. */
const unseen = /(?![\t\n])[\p{Cc}\u00ad\u200b\u200c\u2028\u2029\u2060\ufeff]/u;

/** Removes invisible characters and normalises line endings and spaces, leaving everything else unchanged. */
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

/** Counts words. Long strings without spaces are counted by length to keep chunk sizes bounded. */
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

/** Unit words that precede or follow their number. */
const unitWords = (numberFirst: boolean) =>
  languages
    .filter((language) => isSo(language, 'provisions.numberFirst') === numberFirst)
    .flatMap((language) => rowsOf<UnitRow>(language, 'provisions.units'))
    .flatMap(([, forms, count]) => formsOf(forms).map((form) => (count === 'short' ? `${form}.` : form)));
const provisionWord = anyOf(...unitWords(false), '§');
const provisionBefore = new RegExp(`${provisionWord}\\s*\\d+$`, 'iu');

/** Writes a superscript number after a provision number ("Статья 15¹") as "15-1". Other superscripts are unchanged. */
export function superscript(before: string, digits: string): string {
  // Ignore the closing characters of links and struck-out text (inline-marks.ts).
  const text = before.replace(/[\ufdd2\ufdd4]+$/, '');
  return /^\d+$/.test(digits.trim()) && provisionBefore.test(text) ? `-${digits.trim()}` : digits;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/**
 * Matches a superscript number in three places: after the word for a provision, before that word in languages that put
 * the number first, and after a point number at the start of a line.
 */
const raisedNumber = new RegExp(
  [
    `(?<=${provisionWord}\\s*(?:№\\s*)?\\d{1,4})[${raised}]{1,2}(?![${raised}\\d])`,
    `(?<=^\\(?\\d{1,3})[${raised}]{1,2}(?=[.)]\\s)`,
    `(?<=\\d)[${raised}]{1,2}(?=\\s*-?\\s*${anyOf(...unitWords(true))})`,
  ].join('|'),
  'gimu',
);

/** Like `superscript`, but for Unicode superscript digits. */
function plainSuperscripts(text: string): string {
  if (!/[¹²³⁰-⁹]/.test(text)) return text;
  return text.replace(
    raisedNumber,
    (digits) => `-${[...digits].map((digit) => raised.indexOf(digit)).join('')}`,
  );
}

/** The text of a list item, including its marker. A bullet is dropped if the item has its own number. */
export function textOfBlock(block: Extract<Block, { kind: 'paragraph' | 'item' }>): string {
  return markerOf(block) + block.text;
}

/** The prefix that textOfBlock puts before the text. */
export function markerOf(block: Extract<Block, { kind: 'paragraph' | 'item' }>): string {
  return block.kind === 'paragraph' || (block.marker === '–' && readPoint(block.text) !== null)
    ? ''
    : `${block.marker} `;
}

/** The first line of a block; empty if the block has no text. */
export function firstLine(block: Block): string {
  if (block.kind === 'item') return textOfBlock(block).split('\n', 1)[0]!;
  return 'text' in block && block.kind !== 'code' ? block.text.split('\n', 1)[0]! : '';
}

/** Whether a line looks like a table-of-contents entry: title, dots, page number. */
export function isContentsLine(line: string): boolean {
  return /[.…_]{5}\s*\d{1,4}$/.test(line);
}

/** The set of words in a text, used to decide whether to keep hyphens at line ends. */
export function vocabularyOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/[\p{L}-]+/gu) ?? []));
}

/** Maximum word length in UTF-16 units; lines may be longer. */
const wordMax = 100;

/**
 * Joins two lines of wrapped text. A hyphen between lower-case letters at the line break is removed, unless the word
 * occurs elsewhere in the text only in its hyphenated form.
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
