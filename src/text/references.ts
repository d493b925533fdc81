/**
 * References to numbered provisions in questions and headings: "статья 23", "ст. 23", "23-бап", "Article 23",
 * "пункт 2 статьи 42", "42-баптың 2-тармағы", "art. 42(2)", "§ 5", "ч. 2 ст. 5", "глава 3", "первая статья".
 *
 * Units, as Chunk.unit names them too: article, paragraph (§, English paragraph), part (часть, бөлік), point
 * (пункт, тармақ, clause), subpoint (подпункт, тармақша), indent (абзац), section, chapter, annex. Numbers are
 * Arabic: "глава IV" is "4". A point of article 42 has the number "42.2", its subpoint "42.2.1"; chapters,
 * sections and annexes are counted for themselves. "42-1" (an inserted article) keeps its hyphen.
 *
 * A number needs its unit beside it: "in 42 days" holds none, and neither does a count ("5 статей", "two articles").
 */

import { speltNumbers } from './number-words.ts';
import { type ReferenceUnit, rank, type UnitForm, unitOf } from './reference-units.ts';

export { type ReferenceUnit, referenceUnits } from './reference-units.ts';

export interface Reference {
  unit: ReferenceUnit;
  /** With the numbers of what it stands in: "42", "42.2", "42-1". */
  number: string;
  /** The provision it is a part of, where the text says so. */
  of: { unit: ReferenceUnit; number: string } | null;
  /** UTF-16 offsets of the words that name it, its parents' included. */
  start: number;
  end: number;
}

interface Token {
  kind: 'word' | 'number' | 'sign';
  text: string;
  start: number;
  end: number;
  unit: UnitForm | null;
  /** For a number: its value, and whether it is written as an ordinal ("42-й", "5th", "первая"). */
  value: string | null;
  ordinal: boolean;
}

const pieces =
  /(?<number>\d{1,4}(?:\.\d{1,3}){0,3}(?:-\d{1,2}(?!\d))?(?<suffix>-?(?:(?:[оыи]?[йе]|я|ая|ую|ю|ой|ей|го|ого|му|ому|ом|м|ші|шы|інші|ыншы|нші|ншы)|(?:st|nd|rd|th))(?!\p{L}))?)(?![\p{L}\p{N}])|(?<word>\p{L}+(?:-(?=p|c)\p{L}+)?|§+|№)|(?<sign>[^\s\p{L}])/giu;
const roman = /^(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;

const lookAlikes: Record<string, string> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  t: 'т',
  m: 'м',
  k: 'к',
  b: 'в',
  h: 'н',
};

function tokens(text: string): Token[] {
  const out: Token[] = [];
  for (const found of text.matchAll(pieces)) {
    const start = found.index;
    const end = start + found[0].length;
    const { number, suffix, word } = found.groups ?? {};
    if (number !== undefined) {
      const value = suffix ? number.slice(0, -suffix.length) : number;
      out.push({ kind: 'number', text: found[0], start, end, unit: null, value, ordinal: Boolean(suffix) });
    } else if (word !== undefined) {
      let low = word.toLowerCase();
      if (/[а-яё]/.test(low) && /[a-z]/.test(low))
        low = [...low].map((sign) => lookAlikes[sign] ?? sign).join('');
      const value = roman.test(low) && word === word.toUpperCase() ? String(fromRoman(low)) : null;
      out.push({ kind: 'word', text: low, start, end, unit: unitOf(low), value, ordinal: false });
    } else out.push({ kind: 'sign', text: found[0], start, end, unit: null, value: null, ordinal: false });
  }
  return spelt(out, /[әғқңөұүһі]|(?:^|[^\p{L}])ба[пб]/iu.test(text));
}

/** "в одной статье", "бір бап": forms that only say "a", "some". */
const article = /^(?:одн(?!а$|о$)\p{L}+|бір)$/u;

/** Numbers spelt out, of several words too ("двадцать третья", "twenty-three"), each as one token. */
function spelt(list: readonly Token[], isKazakh: boolean): Token[] {
  const joined = list.filter(
    ({ text, start, end }, n) =>
      text !== '-' ||
      list[n - 1]?.kind !== 'word' ||
      list[n + 1]?.kind !== 'word' ||
      list[n - 1]!.end !== start ||
      list[n + 1]!.start !== end,
  );
  const found = new Map(
    speltNumbers(
      joined.map(({ kind, text, unit }) => (kind === 'word' && !unit ? text.replaceAll('ё', 'е') : '')),
      isKazakh,
    ).map((one) => [one.at, one]),
  );
  if (found.size === 0) return [...list];
  const out: Token[] = [];
  for (let at = 0; at < joined.length; at++) {
    const first = joined[at]!;
    const number = found.get(at);
    if (!number || (number.length === 1 && article.test(first.text))) {
      out.push(first);
      continue;
    }
    at += number.length - 1;
    const last = joined[at]!;
    const text = joined
      .slice(at - number.length + 1, at + 1)
      .map((one) => one.text)
      .join(' ');
    const value = number.value.replace('.', '');
    out.push({ ...first, text, end: last.end, value, ordinal: number.value.endsWith('.') });
  }
  return out;
}

function fromRoman(word: string): number {
  const worth: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
  let sum = 0;
  for (let n = 0; n < word.length; n++) {
    const here = worth[word[n]!]!;
    sum += here < (worth[word[n + 1] ?? ''] ?? 0) ? -here : here;
  }
  return sum;
}

const and = new Set(['и', 'или', 'and', 'or', 'және', 'мен', 'пен', 'немесе', '&', ',']);
const rangeSigns = new Set(['-', '–', '—', 'по', 'to', 'through']);
const numero = new Set(['№', 'номер', 'no', 'number', 'nr', '#']);
const maxRange = 30;

/** One unit with its numbers, before it is joined with its parents. */
interface Group {
  unit: ReferenceUnit;
  numbers: { value: string; inner: string[] }[];
  start: number;
  end: number;
  /** The tokens it was read from. */
  from: number;
  to: number;
}

/** The references of a text in the order of their beginnings; empty where there is none. */
export function parseReferences(text: string): Reference[] {
  const list = tokens(text);
  const groups: Group[] = [];
  for (let at = 0; at < list.length; ) {
    const group = unitFirst(list, at, groups.at(-1)?.to === at) ?? numberFirst(list, at);
    if (group) groups.push(group);
    at = group ? group.to : at + 1;
  }
  return join(list, groups);
}

/** "статья 23", "ст. 5, 7", "articles 5 to 7", "Article 42(2)". */
function unitFirst(list: readonly Token[], from: number, afterGroup: boolean): Group | null {
  const head = list[from]!;
  if (!head.unit) return null;
  // "в 5 ч 20 мин": a one-letter unit after a number is a measure.
  if (head.text.length === 1 && head.text !== '§' && !afterGroup && list[from - 1]?.kind === 'number')
    return null;
  let at = from + 1;
  const dotted = list[at]?.text === '.';
  if (dotted) {
    if (!head.unit.short) return null;
    at++;
  }
  if (list[at] && numero.has(list[at]!.text)) at++;
  const first = list[at];
  if (!first?.value || !counts(list, at)) return null;
  // "article first" and "бап бірінші" are no references; "статья первая", "Article One", "Chapter IV" are.
  if (first.kind === 'word' && first.ordinal && !/^[а-яё ]+$/.test(first.text)) return null;
  // "пп." is a subpoint where a point follows ("пп. 3 п. 2"), else points.
  const under =
    head.text === 'пп' && list.slice(at + 1, at + 3).some((token) => token.unit?.unit === 'point');
  const unit = under ? 'subpoint' : head.unit.unit;
  const group: Group = { unit, numbers: [], start: head.start, end: first.end, from, to: at + 1 };
  take(list, group, at, head.unit.plural);
  return group;
}

/** Whether the number at `at` can be a provision's: not a year ("1995 года"), a share ("5 %") or money. */
function counts(list: readonly Token[], at: number): boolean {
  const next = list[at + 1];
  if (!next) return true;
  if (next.text === '%') return false;
  const value = list[at]!.value!;
  if (
    /^(?:1[5-9]|20)\d\d$/.test(value) &&
    next.kind === 'word' &&
    /^(?:г|год\p{L}*|ж|жыл\p{L}*)$/u.test(next.text)
  )
    return false;
  return !(
    next.kind === 'word' &&
    /^(?:дн(?:я|ей)|лет|года?|месяц(?:а|ев)?|раза?|час(?:а|ов)|days?|weeks?|months?|years?|times|hours?|percent|күн|жыл|ай)$/.test(
      next.text,
    )
  );
}

/** Reads the numbers from `at` on into the group. */
function take(list: readonly Token[], group: Group, at: number, plural: boolean): void {
  let next = at;
  const push = (value: string) => {
    if (!group.numbers.some((known) => known.value === value)) group.numbers.push({ value, inner: [] });
  };
  push(plain(list[next]!.value!, plural, push));
  next++;
  const inner: string[] = [];
  while (
    list[next]?.text === '(' &&
    list[next + 2]?.text === ')' &&
    list[next]!.start === list[next - 1]!.end
  ) {
    const value = list[next + 1]!;
    if (!/^(?:\d{1,3}|\p{L}{1,4})$/u.test(value.text)) break;
    inner.push(value.text);
    next += 3;
  }
  group.numbers.at(-1)!.inner = inner;
  for (;;) {
    const link = list[next];
    if (!link) break;
    const both = link.text === ',' && list[next + 1] && and.has(list[next + 1]!.text) ? 2 : 1;
    const number = list[next + both];
    if (!number || number.value === null || !counts(list, next + both)) break;
    if (number.kind !== 'number' && (list[next - 1]!.kind !== 'word' || roman.test(number.text))) break;
    if (plural && rangeSigns.has(link.text)) {
      for (const value of range(list[next - 1]!.value ?? '', number.value)) push(value);
    } else if (and.has(link.text)) {
      const after = list[next + both + 1];
      const ownUnit =
        after?.unit && !list.slice(next + both + 2, next + both + 4).some((token) => token.value !== null);
      if (ownUnit || (!plural && !after?.unit && after?.kind === 'word' && !and.has(after.text))) break;
      push(plain(number.value, plural, push));
    } else break;
    next += both + 1;
  }
  group.end = list[next - 1]!.end;
  group.to = next;
}

/** A number as written; after a plural unit "5-7" is a range, whose other numbers are pushed. */
function plain(value: string, plural: boolean, push: (value: string) => void): string {
  const [first, last] = value.split('-');
  if (!plural || last === undefined || first === undefined || Number(last) <= Number(first)) return value;
  const all = range(first, last);
  for (const one of all.slice(0, -1)) push(one);
  return last;
}

function range(from: string, to: string): string[] {
  const first = Number(from);
  const last = Number(to);
  if (!Number.isInteger(first) || !Number.isInteger(last) || last < first || last - first > maxRange)
    return [to];
  return Array.from({ length: last - first + 1 }, (_, n) => String(first + n));
}

/** "23-бап", "5, 7-баптар", "42-й пункт", "в 23 статье", "первая статья". */
function numberFirst(list: readonly Token[], from: number): Group | null {
  const first = list[from]!;
  // "II бөлім", "II раздел": Roman numerals order.
  const orders = first.ordinal || roman.test(first.text);
  if (first.value === null || (first.kind === 'word' && !orders)) return null;
  if (
    list[from - 1]?.text === '.' &&
    list[from - 1]!.end === first.start &&
    list[from - 2]?.kind === 'number'
  )
    return null;
  const numbers: string[] = [];
  let at = from;
  for (;;) {
    const number = list[at];
    if (number?.value == null) return null;
    const push = (value: string) => numbers.push(value);
    push(number.kind === 'number' ? plain(number.value, true, () => undefined) : number.value);
    if (number.kind === 'number' && number.value.includes('-')) numbers[numbers.length - 1] = number.value;
    at++;
    const hyphen = list[at]?.text === '-' ? 1 : 0;
    const head = list[at + hyphen];
    if (head?.unit && !head.unit.short) {
      const { unit, plural, after } = head.unit;
      const ordinal =
        number.ordinal || hyphen === 1 || (roman.test(number.text) && /[а-яәіңғүұқөһ]/.test(head.text));
      if (after === 'never' || (after === 'ordinal' && !ordinal)) return null;
      if (number.kind === 'word' && !ordinal) return null;
      // "пункт 2 статьи 42" was read from its unit; "2 статьи 42" here would take the number of the unit before.
      if (
        after === 'always' &&
        !ordinal &&
        list[at + hyphen + 1]?.kind === 'number' &&
        !/^ба/.test(head.text)
      )
        return null;
      if (numbers.length > 1 && !plural && !ordinal) return null;
      const group: Group = {
        unit,
        numbers: [],
        start: first.start,
        end: head.end,
        from,
        to: at + hyphen + 1,
      };
      for (const value of numbers) {
        const push = (one: string) => {
          if (!group.numbers.some((known) => known.value === one))
            group.numbers.push({ value: one, inner: [] });
        };
        push(plain(value, plural, push));
      }
      return group;
    }
    const link = list[at];
    if (
      !link ||
      !(and.has(link.text) || rangeSigns.has(link.text)) ||
      list[at + 1]?.kind !== 'number' ||
      numbers.length > 8
    )
      return null;
    if (rangeSigns.has(link.text)) {
      const last = list[at + 1]!.value!;
      numbers.push(...range(number.value, last).slice(1, -1));
    }
    at++;
  }
}

const between = new Set(['of', 'the', 'в', 'во', 'из', 'к', ',', 'от', 'in']);

/** Joins what stands beside each other: "пункт 2" + "статьи 42", "Article 42" + "paragraph 2". */
function join(list: readonly Token[], groups: readonly Group[]): Reference[] {
  const out: Reference[] = [];
  for (let n = 0; n < groups.length; ) {
    const chain = [groups[n]!];
    let direction = 0;
    for (n++; n < groups.length; n++) {
      const last = chain.at(-1)!;
      const next = groups[n]!;
      const step = Math.sign(rank[next.unit] - rank[last.unit]);
      const gap = list.slice(last.to, next.from);
      if (
        step === 0 ||
        (direction !== 0 && step !== direction) ||
        gap.length > 2 ||
        gap.some((token) => !between.has(token.text))
      )
        break;
      if (rank[next.unit] === 0 || rank[last.unit] === 0) break;
      if (gap.some((token) => token.text === ',') && step < 0) break;
      direction = step;
      chain.push(next);
    }
    const ordered = direction < 0 ? chain.toReversed() : chain;
    const start = Math.min(...chain.map((group) => group.start));
    const end = Math.max(...chain.map((group) => group.end));
    let parents: ({ unit: ReferenceUnit; number: string } | null)[] = [null];
    for (const group of ordered) {
      const made: { unit: ReferenceUnit; number: string }[] = [];
      for (const parent of parents) {
        for (const { value, inner } of group.numbers) {
          let number = parent ? `${parent.number}.${value}` : value;
          let unit = group.unit;
          let of = parent;
          for (const part of inner) {
            of = { unit, number };
            number = `${number}.${part}`;
            unit = rank[unit] < rank.point ? 'point' : 'subpoint';
          }
          made.push({ unit, number });
          if (group === ordered.at(-1)) out.push({ unit, number, of, start, end });
        }
      }
      parents = made;
    }
  }
  return out;
}
