/**
 * Converts blocks to sections: the heading tree flattened in reading order, with numbered provisions recognised.
 *
 * - A heading opens a section whose path consists of the enclosing headings.
 * - "Статья 5. …" (in a heading, a list label or a paragraph) opens article 5, and everything below it has that number.
 * - Outside articles, a multi-part number ("1.2.") in sequence opens a point, and "1. Title" before "1.1" is a heading.
 *   After such points, the next plain number ("9." after "8.15.") ends them and also opens a point.
 * - Chapters, sections and the like are headings. In a text without articles they are numbered provisions too. A § with
 *   its own text is a provision even next to articles; a § that only contains articles is a heading.
 * - A heading that ends in "?" and has text below it becomes a question–answer pair.
 * - Lines of code begin with a tab, which identifies them as code (text/units.ts).
 */

import type { Mark } from '../domain/events.ts';
import {
  type Block,
  countWords,
  firstLine,
  type MarkedText,
  markerOf,
  type Table,
} from '../formats/blocks.ts';
import { isStruck, joinMarked, sliceMarked } from '../formats/inline-marks.ts';
import {
  follows,
  isTitleLike,
  type PointMark,
  type ProvisionTitle,
  readPoint,
  readProvision,
} from '../formats/provisions.ts';
import { asCells, asLine, asRecord, isGroup, pairColumns, readTable } from '../formats/tables.ts';
import { asks } from '../text/sentences.ts';
import { bareQuestion } from './leaflets.ts';

/** A piece of text that is divided only if it is too long to fit into a chunk. */
export interface Atom {
  kind: 'paragraph' | 'item' | 'code' | 'rows';
  text: string;
  words: number;
  /** The number at the start of a paragraph, if it has one. */
  point: PointMark | null;
  /** Number of lists that enclose an item; 0 for the outermost list and for other kinds of block. */
  depth: number;
  /** Offsets into the text. */
  marks: readonly Mark[];
  page: number | null;
  confidence: number | null;
}

export interface Section {
  /** The heading's line in the text; null if the section has none. */
  line: string | null;
  lineMarks: readonly Mark[];
  linePage: number | null;
  /** Whether the line is part of the chunk (titles of numbered provisions) or precedes it. */
  lineInside: boolean;
  heading: string;
  path: string[];
  number: string | null;
  unit: string | null;
  question: string | null;
  atoms: Atom[];
}

/** The level of an open heading: the format's level and the rank of its number. Either may be unknown. */
interface Open {
  native: number | null;
  rank: number | null;
  text: string;
}

const ranks: Record<string, number> = {
  annex: 10,
  part: 11,
  section: 12,
  chapter: 13,
  paragraph: 14,
  article: 15,
};
/** Ranks of numbered headings without a unit word: "1. Title" has rank 21, "1.1. Title" 22. */
const decimalRank = 20;
/** A heading with more words than this is really a paragraph. */
const longHeading = 40;
/** Number of words in a group of rows under one repeated header, approximately as many as fit into a chunk. */
const rowWords = 200;

export function findSections(blocks: readonly Block[], documentTitle: string): Section[] {
  return new SectionFinder(blocks, documentTitle).find();
}

class SectionFinder {
  private readonly blocks: readonly Block[];
  private readonly documentTitle: string;
  private readonly sections: Section[] = [];
  private readonly open: Open[] = [];
  private current: Section;
  /** The number of the open article. */
  private article: string | null = null;
  /** The numbers of the open points. The one with n parts is at index n - 1. */
  private decimals: number[][] = [];
  /** Saved state for when a heading interrupts the numbering. */
  private lastDecimals: number[][] = [];
  /**
   * The plain number that the most recently opened points belong to; null if the format's headings contain the numbers.
   */
  private plain: number[] | null = null;
  private readonly hasArticles: boolean;
  /** Page and confidence of the current block. */
  private place: Pick<Atom, 'page' | 'confidence'> = { page: null, confidence: null };
  /** Depths of the open lists, innermost last. */
  private depths: number[] = [];

  constructor(blocks: readonly Block[], documentTitle: string) {
    this.blocks = blocks;
    this.documentTitle = documentTitle;
    this.hasArticles = blocks.some((block) => readProvision(firstLine(block))?.unit === 'article');
    this.current = this.start({ line: null, lineInside: false, number: null, unit: null });
  }

  find(): Section[] {
    for (const [n, block] of this.blocks.entries()) {
      this.place = { page: block.page ?? this.place.page, confidence: block.confidence ?? null };
      if (block.kind === 'heading') this.readHeading(block, block.level, n);
      else if (block.kind === 'end') this.close(block.level);
      else if (block.kind === 'pair') this.readPair(block.question, block.answer);
      else if (block.kind === 'table') this.readTable(block);
      else if (block.kind === 'code') this.readCode(block.text);
      else if (block.kind === 'note') this.readNote(block);
      else this.readText(block, n);
    }
    return joinBareHeadings(this.sections);
  }

  /** Opens a section with the open headings and those `below` them as its path. */
  private start(
    section: Pick<Section, 'line' | 'lineInside' | 'number' | 'unit'> & {
      question?: string;
      lineMarks?: readonly Mark[];
    },
    below: readonly string[] = [],
  ): Section {
    const open = this.open.map(({ text }) => text).filter((text, n) => n > 0 || !this.isTitle(text));
    const path = [...open, ...below];
    const made: Section = {
      question: null,
      lineMarks: [],
      linePage: this.place.page,
      ...section,
      heading: path[path.length - 1] ?? '',
      path,
      atoms: [],
    };
    this.sections.push(made);
    this.current = made;
    this.depths = [];
    return made;
  }

  /** Whether a heading is the document's title, which may be longer (title.ts). */
  private isTitle(heading: string): boolean {
    return this.documentTitle === heading || this.documentTitle.startsWith(`${heading} (`);
  }

  private enter(heading: Open): void {
    while (this.open.length > 0 && !contains(this.open[this.open.length - 1]!, heading)) this.open.pop();
    this.open.push(heading);
  }

  private readHeading(heading: MarkedText, level: number, n: number): void {
    const { text, marks = [] } = heading;
    if (countWords(text) > longHeading) {
      this.readText({ kind: 'paragraph', text, marks: [...marks] }, n);
      return;
    }
    const provision = readProvision(text);
    if (provision) {
      this.readProvision(provision, heading, level, this.gathers(n));
      return;
    }
    const mark = readPoint(text);
    const numbered = mark && (mark.style === 'parts' || mark.style === '.') && !asks(text) ? mark : null;
    this.enter({ native: level, rank: numbered ? decimalRank + numbered.parts.length : null, text });
    if (
      this.article !== null &&
      !this.open.some((open) => open.rank === ranks.article || open.rank === ranks.paragraph)
    )
      this.article = null;
    if (this.article !== null) {
      const number = this.article;
      this.start({ line: text, lineMarks: marks, lineInside: false, number, unit: 'article' });
      return;
    }
    this.decimals = prefixes(numbered?.parts ?? []);
    if (numbered) {
      this.lastDecimals = this.decimals;
      this.plain = null;
    }
    const question = asks(text) ? { question: bareQuestion(text) } : {};
    this.start({
      line: text,
      lineMarks: marks,
      lineInside: numbered !== null,
      number: numbered?.number ?? null,
      unit: numbered ? 'section' : null,
      ...question,
    });
  }

  /** Whether the next block is an article, in which case a heading here has no text. */
  private gathers(n: number): boolean {
    const next = this.blocks[n + 1];
    return next !== undefined && readProvision(firstLine(next))?.unit === 'article';
  }

  /** `native` is the level in the format; null for a paragraph. `gathers`: an article follows immediately. */
  private readProvision(
    provision: ProvisionTitle,
    marked: MarkedText,
    native: number | null,
    gathers: boolean,
  ): void {
    const line = marked.text;
    const article = provision.unit === 'article';
    const own = article || (provision.unit === 'paragraph' && !(this.hasArticles && gathers));
    // "Статья 1. Внести в закон …;" has text instead of a title.
    const titled = native !== null || provision.rest === '' || isTitleLike(provision.rest);
    const heading = titled ? line : line.slice(0, line.length - provision.rest.length).trim();
    const open = { native, rank: ranks[provision.unit] ?? 12, text: heading };
    this.enter(open);
    // A § with its own text contains no articles, so it has the same rank as one.
    if (own && this.hasArticles) open.rank = ranks.article!;
    this.decimals = [];
    this.article = own ? provision.number : null;
    const counted = own || !this.hasArticles;
    this.start({
      line: titled ? line : null,
      lineMarks: titled ? (marked.marks ?? []) : [],
      lineInside: counted,
      number: counted ? provision.number : null,
      unit: counted ? provision.unit : null,
    });
    if (!titled) this.add('paragraph', marked);
  }

  /** Adds to the open section. */
  private add(kind: Atom['kind'], text: MarkedText, more: Partial<Atom> = {}): void {
    this.current.atoms.push({ ...atom(kind, text), ...this.place, ...more });
  }

  private readText(block: Extract<Block, { kind: 'paragraph' | 'item' }>, n: number): void {
    const whole = joinMarked([markerOf(block), block]);
    const { text } = whole;
    const [first, ...more] = text.split('\n');
    // Struck-out text does not open a section.
    const provision = isStruck(whole) ? null : readProvision(first!);
    if (
      provision &&
      (provision.unit === 'article' ||
        provision.rest === '' ||
        isTitleLike(provision.rest) ||
        block.kind === 'item')
    ) {
      const sameLine = more.length > 0;
      this.readProvision(provision, sliceMarked(whole, 0, first!.length), null, !sameLine && this.gathers(n));
      if (sameLine) this.add('paragraph', sliceMarked(whole, first!.length + 1));
      return;
    }
    const point = isStruck(whole) ? null : readPoint(text);
    if (point && this.article === null && this.opensDecimal(point, block, whole, n)) return;
    this.add(block.kind, whole, {
      point,
      depth: block.depth === undefined ? 0 : this.enterList(block.depth),
    });
  }

  /** The number of open lists around an item, regardless of how the format counts their levels. */
  private enterList(depth: number): number {
    while (this.depths.length > 0 && this.depths.at(-1)! > depth) this.depths.pop();
    if (this.depths.at(-1) !== depth) this.depths.push(depth);
    return this.depths.length - 1;
  }

  /** Opens a section for a multi-part number outside articles, or a heading for "1. Title" before "1.1". */
  private opensDecimal(
    point: PointMark,
    block: Extract<Block, { kind: 'paragraph' | 'item' }>,
    marked: MarkedText,
    n: number,
  ): boolean {
    const { text } = marked;
    const rest = text.slice(point.marker.length).trim();
    const { parts, style } = point;
    if (style === '.') {
      const holds =
        parts.length === 1 &&
        this.blocks.slice(n + 1, n + 4).some((other) => firstLine(other).startsWith(`${point.number}.1`));
      if (!/^\p{Lu}/u.test(rest) || !(holds || this.endsDecimals(parts))) return false;
      this.openDecimal(point, block.kind, marked, holds && isTitleLike(rest));
      return true;
    }
    // "1.5 metres" may also begin a line, whereas "1.5. the measures;" is a point.
    const sure = block.kind === 'item' || point.marker.endsWith('.');
    const begins = sure ? /^[\p{L}«"„(]/u : /^[\p{Lu}«"„(]/u;
    if (style !== 'parts' || !begins.test(rest) || !this.countsUp(parts)) return false;
    this.openDecimal(point, block.kind, marked, isTitleLike(rest) && rest.split(/\s+/).length <= 10);
    return true;
  }

  /** Whether a multi-part number continues the previous ones or is the first. */
  private countsUp(parts: readonly number[]): boolean {
    const depth = parts.length;
    const parents = parts.slice(0, -1);
    const goesOn = [this.decimals, this.lastDecimals].some((numbers) => {
      const before = numbers[depth - 1];
      return before !== undefined && follows(before, parts) && isSame(before.slice(0, -1), parents);
    });
    if (goesOn) return true;
    if (parts[depth - 1] !== 1) return false;
    const parent = this.decimals[depth - 2];
    return parent === undefined || isSame(parent, parents) || follows(parent, parents);
  }

  /**
   * Whether a plain number follows the first part of the current multi-part points and does not belong to a list inside
   * them.
   */
  private endsDecimals(parts: readonly number[]): boolean {
    if (this.plain === null || !follows(this.plain, parts)) return false;
    const { atoms, unit, line } = this.current;
    // Numbers in the text of the point. Quoted lists in amendments ('"1. …') count too.
    const listed = atoms.slice(unit === 'point' && line === null ? 1 : 0).flatMap(({ text }) => {
      const mark = readPoint(text.replace(/^["«„“]/, ''));
      return mark?.style === '.' ? [mark.parts] : [];
    });
    const last = listed[listed.length - 1];
    return last === undefined || !follows(last, parts);
  }

  /**
   * Opens a section for a numbered paragraph. A paragraph that is only a title becomes a heading for those below it.
   */
  private openDecimal(
    point: PointMark,
    kind: 'paragraph' | 'item',
    marked: MarkedText,
    title: boolean,
  ): void {
    const { text, marks = [] } = marked;
    const rank = decimalRank + point.parts.length;
    this.decimals = prefixes(point.parts);
    this.lastDecimals = this.decimals;
    this.plain = point.parts.slice(0, 1);
    while (this.open.length > 0 && (this.open[this.open.length - 1]!.rank ?? 0) >= rank) this.open.pop();
    if (title) this.open.push({ native: null, rank, text });
    const line = title ? text : null;
    const lineMarks = title ? marks : [];
    this.start({ line, lineMarks, lineInside: true, number: point.number, unit: 'point' });
    if (!title) this.add(kind, marked);
  }

  private readPair(question: string, answer: readonly Block[]): void {
    this.start({ line: question, lineInside: false, number: null, unit: null, question }, [question]);
    for (const block of answer) {
      if (block.kind === 'table') this.readTable(block);
      else if (block.kind === 'code') this.readCode(block.text);
      else if (block.kind === 'note') this.readNote(block);
      else if (block.kind === 'item')
        this.add('item', joinMarked([markerOf(block), block]), { depth: this.enterList(block.depth) });
      else if ('text' in block) this.add('paragraph', block);
    }
    this.start({ line: null, lineInside: false, number: null, unit: null });
  }

  private readCode(text: string): void {
    this.add('code', { text: text.replace(/^/gm, '\t') });
  }

  /** A note follows the paragraph that refers to it. */
  private readNote({ mark, text, marks = [] }: MarkedText & { mark: string }): void {
    this.add('paragraph', joinMarked([`[${mark}] `, { text, marks }]));
  }

  private readTable(table: Table): void {
    const { above, names, rows } = readTable(table);
    if (table.caption) this.add('paragraph', { text: table.caption });
    for (const line of above) this.add('paragraph', line);
    const pairs = pairColumns(names);
    if (names && table.records) {
      for (const row of rows) {
        const [question, answer] = pairs ? [row[pairs.question]!, row[pairs.answer]!] : [];
        if (question?.text && answer?.text && !isStruck(question))
          this.readPair(question.text, [{ kind: 'paragraph', ...answer }]);
        else this.add('paragraph', isGroup(row) && row[0]!.text !== '' ? asLine(row) : asRecord(names, row));
      }
    } else this.readRows(names, rows);
  }

  /** Groups rows into atoms of up to about 200 words, each starting with the column names. */
  private readRows(names: readonly string[] | null, rows: readonly MarkedText[][]): void {
    const header = names ? asCells(names.map((text) => ({ text }))) : null;
    const heads = header && countWords(header.text) <= rowWords / 4 ? header : null;
    let lines: MarkedText[] = header ? [header] : [];
    let words = lines.reduce((sum, { text }) => sum + countWords(text), 0);
    const flush = (): void => {
      if (lines.length > 0)
        this.add('rows', joinMarked(lines.flatMap((line, n) => (n === 0 ? [line] : ['\n', line]))));
      lines = [];
      words = 0;
    };
    for (const row of rows) {
      const line = isGroup(row) ? asLine(row) : asCells(row);
      const own = countWords(line.text);
      if (lines.length > 0 && words + own > rowWords) flush();
      if (isGroup(row)) {
        // A line across the table precedes its rows, which repeat the column names.
        flush();
        this.add('paragraph', line);
        continue;
      }
      if (lines.length === 0 && heads) {
        lines.push(heads);
        words += countWords(heads.text);
      }
      lines.push(line);
      words += own;
    }
    flush();
  }

  /** Closes sections at this heading level or deeper; the following blocks belong to the enclosing section. */
  private close(level: number): void {
    if (!this.open.some((open) => (open.native ?? 0) >= level)) return;
    while (this.open.some((open) => (open.native ?? 0) >= level)) this.open.pop();
    this.article = null;
    this.start({ line: null, lineInside: false, number: null, unit: null });
  }
}

/** Whether a heading is inside another one. Provisions are compared by rank, headings by the format's level. */
function contains(outer: Open, inner: Open): boolean {
  const decimal = (outer.rank ?? 0) > decimalRank && (inner.rank ?? 0) > decimalRank;
  if (
    outer.rank !== null &&
    inner.rank !== null &&
    !(decimal && outer.native !== null && inner.native !== null)
  )
    return outer.rank < inner.rank;
  if (outer.native !== null && inner.native !== null) return outer.native < inner.native;
  return outer.native !== null;
}

/** A number and its parents, outermost first. */
function prefixes(parts: readonly number[]): number[][] {
  return parts.map((_, i) => parts.slice(0, i + 1));
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

function atom(kind: Atom['kind'], { text, marks = [] }: MarkedText): Atom {
  const words = countWords(text);
  return { kind, text, words, point: null, depth: 0, marks, page: null, confidence: null };
}

/**
 * Headings without text below them (title pages, slides with only a title) would not be searchable, so a run of such
 * headings becomes a text section. A heading that only contains deeper ones remains a plain line.
 */
function joinBareHeadings(sections: readonly Section[]): Section[] {
  const out: Section[] = [];
  let joined: Section | null = null;
  for (const [n, section] of sections.entries()) {
    const next = sections[n + 1];
    if (section.atoms.length === 0 && section.line === null) continue;
    const bare = section.atoms.length === 0 && section.line !== null;
    const below = next?.number?.startsWith(`${section.number}.`)
      ? next.path.length + 1
      : (next?.path.length ?? 0);
    // A point without a title has the path of its enclosing heading.
    const deeper = below > section.path.length || (next?.line === null && next.unit === 'point');
    const holds = deeper && section.path.every((text, i) => next?.path[i] === text);
    if (!bare || holds || section.number !== null) {
      // A numbered heading that contains others is already in their paths. As a separate chunk it would match without
      // containing an answer.
      out.push(bare && holds ? { ...section, lineInside: false } : section);
      joined = null;
      continue;
    }
    if (joined === null) {
      joined = {
        ...section,
        line: null,
        lineMarks: [],
        lineInside: false,
        question: null,
        path: section.path.slice(0, -1),
        heading: section.path[section.path.length - 2] ?? '',
        atoms: [],
      };
      out.push(joined);
    }
    const { line, lineMarks: marks, linePage: page } = section;
    joined.atoms.push({ ...atom('paragraph', { text: line!, marks: [...marks] }), page });
  }
  return out;
}
