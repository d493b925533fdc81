/**
 * Finds points in the text of an article: lines that begin with a list number or letter ("2.", "2)", "(2)", "а)", or
 * "5.2." in article 5). The passages of an article are searched together, because a list may continue in the next one.
 */

import { alphabet, classOf } from '../../../language/index.ts';
import type { Found, Provision } from '../../../reading/passages.ts';
import { lookAlikes } from '../../../text/look-alikes.ts';
import type { Numbered } from '../../../text/references/parse.ts';

interface Mark {
  style: string;
  number: string;
  /** The index of the passage (`part`), and the UTF-16 offset in its text (`start`). */
  part: number;
  start: number;
}

interface TextPosition {
  part: number;
  at: number;
}

const letter = classOf(alphabet);
const lineMark = new RegExp(
  `(?:^|\\n)[ \\t]*(?:(\\(?)(\\d{1,3}(?:-\\d{1,2}|${letter})?|${letter})([.)])|(\\d{1,3}(?:\\.\\d{1,3})+)[.)]?)(?=\\s)`,
  'gu',
);

/** Replaces letters that look alike in two scripts by one of them. */
const same = (number: string) => number.replace(/[a-z]/g, (letter) => lookAlikes[letter] ?? letter);
const isNumber = (number: string) => /^\d/.test(number);

function marksOf(parts: readonly Found[], article: string): Mark[] {
  return parts.flatMap(({ text }, part) => {
    const out: Mark[] = [];
    for (const found of text.matchAll(lineMark)) {
      const [all, open, number, close, decimal] = found;
      const start = found.index + all.search(/\S/u);
      if (number !== undefined)
        out.push({ style: `${open}${isNumber(number) ? '1' : 'a'}${close}`, number, part, start });
      else if (decimal!.startsWith(`${article}.`)) {
        const own = decimal!.slice(article.length + 1);
        out.push({ style: `1${'.1'.repeat(own.split('.').length)}`, number: own, part, start });
      }
    }
    return out;
  });
}

/** The lines of an article, without its title line: its indents, or its parts if it has no list numbers. */
function linesOf(parts: readonly Found[], from: TextPosition, to: TextPosition, titled: boolean): Mark[] {
  const out: Mark[] = [];
  for (let part = from.part; part <= to.part; part++) {
    const { text } = parts[part]!;
    const first = titled && part === 0 ? text.indexOf('\n') : -1;
    for (const found of text.matchAll(/(?:^|\n)[ \t]*(?=\S)/gu)) {
      const start = found.index + found[0].length;
      const inside =
        (part > from.part || start >= from.at) && (part < to.part || start < to.at) && start > first;
      if (inside) out.push({ style: '', number: String(out.length + 1), part, start });
    }
  }
  return out;
}

const isBefore = (a: TextPosition, b: TextPosition) => a.part < b.part || (a.part === b.part && a.at < b.at);
const placeOf = ({ part, start }: Mark): TextPosition => ({ part, at: start });

/**
 * Finds a part of an article, such as a point or subpoint (`inner`), and returns one range per passage, in order. If
 * the part is missing, returns the numbers that exist.
 */
export function findPoint(
  parts: readonly Found[],
  article: string,
  inner: readonly Numbered[],
): { provisions: Provision[]; numbers: string[] } {
  const last = parts.length - 1;
  const all = marksOf(parts, article);
  let from: TextPosition = { part: 0, at: -1 };
  let to: TextPosition = { part: last, at: parts[last]!.text.length };
  for (const [depth, { unit, number }] of inner.entries()) {
    const below = all.filter((mark) => isBefore(from, placeOf(mark)) && isBefore(placeOf(mark), to));
    const alike = below.filter((mark) => isNumber(mark.number) === isNumber(number));
    // A subpoint "2)" of an article is not its point "2.".
    const first =
      (depth === 0 && unit === 'subpoint' ? alike.find(({ style }) => style.endsWith(')')) : undefined) ??
      alike[0];
    const counted =
      unit === 'indent' || (below.length === 0 && depth === 0 && (unit === 'part' || unit === 'paragraph'));
    const listed = counted
      ? linesOf(parts, from, to, depth === 0)
      : alike.filter(({ style }) => style === first?.style);
    const at = listed.findIndex((mark) => same(mark.number) === same(number));
    if (at < 0) return { provisions: [], numbers: listed.map((mark) => mark.number) };
    const mark = listed[at]!;
    // A list inside a point ends where the point ends.
    const outer = below[0]?.style;
    const next = counted
      ? listed[at + 1]
      : below
          .slice(below.indexOf(mark) + 1)
          .find(({ style }) => style === mark.style || (style === outer && isNumber(number)));
    from = placeOf(mark);
    if (next) to = placeOf(next);
  }
  const provisions: Provision[] = [];
  for (let part = from.part; part <= to.part; part++) {
    const passage = parts[part]!;
    const start = part === from.part ? from.at : 0;
    const end = part === to.part ? to.at : passage.text.length;
    const length = passage.text.slice(start, end).trimEnd().length;
    if (length > 0) provisions.push({ passage, start, end: start + length });
  }
  return { provisions, numbers: [] };
}
