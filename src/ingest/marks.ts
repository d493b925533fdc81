/**
 * Marks of a text on their way through a reader. A reader puts pairs of noncharacters of Unicode around what is struck
 * out or linked; they pass through everything that joins, trims and cuts its text. `withMarks` takes them out again, for
 * all blocks at once.
 */
import type { Mark } from '../domain/events.ts';
import { textInForce } from '../domain/marks.ts';
import type { Block, MarkedText } from './blocks.ts';

const linkOpens = '\uFDD0';
const addressEnds = '\uFDD1';
const linkEnds = '\uFDD2';
const struckOpens = '\uFDD3';
const struckEnds = '\uFDD4';
const signs = /[\uFDD0-\uFDD4]/;
const addressMax = 2000;

/** A text as struck out. */
export function struck(text: string): string {
  return text.trim() === '' ? text : struckOpens + text + struckEnds;
}

/**
 * A text that leads to an address. `base`: the document's own address, which relative ones start from. The text as it is
 * where the address is none that people can open from elsewhere.
 */
export function linked(text: string, address: string | undefined, base: string | null = null): string {
  const url = address === undefined || text.trim() === '' ? null : addressOf(address, base);
  return url === null || text.includes(url) ? text : `${linkOpens}${url}${addressEnds}${text}${linkEnds}`;
}

/** The text without marks. */
export function unmarked(text: string): string {
  return signs.test(text) ? takeMarks(text).text : text;
}

function addressOf(address: string, base: string | null): string | null {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.startsWith('#') || trimmed.length > addressMax) return null;
  const url = URL.parse(trimmed, base ?? undefined);
  return url !== null && /^(?:https?|mailto|tel):$/.test(url.protocol) ? url.href : null;
}

/** Blocks whose texts are free of signs and have their marks beside them. */
export function withMarks(blocks: readonly Block[]): Block[] {
  return blocks.map((block): Block => {
    switch (block.kind) {
      case 'pair':
        return { ...block, question: unmarked(block.question), answer: withMarks(block.answer) };
      case 'table':
        return { ...block, rows: markCells(block.rows) };
      case 'heading':
        return signs.test(block.text) ? headingOf(block) : block;
      case 'note':
        return signs.test(block.text) ? { ...block, ...takeMarks(block.text) } : block;
      case 'paragraph':
      case 'item':
        if (!signs.test(block.text)) return block;
        return {
          ...block,
          ...takeMarks(block.text),
          ...(block.lead !== undefined && { lead: takeMarks(block.lead).text }),
        };
      default:
        return 'text' in block && signs.test(block.text) ? { ...block, text: unmarked(block.text) } : block;
    }
  });
}

/** A heading names what is in force: what is struck out of it goes, and one that is struck out whole heads nothing. */
function headingOf(block: Extract<Block, { kind: 'heading' }>): Block {
  const marked = takeMarks(block.text);
  const { page, confidence } = block;
  const place = { ...(page !== undefined && { page }), ...(confidence !== undefined && { confidence }) };
  if (isStruck(marked)) return { ...place, kind: 'paragraph', ...marked };
  const left = textInForce(marked.text, marked.marks).replace(/\s+/g, ' ').trim();
  return left === marked.text ? { ...block, ...marked } : { ...block, text: left };
}

/** A merged cell stays one object. */
function markCells(rows: readonly MarkedText[][]): MarkedText[][] {
  const made = new Map<MarkedText, MarkedText>();
  const marked = (cell: MarkedText): MarkedText => {
    if (!signs.test(cell.text)) return cell;
    const known = made.get(cell) ?? takeMarks(cell.text);
    made.set(cell, known);
    return known;
  };
  return rows.map((row) => row.map(marked));
}

type Open = { kind: 'link'; url: string; start: number } | { kind: 'struck'; start: number };

/** A text and its marks; signs without their partner say nothing. */
function takeMarks(source: string): MarkedText {
  let text = '';
  const marks: Mark[] = [];
  const open: Open[] = [];
  const close = (kind: Open['kind']) => {
    const at = open.findLastIndex((one) => one.kind === kind);
    const [one] = at < 0 ? [] : open.splice(at, 1);
    if (!one) return;
    const end = text.trimEnd().length;
    if (end <= one.start) return;
    const before = marks.at(-1);
    const isSame =
      before !== undefined &&
      text.slice(before.end, one.start).trim() === '' &&
      before.kind === one.kind &&
      (before.kind !== 'link' || (one.kind === 'link' && before.url === one.url));
    if (isSame) before.end = end;
    else marks.push({ ...one, end });
  };
  for (const piece of source.split(/(\uFDD0[^\uFDD0-\uFDD4]*\uFDD1|[\uFDD0-\uFDD4])/)) {
    const sign = piece[0];
    if (sign === linkOpens && piece.endsWith(addressEnds)) {
      const url = addressOf(piece.slice(1, -1), null);
      if (url !== null) open.push({ kind: 'link', url, start: text.length });
    } else if (sign === linkEnds) close('link');
    else if (sign === struckOpens) open.push({ kind: 'struck', start: text.length });
    else if (sign === struckEnds) close('struck');
    else if (sign === undefined || signs.test(sign)) continue;
    // A blank on both sides of a sign is one blank.
    else text += text === '' || /\s/.test(text.at(-1)!) ? piece.replace(/^[^\S\n]+/, '') : piece;
  }
  while (open.length > 0) close(open.at(-1)!.kind);
  text = text.trimEnd();
  const kept = marks.filter(({ start }) => start < text.length).sort((a, b) => a.start - b.start);
  return kept.length === 0 ? { text } : { text, marks: kept };
}

/** A stretch of a marked text. */
export function sliceMarked({ text, marks = [] }: MarkedText, start: number, end = text.length): MarkedText {
  const kept = marks.flatMap((mark) => {
    const from = Math.max(mark.start, start) - start;
    const to = Math.min(mark.end, end) - start;
    return from < to ? [{ ...mark, start: from, end: to }] : [];
  });
  return { text: text.slice(start, end), ...(kept.length > 0 && { marks: kept }) };
}

/** Texts one behind the other; a plain string has no marks. */
export function joinMarked(parts: readonly (string | MarkedText)[]): MarkedText {
  if (parts.every((part) => typeof part === 'string' || part.marks === undefined))
    return { text: parts.map((part) => (typeof part === 'string' ? part : part.text)).join('') };
  let text = '';
  const marks: Mark[] = [];
  for (const part of parts) {
    const { text: more, marks: own = [] } = typeof part === 'string' ? { text: part } : part;
    for (const mark of own)
      marks.push({ ...mark, start: mark.start + text.length, end: mark.end + text.length });
    text += more;
  }
  return marks.length === 0 ? { text } : { text, marks };
}

/** Whether all of a text is struck out. */
export function isStruck({ text, marks = [] }: MarkedText): boolean {
  let reach = 0;
  for (const { kind, start, end } of marks)
    if (kind === 'struck' && text.slice(reach, start).trim() === '') reach = Math.max(reach, end);
  return text.trim() !== '' && text.slice(reach).trim() === '';
}
