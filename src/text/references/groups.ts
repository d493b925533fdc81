/**
 * Finds units and their numbers in text: "статья 23", "ст. 5, 7", "23-бап", "articles 5 to 7", "Article 42 (2)",
 * "подпункт б". The module parse.ts determines how they are nested.
 */
import { alphabet, joined, type ReferenceUnit, tableOfAll, wordsOfAll } from '../../language/index.ts';
import { insertion, type ReferenceToken, roman } from './tokens.ts';
import { habits, rank } from './units.ts';

const and = new Set([...wordsOfAll('provisions.and'), '&', ',']);
export const rangeWords = wordsOfAll('provisions.rangeCloses');
const rangeSigns = new Set(['-', ...rangeWords]);
/** Words that introduce a range: "с 1 по 5", "from Article 1 to Article 5". */
export const rangeOpens = wordsOfAll('provisions.rangeOpens');
const numero = new Set([...wordsOfAll('provisions.numero'), '№', '#']);
const maxRange = 30;

/**
 * Maximum number of references read from a text. It applies during parsing, because ranges multiply: "подпункты 1-30
 * пунктов 1-30 статей 1-30" refers to 27,000 subpoints.
 */
export const referencesMax = 30;

/** A unit and its numbers, before it is joined with its parents. */
export interface Group {
  unit: ReferenceUnit;
  /** Distinct; at most one more than `referencesMax`. */
  numbers: { value: string; inner: string[] }[];
  start: number;
  end: number;
  /** The token range of the group; `to` is exclusive. */
  from: number;
  to: number;
}

/** Returns the first `limit` groups in order. Takes linear time. */
export function groups(list: readonly ReferenceToken[], limit: number): Group[] {
  const out: Group[] = [];
  for (let at = 0; at < list.length && out.length < limit; ) {
    const group = unitFirst(list, at, out.at(-1)?.to === at) ?? numberFirst(list, at);
    if (group) out.push(group);
    at = group ? group.to : at + 1;
  }
  return out;
}

/** "статья 23", "ст. 5, 7", "articles 5 to 7", "Article 42(2)". */
function unitFirst(list: readonly ReferenceToken[], from: number, afterGroup: boolean): Group | null {
  const head = list[from]!;
  if (!head.unit) return null;
  // "в 5 ч 20 мин": a one-letter unit after a number is a unit of measurement.
  if (head.text.length === 1 && head.text !== '§' && !afterGroup && list[from - 1]?.kind === 'number')
    return null;
  if (!head.unit.behind) return null;
  let at = from + 1;
  const dotted = list[at]?.text === '.';
  if (dotted) {
    if (!head.unit.short) return null;
    at++;
  }
  if (list[at] && numero.has(list[at]!.text)) at++;
  const spanned =
    rangeOpens.has(list[at]?.text ?? '') &&
    list[at + 1]?.value != null &&
    rangeWords.has(list[at + 2]?.text ?? '');
  if (spanned) at++;
  const label = list[at]?.value && counts(list, at) ? null : lettered(list, from, at);
  if (label) {
    const numbers = [{ value: label.value, inner: [] }];
    const end = list[label.to - 1]!.end;
    return { unit: head.unit.unit, numbers, start: head.start, end, from, to: label.to };
  }
  const first = list[at];
  if (!first?.value || !counts(list, at)) return null;
  // "article first" and "бап бірінші" are not references; "статья первая", "Article One", "Chapter IV" are.
  if (first.kind === 'word' && first.ordinal && !habits(head.unit)?.ordinalBehind) return null;
  const underPoint = list.slice(at + 1, at + 3).some((token) => token.unit?.unit === 'point');
  const unit = underPoint ? head.unit.beforePoint : head.unit.unit;
  const group: Group = { unit, numbers: [], start: head.start, end: first.end, from, to: at + 1 };
  take(list, group, at, head.unit.plural || spanned);
  // "подпункт 2) пункта 1": a list mark, unless the bracket was opened before.
  if (list[group.to]?.text === ')' && !head.bracketed) group.to++;
  return group;
}

/** Letters that can designate a point without further evidence. Other letters are also words. */
const pointLetters = new Set(joined('provisions.pointLetters').replaceAll(' ', ''));
const owners = wordsOfAll('provisions.owners');
const of = wordsOfAll('provisions.of');

/**
 * Reads a letter or a bracketed number that follows a unit and designates a part of a provision: "(2)", "(a)", "б)",
 * "«а»", or a bare letter if it is unambiguous ("подпункт б пункта 2").
 */
function lettered(
  list: readonly ReferenceToken[],
  from: number,
  at: number,
): { value: string; to: number } | null {
  const head = list[from]!;
  const [one, two, three] = [list[at], list[at + 1], list[at + 2]];
  if (!one || rank[head.unit!.unit] < rank.part || head.unit!.plural !== head.unit!.short) return null;
  const isLetter = (token: ReferenceToken | undefined) =>
    token !== undefined && token.text.length === 1 && alphabet.includes(token.text);
  if (/^[("«“'„]$/.test(one.text) && /^[)"»”'“]$/.test(three?.text ?? '')) {
    if (one.text === '(' && /^\d{1,3}$/.test(two!.text)) return { value: two!.text, to: at + 3 };
    return isLetter(two) ? { value: two!.text, to: at + 3 } : null;
  }
  if (!isLetter(one) || rank[head.unit!.unit] < rank.point || head.unit!.short) return null;
  if (two?.text === ')' && !head.bracketed) return { value: one.text, to: at + 2 };
  const sub = head.unit!.unit === 'subpoint';
  const ended = two === undefined || two.kind === 'sign';
  const next = two?.text ?? '';
  const sure = owners.has(next) || (of.has(next) ? sub : ended && (sub || pointLetters.has(one.text)));
  return sure ? { value: one.text, to: at + 1 } : null;
}

const years = tableOfAll('calendar.years');
const countedUnits = wordsOfAll('provisions.countedUnits');

/** Whether the token at `at` can be a provision's number rather than a year ("1995 года"), percentage or amount. */
function counts(list: readonly ReferenceToken[], at: number): boolean {
  const next = list[at + 1];
  if (!next) return true;
  if (next.text === '%') return false;
  if (next.kind !== 'word') return true;
  const isYear = /^(?:1[5-9]|20)\d\d$/.test(list[at]!.value!) && years.has(next.text);
  return !isYear && !countedUnits.has(next.text);
}

/** Adds a new number to the group, up to the limit. */
function add(group: Group, value: string): void {
  if (group.numbers.some((known) => known.value === value)) return;
  if (group.numbers.length <= referencesMax) group.numbers.push({ value, inner: [] });
}

/** Adds the numbers from token `at` onwards to the group. */
function take(list: readonly ReferenceToken[], group: Group, at: number, plural: boolean): void {
  let next = at;
  const push = (value: string) => add(group, value);
  const wide = (token: ReferenceToken) => plural || /[–—]/.test(token.text);
  push(plain(list[next]!.value!, wide(list[next]!), push));
  next++;
  const inserted = list[next]?.text ?? '';
  if (inserted.length > 1 && insertion.test(inserted)) {
    group.numbers.at(-1)!.value += inserted;
    next++;
  }
  const { inner, to } = brackets(list, next);
  group.numbers.at(-1)!.inner = inner;
  next = to;
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
      push(plain(number.value, wide(number), push));
    } else break;
    next += both + 1;
  }
  group.end = list[next - 1]!.end;
  group.to = next;
}

/** Reads bracketed parts after a provision's number, with or without a space: "(2)(a)". */
function brackets(list: readonly ReferenceToken[], from: number): { inner: string[]; to: number } {
  const inner: string[] = [];
  let to = from;
  while (list[to]?.text === '(' && list[to + 2]?.text === ')') {
    const { text } = list[to + 1]!;
    const close = list[to]!.start === list[to - 1]!.end;
    if (!(close ? /^(?:\d{1,3}|\p{L}{1,4})$/u : /^(?:\d{1,3}|\p{L}|[ivx]{1,4})$/u).test(text)) break;
    inner.push(text);
    to += 3;
  }
  return { inner, to };
}

/** Returns the number as written. After a plural unit, "5-7" is a range: `push` is called with its other numbers. */
function plain(value: string, plural: boolean, push: (value: string) => void): string {
  const [first, last] = value.split('-');
  if (!plural || last === undefined || first === undefined || Number(last) <= Number(first)) return value;
  const all = range(first, last);
  for (const one of all.slice(0, -1)) push(one);
  return last;
}

/** All numbers in a range; only the last one if it is not a range or is too long. */
export function range(from: string, to: string): string[] {
  const first = Number(from);
  const last = Number(to);
  if (!Number.isInteger(first) || !Number.isInteger(last) || last < first || last - first > maxRange)
    return [to];
  return Array.from({ length: last - first + 1 }, (_, n) => String(first + n));
}

/** "23-бап", "5, 7-баптар", "42-й пункт", "в 23 статье", "первая статья". */
function numberFirst(list: readonly ReferenceToken[], from: number): Group | null {
  const first = list[from]!;
  const mark = list[from + 1]?.text === ')' && !first.bracketed ? list[from + 2] : undefined;
  // "2) тармақшасы", "а) тармақшасы". Elsewhere, such a mark begins a list item.
  if (
    mark?.unit &&
    habits(mark.unit)?.numberFirst &&
    rank[mark.unit.unit] >= rank.point &&
    /^(?:\d{1,3}|\p{L})$/u.test(first.text)
  ) {
    const numbers = [{ value: first.text, inner: [] }];
    return { unit: mark.unit.unit, numbers, start: first.start, end: mark.end, from, to: from + 3 };
  }
  // "II бөлім", "II раздел": Roman numerals are ordinals.
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
  let spanned = false;
  for (;;) {
    const number = list[at];
    if (number?.value == null) return null;
    numbers.push(number.value);
    at++;
    // "в 1995 - статья 5" contains a dash, "23-бап" and "23 -бап" a hyphen.
    const close = list[at]?.start === list[at - 1]!.end || list[at]?.end === list[at + 1]?.start;
    const hyphen = list[at]?.text === '-' && close ? 1 : 0;
    const head = list[at + hyphen];
    if (head?.unit && !head.unit.short) {
      const { unit, plural, before } = head.unit;
      // "23баптың 2тармағы", "23-баптың 2 тармағы".
      const possessed =
        head.start === number.end || (head.unit.owned && owners.has(list[from - 1]?.text ?? ''));
      const ordinal =
        number.ordinal ||
        possessed ||
        hyphen === 1 ||
        (roman.test(number.text) && habits(head.unit)?.romanBefore === true);
      if (before === 'never' || (before === 'ordinal' && !ordinal)) return null;
      if (number.kind === 'word' && !ordinal) return null;
      // In "2 статьи 42", the number of the unit follows it, so the number before it belongs to another unit.
      if (
        before === 'always' &&
        !ordinal &&
        list[at + hyphen + 1]?.kind === 'number' &&
        !habits(head.unit)?.numberFirst
      )
        return null;
      if (numbers.length > 1 && !plural && !ordinal && !spanned) return null;
      const group: Group = {
        unit,
        numbers: [],
        start: first.start,
        end: head.end,
        from,
        to: at + hyphen + 1,
      };
      for (const value of numbers)
        add(
          group,
          plain(value, plural, (one) => add(group, one)),
        );
      const { inner, to } = brackets(list, group.to);
      group.numbers.at(-1)!.inner = inner;
      group.end = list[to - 1]!.end;
      group.to = to;
      return group;
    }
    const link = list[at];
    const after = list[at + 1];
    if (
      !link ||
      !(and.has(link.text) || rangeSigns.has(link.text)) ||
      !after?.value ||
      (after.kind !== 'number' && !after.ordinal) ||
      numbers.length > 8
    )
      return null;
    if (rangeSigns.has(link.text)) {
      // Expand only real ranges: this code runs for each number, and most numbers are not part of a range.
      if (Number(after.value) - Number(number.value) > 1)
        numbers.push(...range(number.value, after.value).slice(1, -1));
      spanned = rangeOpens.has(list[from - 1]?.text ?? '');
    }
    at++;
  }
}
