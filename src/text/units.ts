/**
 * Splits text into units: sentences, table rows and code blocks, each with its kind and the line that introduces it.
 * An answer can then quote a list item with its introduction or a row with its column names, and skip headings and
 * questions.
 *
 * The input is in the format in which ingestion stores text (ingest/chunk.ts):
 * - blocks are separated by an empty line; list items, table rows and lines of code each take one line;
 * - a list item begins with a marker ("–", "1.", "2)", "а)"), and a nested list is indented by two spaces per level;
 *   after a line that ends in ":", lower-case lines that end in ";" are also items, and so is the line after them;
 * - table cells are separated by " | "; the first row contains the column names, if the table has any; a record
 *   repeats them: "Column: value; Column: value";
 * - a line of code begins with a tab.
 */
import type { Span } from '../domain/span.ts';
import { anyOf, phrasesOfAll } from '../language/index.ts';
import { parseDates } from './periods.ts';
import { asks, listMark, splitSentences } from './sentences.ts';

/**
 * `sentence`: a sentence in a paragraph. `item`: a sentence in a list item. `row`: a complete table row, or a record.
 * `code`: a run of adjacent code lines. `heading`: a heading, or the row of column names. `question`: a sentence that
 * ends in a question mark. `caption`: the caption of a picture or table.
 */
export type UnitKind = 'sentence' | 'item' | 'row' | 'code' | 'heading' | 'question' | 'caption';

export interface Unit extends Span {
  kind: UnitKind;
  /**
   * The context needed to understand the unit, or null if there is none:
   * - for an item, the sentence that introduces its list ("…:"), or in a nested list, the last sentence of the outer
   *   item;
   * - for a row, the row of column names, or the sentence that introduces a table without column names;
   * - for code, and for the first sentence of a paragraph, the sentence that introduces it;
   * - for a sentence after a question, that question.
   */
  head: Span | null;
  /** The paragraph, item, row or code block that contains the unit; it may be the unit itself. */
  block: Span;
  /** The list or table that contains the unit, without its head; all its units share this object. Otherwise null. */
  list: Span | null;
}

interface Line extends Span {
  /** Number of leading spaces. */
  indent: number;
  kind: 'text' | 'item' | 'row' | 'code';
  /** Whether this is the first line of its block. */
  opens: boolean;
}

interface OpenList {
  indent: number;
  /** The marker style of the items, and the number of the last item (NaN for bullets and letters). */
  style: string;
  number: number;
  head: Span | null;
  span: Span;
  /** The last sentence of the last item. */
  item: Span;
}

/** Maximum number of other blocks between two items of the same list. */
const interruptionsMax = 3;
/** Maximum number of paragraphs between an introducing line and its list. */
const remarksMax = 1;
const longestHeading = { characters: 160, words: 14 };
/** For a heading at the start of the text: titles of legal acts are long. */
const longestTitle = { characters: 400, words: 40 };
/** The style of items without markers. */
const unmarked = '';
/** Maximum length, in characters, of a block of lines that belong together. */
const longestBlock = 400;
const longestCaption = 250;
const longestCell = 60;

const introduces = /[:：][»”"')\]]*$/;
/**
 * Marks a line of an address or a signature: a lower-case letter at the start, a number as postal addresses write it
 * ("5, Mill Lane", "LS9 8AG", "050010"), or a name with initials.
 */
const blockLine = /^\p{Ll}|,.*\d|\d.*,|\p{Lu}\d|\d\p{Lu}|\d{5}|\p{Lu}\. ?\p{Lu}\. ?\p{Lu}\p{Ll}/u;
const pictures = anyOf(...phrasesOfAll('documents.caption'));
const caption = new RegExp(
  `^(?:${pictures}\\s*(?:№\\s*)?\\d+(?:[.-]\\d+)*|\\d{1,3}-${pictures})(?:\\s*[.:—–-]\\s|\\.?$)`,
  'iu',
);
const record = /^[^:;|.?!]{1,80}: [^;]+; [^:;|.?!]{1,80}: /;
const fieldOfRecord = /(?<=^|; )([^:;|.?!]{1,80}): /g;
const number = /^\(?(\d{1,3}(?:[.-]\d{1,3})*)/;

/**
 * Returns the units of the text in order. They are trimmed, do not overlap, and are separated only by white space.
 * Offsets are in UTF-16 units.
 */
export function units(text: string): Unit[] {
  return new Reader(text).read();
}

/** A value in a row and the name of its column; UTF-16 offsets into the row. */
export interface Field extends Span {
  label: string;
}

/** Returns the fields of a row: those of a record, or the cells, labelled by the row of column names (`head`). */
export function fieldsOf(row: string, head = ''): Field[] {
  if (record.test(row)) {
    const named = [...row.matchAll(fieldOfRecord)];
    return named.map(({ 0: name, 1: label = '', index }, n) => ({
      label,
      start: index + name.length,
      end: named[n + 1]?.index ?? row.length,
    }));
  }
  const labels = head.split(' | ');
  const cells = row.split(' | ');
  if (cells.length < 2 || labels.length !== cells.length) return [];
  let start = 0;
  return cells.map((cell, n) => {
    const field = { label: labels[n]!, start, end: start + cell.length };
    start = field.end + ' | '.length;
    return field;
  });
}

class Reader {
  private readonly text: string;
  private readonly lines: Line[];
  private readonly out: Unit[] = [];
  private lists: OpenList[] = [];
  private interruptions = 0;
  /** Lines before this one are known not to form a block; this ensures that a run of lines is examined only once. */
  private separateUntil = 0;
  /** A line that introduces a list that has not begun yet; a remark may separate them. */
  private waiting: { head: Span; left: number } | null = null;

  constructor(text: string) {
    this.text = text;
    this.lines = linesOf(text);
  }

  read(): Unit[] {
    for (let n = 0; n < this.lines.length; ) n = this.readBlock(n);
    this.joinIntroduced();
    return this.out;
  }

  /** Links each introducing line without a list to the next paragraph. */
  private joinIntroduced(): void {
    const heads = new Set(this.out.map(({ head }) => head?.start));
    for (const [n, unit] of this.out.entries()) {
      if (unit.kind !== 'sentence' || heads.has(unit.start) || !this.introduces(unit)) continue;
      const next = this.out[n + 1];
      if (next?.kind === 'sentence') next.head = spanOf(unit);
    }
  }

  private textOf({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  private introduces(span: Span): boolean {
    return introduces.test(this.textOf(span));
  }

  /** The last unit read, if it ends in a colon. */
  private introduced(): Span | null {
    const before = this.out.at(-1);
    return before && this.introduces(before) ? spanOf(before) : null;
  }

  /** Reads the block that begins at line `n` and returns the number of the line after it. */
  private readBlock(n: number): number {
    const { kind } = this.lines[n]!;
    // A line without a marker directly below an item belongs to that item.
    const more = kind === 'item' ? 'text' : kind;
    let end = n + 1;
    while (this.lines[end]?.kind === more && !this.lines[end]!.opens) end++;
    const block = this.lines.slice(n, end);
    const together = this.linesTogether(n, end);
    if (together > end) {
      const span = around(this.lines.slice(n, together));
      this.add('sentence', span, span);
      return together;
    }
    if (kind === 'item' || (kind === 'text' && this.isUnmarked(block))) this.readItem(block);
    else {
      if (++this.interruptions > interruptionsMax) this.lists = [];
      if (kind === 'row') this.readRows(block);
      else if (kind === 'code') this.readCode(block);
      else this.readText(block, end === this.lines.length);
    }
    return end;
  }

  /**
   * Returns the end of a block of lines that belong together, such as an approval or an address, or `end` if there is
   * no such block. Its lines are short one-line paragraphs without end punctuation. A line ends in a comma, or one after
   * the first begins with a lower-case letter, carries information of its own, or looks like part of an address or a
   * signature.
   */
  private linesTogether(n: number, end: number): number {
    const isOpen = (at: number) => {
      const line = this.lines[at];
      if (line?.kind !== 'text' || !line.opens || this.lines[at + 1]?.opens === false) return false;
      return line.end - line.start <= longestHeading.characters && !/[.;:!?…]$/.test(this.textOf(line));
    };
    if (n < this.separateUntil || !isOpen(n)) return end;
    let behind = end;
    while (isOpen(behind)) behind++;
    const lines = this.lines.slice(n, behind);
    const { start, end: last } = around(lines);
    const isBlock = lines.some((line, at) => {
      const text = this.textOf(line);
      return text.endsWith(',') || (at > 0 && (blockLine.test(text) || tells(text)));
    });
    // A longer run is a list of headings or names.
    if (isBlock && behind > n + 1 && last - start <= longestBlock) return behind;
    this.separateUntil = behind;
    return end;
  }

  private readText(block: readonly Line[], isLast: boolean): void {
    const span = around(block);
    const { text } = this;
    const whole = text.slice(span.start, span.end);
    const alone = block.length === 1;
    if (alone && whole.length <= longestCaption && caption.test(whole)) this.add('caption', span, span);
    else if (alone && !isLast && isHeading(whole, this.out.length === 0)) {
      this.lists = [];
      this.waiting = null;
      this.add('heading', span, span);
    } else if (alone && record.test(whole)) this.readRecord(span);
    else {
      const sentences = this.sentences(span);
      for (const one of sentences) this.add(this.isQuestion(one) ? 'question' : 'sentence', one, span);
      const end = sentences.at(-1);
      if (end && this.introduces(end)) this.waiting = { head: spanOf(end), left: remarksMax };
      else if (this.waiting && --this.waiting.left < 0) this.waiting = null;
    }
  }

  /** Whether a paragraph is an item without a marker. */
  private isUnmarked(block: readonly Line[]): boolean {
    const { start, end } = around(block);
    const before = this.out.at(-1);
    if (before === undefined || !/\p{Ll}/u.test(this.text[start]!)) return false;
    const last = this.text.slice(before.start, before.end);
    return before.list !== null && this.lists.at(-1)?.style === unmarked
      ? last.endsWith(';')
      : introduces.test(last) && this.text[end - 1] === ';';
  }

  private readItem(block: readonly Line[]): void {
    const span = around(block);
    const list = this.listOf(block[0]!);
    const sentences = this.sentences(span);
    for (const one of sentences)
      this.out.push({
        ...one,
        kind: this.isQuestion(one) ? 'question' : 'item',
        head: list.head,
        block: span,
        list: list.span,
      });
    list.span.end = span.end;
    list.item = sentences.at(-1) ?? span;
    this.interruptions = 0;
  }

  /** Returns the list to which an item belongs: an open list or a new one. */
  private listOf(line: Line): OpenList {
    const mark = this.text.slice(line.start, line.end);
    const digits = line.kind === 'item' ? number.exec(mark)?.[1] : undefined;
    const parts = (digits ?? '').split(/[.-]/);
    const style =
      line.kind !== 'item'
        ? unmarked
        : digits
          ? mark
              .replace(digits, parts.map(() => '1').join('.'))
              .slice(0, parts.length * 2 + 1)
              .trim()
          : /^\(?\p{L}/u.test(mark)
            ? 'a'
            : mark.slice(0, 1);
    const value = digits === undefined ? Number.NaN : Number(parts.at(-1));
    const before = this.out.at(-1);
    const waiting = this.waiting?.head ?? null;
    this.waiting = null;
    const introducing = this.introduced();
    const introduced = introducing !== null;
    const continues = (list: OpenList) =>
      list.indent === line.indent &&
      list.style === style &&
      (digits === undefined ? !introduced || before!.list === list.span : value > list.number);
    const next = this.lists.findLastIndex((list) => continues(list) && value === list.number + 1);
    const at = next >= 0 ? next : this.lists.findLastIndex(continues);
    if (at >= 0) {
      this.lists.length = at + 1;
      const list = this.lists[at]!;
      list.number = value;
      return list;
    }
    // If numbering restarts directly below an item, this may be a nested list without indentation.
    const inner = (outer: OpenList) =>
      outer.indent < line.indent ||
      (before?.list === outer.span && (introduced ? outer.style !== style : value === 1));
    while (this.lists.length > 0 && !inner(this.lists.at(-1)!)) this.lists.pop();
    const outer = this.lists.at(-1);
    const head = introducing
      ? introducing
      : outer && outer.indent < line.indent
        ? outer.item
        : outer
          ? null
          : waiting;
    const made: OpenList = {
      indent: line.indent,
      style,
      number: value,
      head,
      span: { start: line.start, end: line.end },
      item: line,
    };
    this.lists.push(made);
    return made;
  }

  private readRows(block: readonly Line[]): void {
    const list = around(block);
    const [first] = block;
    const named = block.length > 1 && isHeader(this.text.slice(first!.start, first!.end));
    const head = named ? spanOf(first!) : this.introduced();
    for (const line of block) {
      const isHead = named && line === first;
      const span = spanOf(line);
      this.out.push({
        ...span,
        kind: isHead ? 'heading' : 'row',
        head: isHead ? null : head,
        block: span,
        list,
      });
    }
  }

  /** Records that follow one another are the rows of one table. */
  private readRecord(span: Span): void {
    const before = this.out.at(-1);
    const follows = before !== undefined && record.test(this.text.slice(before.start, before.end));
    const list = (follows && before.list) || spanOf(span);
    list.end = span.end;
    this.out.push({ ...span, kind: 'row', head: null, block: span, list });
  }

  private readCode(block: readonly Line[]): void {
    const span = around(block);
    this.out.push({ ...span, kind: 'code', head: this.introduced(), block: span, list: null });
  }

  private add(kind: UnitKind, span: Span, block: Span): void {
    const before = this.out.at(-1);
    const head = kind === 'sentence' && before?.kind === 'question' ? spanOf(before) : null;
    this.out.push({ ...spanOf(span), kind, head, block, list: null });
  }

  private sentences({ start, end }: Span): Span[] {
    return splitSentences(this.text.slice(start, end)).map((one) => ({
      start: one.start + start,
      end: one.end + start,
    }));
  }

  private isQuestion({ start, end }: Span): boolean {
    return asks(this.text.slice(start, end));
  }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });
const around = (lines: readonly Line[]): Span => ({ start: lines[0]!.start, end: lines.at(-1)!.end });

function linesOf(text: string): Line[] {
  const out: Line[] = [];
  let opens = true;
  for (const found of text.matchAll(/[^\n]+/g)) {
    const at = found.index;
    const [line] = found;
    // True after an empty line.
    opens ||= at > 0 && text[at - 2] === '\n';
    const own = line.trim();
    if (own === '') {
      opens ||= !line.startsWith('\t');
      continue;
    }
    const indent = line.length - line.trimStart().length;
    const start = at + indent;
    listMark.lastIndex = start;
    const marked = listMark.test(text) && !/^\S+ \| /.test(own);
    const kind = line.startsWith('\t') ? 'code' : marked ? 'item' : own.includes(' | ') ? 'row' : 'text';
    out.push({ start, end: start + own.length, indent, kind, opens });
    opens = false;
  }
  return out;
}

/**
 * Whether a line contains a date, an e-mail address, a URL, a long number or an amount of money, and therefore carries
 * information of its own ("Adopted on 14.08.2018").
 */
const tells = (line: string): boolean =>
  /@|:\/\//.test(line) ||
  (/\d/.test(line) &&
    (/(?:\d[\s()-]*){9}|[$€£₽₸¥]\s?\d|\d\s?[$€£₽₸¥]/u.test(line) ||
      parseDates(line).some(({ date }) => date.length === 'YYYY-MM-DD'.length)));

/**
 * Whether a line is a heading: short, without end punctuation and without a colon or dash inside. `first`: whether it
 * is the first line of the text.
 */
function isHeading(text: string, first: boolean): boolean {
  const { characters, words } = first ? longestTitle : longestHeading;
  // Old books end headings in capitals with a full stop: "WAR SONGS."
  const line = /\p{Ll}/u.test(text) ? text : text.replace(/\.$/, '');
  return (
    line.length <= characters &&
    line.split(/\s+/).length <= words &&
    /^[^\p{L}\d\s]{0,2}[\p{Lu}\d]/u.test(line) &&
    /\p{L}/u.test(line) &&
    !/[.;:,!?…]$|:\s|\s[—–]\s/u.test(line) &&
    !tells(line)
  );
}

/** Whether a row consists of column names, which are short and contain no sentences or values. */
function isHeader(row: string): boolean {
  return row
    .split(' | ')
    .every(
      (cell) =>
        cell.length <= longestCell &&
        !/[.;!?]$/.test(cell) &&
        (cell === '' || /\p{L}/u.test(cell)) &&
        !tells(cell),
    );
}
