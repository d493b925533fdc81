/**
 * The format-independent model of a document: a list of blocks in reading order. A block states only the structure
 * given by the format (heading levels, list labels, rows); numbered provisions are recognised later, once for all
 * formats, in structure.ts.
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
  /** Page it begins on, from 1; absent if the format has no pages. */
  page?: number;
  /** Confidence of text recognised from an image, 0 to 1. */
  confidence?: number;
} & (
  | /** `level` 1 is the outermost. */ ({ kind: 'heading'; level: number } & MarkedText)
  /** Closes the sections of headings of this level or deeper; what follows belongs to the enclosing section. */
  | { kind: 'end'; level: number }
  /**
   * `lead`: the beginning of the text, or all of it, that is set off from the body (bold, larger, a term). `depth`: as
   * for an item, if the text itself begins with a list number.
   */
  | ({ kind: 'paragraph'; lead?: string; depth?: number } & MarkedText)
  /** `marker` as displayed: "1.", "2)", "а)", "–". `depth` 0 is the outermost list. */
  | ({ kind: 'item'; marker: string; depth: number; lead?: string } & MarkedText)
  | { kind: 'code'; text: string }
  | Table
  /** A footnote or endnote; `mark`: its reference in the text, without brackets ("1" for "[1]"). */
  | ({ kind: 'note'; mark: string } & MarkedText)
  | { kind: 'pair'; question: string; answer: Block[] }
);

/** `marks`: links and struck-out text (marks.ts); absent: none. */
export interface MarkedText {
  text: string;
  marks?: Mark[];
}

/** Rows of equal length. A merged cell is the same object in every position it covers. */
export interface Table {
  kind: 'table';
  rows: MarkedText[][];
  /** Number of header rows; null if the format does not state it (then tables.ts detects them). */
  header: number | null;
  /** For a sheet or a file of rows: each row becomes a record that names its columns. Default: rows of cells. */
  records?: true;
  caption?: string;
  page?: number;
  confidence?: number;
}

/** Content of a document that its text omits. */
export interface LeftOut {
  /** Location in words for a reader of the file ("sheet Prices, row 12"); empty if unknown. */
  where: string;
  text: string;
}

/** Metadata of a document from its file, front matter, line or manifest. Absent: not stated. */
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

/** One document as its format gives it; `title` is the format's own title, not a guess. */
export interface ParsedDocument {
  title: string | null;
  /** The language stated by the format; weaker than manifest or front matter. */
  lang?: Language;
  blocks: Block[];
  hints: Hints;
  /** Absent: nothing was omitted. */
  left?: LeftOut[];
  /** Warnings for the operator, clauses without a capital or a full stop ("page 3 contains no text"); absent: none. */
  warnings?: string[];
}

/** One document of a file with many, as read; its text is not parsed yet. */
export interface FileRecord {
  /** Line it begins on, from 1. */
  line: number;
  /** Its own key; null for a part of a table, which uses the file's key. */
  key: string | null;
  /** Part number of a table, from 1; 1 for every other record. */
  part: number;
  /** The source it was read from: equal for equal content. */
  source: string;
  parsed: Omit<ParsedDocument, 'blocks'>;
  /** Text still to be parsed as Markdown or plain text, and the format that the record states. */
  text: string;
  format: string | null;
  /** A question with its answer, also unparsed; comes before the text. */
  pair: { question: string; answer: string } | null;
  /** Blocks before the blocks of the text. */
  blocks: Block[];
}

/** Rejects a file or a line of it. The message is one sentence for people. */
export class Refusal extends Error {}

/**
 * One line of text for a block: NFC, any white space as single spaces, no soft hyphens, control or zero-width
 * characters (a NUL would cut the text in the store), well-formed UTF-16.
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

/** "П Р И К А З" → "ПРИКАЗ": letter-spaced words. */
function joinSpaced(text: string): string {
  if (!/\p{Lu} \p{Lu} \p{Lu} \p{Lu}/u.test(text)) return text;
  return text.replace(/(?<!\p{L})(?:\p{Lu} ){4,}\p{Lu}(?!\p{L})/gu, (spaced) => spaced.replaceAll(' ', ''));
}

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Control characters except tab and line feed, soft hyphens, zero-width characters. */
const unseen = /(?![\t\n])[\p{Cc}\u00ad\u200b\u200c\u2028\u2029\u2060\ufeff]/u;

/** Removes invisible characters and normalises line ends and spaces; everything else is unchanged. */
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

/** Counts words; long strings without spaces count by their length, so that sizes stay bounded. */
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

/** Unit words that come before or after their number. */
const unitWords = (numberFirst: boolean) =>
  languages
    .filter((language) => isSo(language, 'provisions.numberFirst') === numberFirst)
    .flatMap((language) => rowsOf<UnitRow>(language, 'provisions.units'))
    .flatMap(([, forms, count]) => formsOf(forms).map((form) => (count === 'short' ? `${form}.` : form)));
const provisionWord = anyOf(...unitWords(false), '§');
const provisionBefore = new RegExp(`${provisionWord}\\s*\\d+$`, 'iu');

/** A superscript number after the number of a provision ("Статья 15¹") is written "15-1"; elsewhere it is unchanged. */
export function superscript(before: string, digits: string): string {
  // Ignore the characters that end a link or struck-out text (marks.ts).
  const text = before.replace(/[\ufdd2\ufdd4]+$/, '');
  return /^\d+$/.test(digits.trim()) && provisionBefore.test(text) ? `-${digits.trim()}` : digits;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/**
 * Matches a raised number after the word of a provision, before that word in languages with the number first, or after
 * the number of a point at the start of a line.
 */
const raisedNumber = new RegExp(
  [
    `(?<=${provisionWord}\\s*(?:№\\s*)?\\d{1,4})[${raised}]{1,2}(?![${raised}\\d])`,
    `(?<=^\\(?\\d{1,3})[${raised}]{1,2}(?=[.)]\\s)`,
    `(?<=\\d)[${raised}]{1,2}(?=\\s*-?\\s*${anyOf(...unitWords(true))})`,
  ].join('|'),
  'gimu',
);

/** Like `superscript`, for Unicode superscript digits. */
function plainSuperscripts(text: string): string {
  if (!/[¹²³⁰-⁹]/.test(text)) return text;
  return text.replace(
    raisedNumber,
    (digits) => `-${[...digits].map((digit) => raised.indexOf(digit)).join('')}`,
  );
}

/** Collects the set-off beginning of a paragraph while the pieces of the paragraph are read. */
export class LeadingRun {
  private text = '';
  private open = true;

  /** Adds the next piece of the paragraph, and whether it is set off. */
  add(piece: string, setOff: boolean): void {
    if (setOff || piece.trim() === '') {
      if (this.open) this.text += piece;
    } else this.open = false;
  }

  /** Returns `lead` for the paragraph that has just ended; empty if nothing was set off. */
  take(): { lead?: string } {
    const lead = tidyParagraph(this.text);
    this.text = '';
    this.open = true;
    return lead === '' ? {} : { lead };
  }
}

/** The text of a list item with its marker; a bullet before the item's own number is omitted. */
export function textOfBlock(block: Extract<Block, { kind: 'paragraph' | 'item' }>): string {
  return markerOf(block) + block.text;
}

/** The prefix that textOfBlock adds to the text. */
export function markerOf(block: Extract<Block, { kind: 'paragraph' | 'item' }>): string {
  return block.kind === 'paragraph' || (block.marker === '–' && readPoint(block.text) !== null)
    ? ''
    : `${block.marker} `;
}

/** The first line of a block, empty if it has no text. */
export function firstLine(block: Block): string {
  if (block.kind === 'item') return textOfBlock(block).split('\n', 1)[0]!;
  return 'text' in block && block.kind !== 'code' ? block.text.split('\n', 1)[0]! : '';
}

/** Whether a line belongs to a table of contents: a title, dots, a page. */
export function isContentsLine(line: string): boolean {
  return /[.…_]{5}\s*\d{1,4}$/.test(line);
}

/** The words of a text, for deciding about hyphens at line ends. */
export function vocabularyOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/[\p{L}-]+/gu) ?? []));
}

/** Maximum length of a word in UTF-16 units; lines may be longer. */
const wordMax = 100;

/**
 * Joins two lines of a wrapped text. A hyphen between lower-case letters at the end of the first line is removed,
 * unless the word occurs elsewhere in the text only with the hyphen.
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
