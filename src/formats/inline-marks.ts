/**
 * Marks in a text while it is being parsed. A parser puts pairs of Unicode noncharacters around struck-out or linked
 * text, and they survive joining, trimming and splitting. `withMarks` removes them from all blocks at the end.
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

/** Marks text as struck out. */
export function struck(text: string): string {
  return text.trim() === '' ? text : struckOpens + text + struckEnds;
}

/**
 * Marks text as a link. `base` is the document's own address, used to resolve relative links. The text is unchanged if
 * the address cannot be opened from outside.
 */
export function linked(text: string, address: string | null | undefined, base: string | null = null): string {
  const url = address == null || text.trim() === '' ? null : addressOf(address, base);
  return url === null || text.includes(url) ? text : `${linkOpens}${url}${addressEnds}${text}${linkEnds}`;
}

/** Removes the mark characters. */
export function unmarked(text: string): string {
  return signs.test(text) ? takeMarks(text).text : text;
}

function addressOf(address: string, base: string | null): string | null {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.startsWith('#') || trimmed.length > addressMax) return null;
  const url = URL.parse(trimmed, base ?? undefined);
  return url !== null && /^(?:https?|mailto|tel):$/.test(url.protocol) ? url.href : null;
}

/** Converts mark characters in blocks to separate marks. */
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

/**
 * A heading must be in force, so its struck-out parts are removed; an entirely struck-out heading becomes plain text.
 */
function headingOf(block: Extract<Block, { kind: 'heading' }>): Block {
  const marked = takeMarks(block.text);
  const { page, confidence } = block;
  if (isStruck(marked)) return { page, confidence, kind: 'paragraph', ...marked };
  const left = textInForce(marked.text, marked.marks).replace(/\s+/g, ' ').trim();
  return left === marked.text ? { ...block, ...marked } : { ...block, text: left };
}

/** A merged cell stays a single object. */
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

/** Separates a text from its marks. Unpaired mark characters are ignored. */
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
    // Spaces on both sides of a mark character are merged.
    else text += text === '' || /\s/.test(text.at(-1)!) ? piece.replace(/^[^\S\n]+/, '') : piece;
  }
  while (open.length > 0) close(open.at(-1)!.kind);
  text = text.trimEnd();
  const kept = marks.filter(({ start }) => start < text.length).sort((a, b) => a.start - b.start);
  return kept.length === 0 ? { text } : { text, marks: kept };
}

/** A slice of a marked text. */
export function sliceMarked({ text, marks = [] }: MarkedText, start: number, end = text.length): MarkedText {
  const kept = marks.flatMap((mark) => {
    const from = Math.max(mark.start, start) - start;
    const to = Math.min(mark.end, end) - start;
    return from < to ? [{ ...mark, start: from, end: to }] : [];
  });
  return { text: text.slice(start, end), ...(kept.length > 0 && { marks: kept }) };
}

/** Concatenates texts. A plain string has no marks. */
export function joinMarked(parts: readonly (string | MarkedText)[]): MarkedText {
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

/** Whether a text is entirely struck out. */
export function isStruck({ text, marks = [] }: MarkedText): boolean {
  let reach = 0;
  for (const { kind, start, end } of marks)
    if (kind === 'struck' && text.slice(reach, start).trim() === '') reach = Math.max(reach, end);
  return text.trim() !== '' && text.slice(reach).trim() === '';
}
