/**
 * Processes page annotations: form field values become text at their positions, and links are applied to the text under
 * them.
 */

import { getResolvedPDFJS } from 'unpdf';
import { linked } from '../formats/inline-marks.ts';
import { joined } from '../language/index.ts';
import type { Pdf, TextRun, ToSheet } from './sheet.ts';

/** Corners in page coordinates: left, bottom, right, top. */
type Rectangle = [number, number, number, number];

export interface FormField {
  rectangle: Rectangle;
  value: string;
  /** The state of a checkbox; `value` identifies it within its group. */
  ticked?: boolean;
  /** The field's name in the form, used if there is no text beside it. */
  name: string;
}

export interface Link {
  rectangles: Rectangle[];
  url: string;
}

type Annotation = Record<string, unknown>;

/** Annotation flags: invisible, hidden, not shown. */
const unseenFlags = 1 | 2 | 32;
/** Limits that protect against malicious forms and link lists. */
const annotationsMax = 20_000;
const quadsMax = 100;
const valueMax = 10_000;

export interface Annotations {
  fields: FormField[];
  links: Link[];
}

/**
 * Returns the annotations by page number. All pages are read in one call, because separate calls would extract the text
 * under the annotations again each time.
 */
export async function readAnnotations(pdf: Pdf): Promise<ReadonlyMap<number, Annotations>> {
  const { AnnotationType } = await getResolvedPDFJS();
  const types = new Set([AnnotationType.LINK, AnnotationType.WIDGET]);
  // Pages are processed even if their annotations are unreadable.
  const all: (object | null)[] = await pdf.getAnnotationsByType(types, new Set()).catch(() => []);
  const pages = new Map<number, Annotations>();
  for (const one of all.slice(0, annotationsMax) as (Annotation | null)[]) {
    const rectangle = rectangleOf(one?.rect);
    if (one === null || rectangle === null) continue;
    if (one.hidden === true || (Number(one.annotationFlags) & unseenFlags) !== 0) continue;
    const page = Number(one.pageIndex) + 1;
    const own = pages.get(page) ?? { fields: [], links: [] };
    pages.set(page, own);
    if (one.subtype === 'Link' && typeof one.url === 'string')
      own.links.push({ rectangles: quadsOf(one.quadPoints) ?? [rectangle], url: one.url });
    const field = one.subtype === 'Widget' ? fieldOf(one, rectangle) : null;
    if (field !== null) own.fields.push(field);
  }
  return pages;
}

function rectangleOf(rect: unknown): Rectangle | null {
  if (!Array.isArray(rect) || rect.length !== 4 || !rect.every(Number.isFinite)) return null;
  const [x1, y1, x2, y2] = rect as Rectangle;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** A wrapped link has one rectangle per line. */
function quadsOf(quads: unknown): Rectangle[] | null {
  if (quads === null || typeof quads !== 'object' || !('length' in quads) || Number(quads.length) < 8)
    return null;
  const flat = Array.from(quads as ArrayLike<number>).slice(0, quadsMax * 8);
  const out: Rectangle[] = [];
  for (let n = 0; n + 8 <= flat.length; n += 8) {
    const xs = [0, 2, 4, 6].map((i) => flat[n + i]!);
    const ys = [1, 3, 5, 7].map((i) => flat[n + i]!);
    out.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
  }
  return out;
}

function fieldOf(one: Annotation, rectangle: Rectangle): FormField | null {
  const name = textOf(one.alternativeText);
  const value = textOf(one.fieldValue);
  if (one.fieldType === 'Btn') {
    if (one.checkBox !== true && one.radioButton !== true) return null;
    const own = textOf(one.checkBox === true ? one.exportValue : one.buttonValue);
    return { rectangle, value: own, ticked: value !== '' && value !== 'Off' && value === own, name };
  }
  if (value === '' || one.password === true || !/^(?:Tx|Ch)$/.test(String(one.fieldType))) return null;
  return { rectangle, value: one.fieldType === 'Ch' ? chosen(one, value) : value, name };
}

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : value;
  return typeof text === 'string' ? text.slice(0, valueMax).replace(/\s+/g, ' ').trim() : '';
}

/** The selected option as displayed in the form. */
function chosen({ fieldValue, options }: Annotation, value: string): string {
  if (!Array.isArray(options)) return value;
  const shown = new Map(
    options.map((option: Annotation) => [String(option?.exportValue), String(option?.displayValue)]),
  );
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return textOf(values.map((each) => shown.get(String(each)) ?? String(each)));
}

/** A blank line to be filled in by hand. */
const blankLine = /_{3,}|\.{4,}|…{2,}/g;
/** Export values of a ticked box that have no meaning of their own. */
const plainTick = /^(?:on|off|\d*|choice\s?\d*|true|false)$/i;

/** Inserts field values as pieces on their page, after the text they belong to. */
export function fillIn(pieces: TextRun[], fields: readonly FormField[], place: ToSheet): void {
  const boxes = fields
    .map((field) => ({ ...field, box: boxOf(field.rectangle, place) }))
    .sort((a, b) => b.box.middle - a.box.middle || a.box.left - b.box.left);
  const texts = new Rows(pieces);
  /** Pieces created for fields. */
  const made = new Set<TextRun>();
  for (const { value, ticked, name, box } of boxes) {
    const inRow = texts.between(box.low, box.high);
    const after = inRow.filter(({ x }) => x > box.left).sort((a, b) => a.x - b.x)[0];
    const before = inRow.filter(({ x }) => x <= box.left).sort((a, b) => b.x - a.x)[0];
    if (ticked !== undefined) {
      const labelled = after !== undefined && after.x - box.right < after.size * 3;
      const words = !ticked || labelled || plainTick.test(value) ? '' : ` ${value}`;
      const mark = `${ticked ? '☑' : '☐'}${words}`;
      if (labelled) after.text = `${mark} ${after.text}`;
      else add(`${mark}`, before);
      continue;
    }
    if (before !== undefined && before.x + before.width > box.left && fillBlank(before, value, box.left))
      continue;
    add(before === undefined && name !== '' && !isBelowText(box) ? `${name}: ${value}` : value, before);

    function add(text: string, label: TextRun | undefined): void {
      const size = label?.size ?? Math.min(12, (box.high - box.low) * 0.7);
      const width = Math.min(box.right - box.left, text.length * size * 0.5);
      const y = label?.y ?? box.middle - size * 0.35;
      const x = Math.max(box.left, label === undefined ? 0 : label.x + label.width);
      const piece: TextRun = { text, x, y, width, size, font: label?.font ?? '', endsLine: false };
      // Adjacent fields are table cells.
      const beside = boxes.filter(
        (other) => other.ticked === undefined && Math.abs(other.box.middle - box.middle) < size * 0.5,
      );
      const alone = beside.every(
        ({ box: other }) =>
          other === box ||
          inRow.some(
            (one) =>
              !made.has(one) &&
              one.x > Math.min(other.left, box.left) &&
              one.x < Math.max(other.left, box.left),
          ),
      );
      if (label !== undefined && (alone || ticked !== undefined)) piece.joins = true;
      made.add(piece);
      texts.add(piece);
      insert(pieces, piece, label);
    }
  }

  /** Whether the field's label may be above it. */
  function isBelowText({ left, right, high }: Box): boolean {
    return texts.between(high, high + 20).some(({ x, width }) => x < right && x + width > left);
  }
}

interface Box {
  left: number;
  right: number;
  low: number;
  high: number;
  middle: number;
}

function boxOf([x1, y1, x2, y2]: Rectangle, place: ToSheet): Box {
  const [ax, ay] = place(x1, y1);
  const [bx, by] = place(x2, y2);
  const [low, high] = [Math.min(ay, by), Math.max(ay, by)];
  return { left: Math.min(ax, bx), right: Math.max(ax, bx), low, high, middle: (low + high) / 2 };
}

/** Replaces the blank line reserved for a value. Returns false if there is none. */
function fillBlank(piece: TextRun, value: string, left: number): boolean {
  const wanted = indexAt(piece, left);
  const blanks = [...piece.text.matchAll(blankLine)];
  const nearest = blanks.sort((a, b) => Math.abs(a.index - wanted) - Math.abs(b.index - wanted))[0];
  if (nearest === undefined) return false;
  const [start, end] = [nearest.index, nearest.index + nearest[0].length];
  piece.text = `${piece.text.slice(0, start)} ${value} ${piece.text.slice(end)}`;
  return true;
}

/** Inserts a piece after its label or, if it has none, after the text above it. */
function insert(pieces: TextRun[], piece: TextRun, label: TextRun | undefined): void {
  let at = label === undefined ? -1 : pieces.indexOf(label);
  if (label === undefined)
    for (const [n, { y, text }] of pieces.entries())
      if (text.trim() !== '' && y > piece.y && (at < 0 || y <= pieces[at]!.y)) at = n;
  const owner = pieces[at];
  if (owner !== undefined && label !== undefined) {
    piece.endsLine = owner.endsLine;
    owner.endsLine = false;
  } else if (owner !== undefined) {
    owner.endsLine = true;
    piece.endsLine = true;
  }
  pieces.splice(at + 1, 0, piece);
}

/** Turns the text covered by link rectangles into links. */
export function linkPieces(pieces: readonly TextRun[], links: readonly Link[], place: ToSheet): void {
  const texts = new Rows(pieces);
  /** Ranges of pieces that are already links. */
  const taken = new Map<TextRun, { start: number; end: number; url: string }[]>();
  for (const { rectangles, url } of links)
    for (const rectangle of rectangles) {
      const { left, right, low, high } = boxOf(rectangle, place);
      for (const piece of texts.between(low, high)) {
        const { text, x, width, size } = piece;
        if (x >= right || x + width <= left) continue;
        const start = left <= x + size * 0.3 ? 0 : wordStart(text, indexAt(piece, left));
        const end = right >= x + width - size * 0.3 ? text.length : wordEnd(text, indexAt(piece, right));
        const those = taken.get(piece) ?? [];
        if (end <= start || those.some((other) => start < other.end && other.start < end)) continue;
        taken.set(piece, [...those, { start, end, url }]);
      }
    }
  for (const [piece, those] of taken)
    for (const { start, end, url } of those.sort((a, b) => b.start - a.start)) {
      const { text } = piece;
      piece.text = text.slice(0, start) + linked(text.slice(start, end), url) + text.slice(end);
    }
}

/** Non-blank pieces, indexed by their vertical centre. */
class Rows {
  private static readonly height = 4;
  /** The maximum number of rows that a piece covers; anything taller is not a line of text. */
  private static readonly most = 100;
  private readonly rows = new Map<number, TextRun[]>();

  constructor(pieces: readonly TextRun[]) {
    for (const piece of pieces) if (piece.text.trim() !== '') this.add(piece);
  }

  add(piece: TextRun): void {
    const row = Math.floor(middleOf(piece) / Rows.height);
    const those = this.rows.get(row);
    if (those === undefined) this.rows.set(row, [piece]);
    else those.push(piece);
  }

  between(low: number, high: number): TextRun[] {
    const found: TextRun[] = [];
    const first = Math.floor(low / Rows.height);
    for (let row = first; row <= Math.min(high / Rows.height, first + Rows.most); row++)
      for (const piece of this.rows.get(row) ?? [])
        if (middleOf(piece) > low && middleOf(piece) < high) found.push(piece);
    return found;
  }
}

function middleOf({ y, size }: TextRun): number {
  return y + size * 0.35;
}

const wide = new RegExp(`[${joined('letters.wide').replaceAll(' ', '')}@—…]`, 'i');

/** Approximate relative width of a letter. */
function widthOf(letter: string): number {
  if (/[\s.,:;!|'’()[\]ijltfrI/\\-]/.test(letter)) return 0.3;
  if (wide.test(letter)) return 0.85;
  return /\p{Lu}/u.test(letter) ? 0.68 : 0.54;
}

/** Approximate index of the letter at x in a piece. */
export function indexAt({ text, x, width }: Pick<TextRun, 'text' | 'x' | 'width'>, at: number): number {
  const letters = [...text];
  const all = letters.reduce((sum, letter) => sum + widthOf(letter), 0);
  let passed = 0;
  let index = 0;
  for (const letter of letters) {
    const next = passed + widthOf(letter);
    if (x + (width * (passed + next)) / 2 / all >= at) break;
    passed = next;
    index += letter.length;
  }
  return index;
}

/** The nearest word start. */
function wordStart(text: string, near: number): number {
  const before = Math.max(0, text.lastIndexOf(' ', near - 1) + 1);
  const space = text.indexOf(' ', near);
  const after = space < 0 ? text.length : space + 1;
  return near - before <= after - near ? before : after;
}

/** The nearest word end. */
function wordEnd(text: string, near: number): number {
  const space = text.indexOf(' ', near);
  const after = space < 0 ? text.length : space;
  const before = text.lastIndexOf(' ', near);
  return before < 0 || after - near <= near - before ? after : before;
}
