/**
 * Recognises the start of numbered provisions ("Статья 5. …", "5-бап. …", "Article 5", "§ 5", "Глава II") and of the
 * points below them ("1.", "2)", "(3)", "1.2."). Units use the names from text/references.
 */
import {
  anyOf,
  formsOf,
  type HeadingRow,
  isSo,
  languages,
  type ReferenceUnit,
  rowsOf,
  WordTable,
} from '../language/index.ts';

export interface ProvisionTitle {
  unit: ReferenceUnit;
  /** In Arabic digits, with "-" for inserted numbers: "5", "15-1", "4" for IV. */
  number: string;
  /** The rest of the line after the number, without separators. */
  rest: string;
}

const number = '(\\d{1,4}(?:[-–.]\\d{1,3})*|[IVXLC]+(?:-\\d{1,2})?)';
const wordFirst = new RegExp(`^(\\p{Lu}\\p{L}*\\.?|§+)\\s*(?:№\\s*)?${number}(?![\\p{L}\\d])`, 'u');

/** Maps the words that begin a provision, before or after the number, to their units. */
const before = new WordTable<ReferenceUnit>();
const behind = new WordTable<ReferenceUnit>();
const wordsBehind: string[] = [];
for (const language of languages) {
  const isBehind = isSo(language, 'provisions.numberFirst');
  for (const [unit, words] of rowsOf<HeadingRow>(language, 'provisions.headings')) {
    (isBehind ? behind : before).add(words, unit);
    if (isBehind) wordsBehind.push(...formsOf(words));
  }
}
const numberFirst = new RegExp(`^${number}\\s*[-–]?\\s*(${anyOf(...wordsBehind)})(?!\\p{L})`, 'iu');

/** Maximum length of the word and number in characters. */
const headMax = 200;

/** The provision that a line begins; null for an ordinary line (such as "Статья 5 говорит о…"). */
export function readProvision(line: string): ProvisionTitle | null {
  const head = line.slice(0, headMax);
  const first = wordFirst.exec(head);
  const second = first ? null : numberFirst.exec(head);
  const word = (first?.[1] ?? second?.[2] ?? '').toLowerCase();
  const unit = word.startsWith('§') ? 'paragraph' : (first ? before : behind).get(word);
  const digits = first ? first[2]! : second?.[1];
  if (!unit || digits === undefined) return null;
  const after = line.slice((first ?? second)![0].length);
  // The number is followed by nothing, a separator, or a title that starts with a capital or a quotation mark. A
  // lower-case letter continues a sentence.
  const separated = /^\s*(?:[.:)\]]|[-–—](?=\s))\s*|^\s*$|^\s+(?=[\p{Lu}«"„([])/u.exec(after);
  if (!separated) return null;
  return { unit, number: arabic(digits), rest: after.slice(separated[0].length).trim() };
}

function arabic(text: string): string {
  const roman = /^[IVXLC]+/.exec(text)?.[0];
  const rest = (roman ? text.slice(roman.length) : text).replaceAll('–', '-');
  if (!roman) return rest.replace(/^0+(?=\d)/, '');
  const values: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
  let sum = 0;
  for (let i = 0; i < roman.length; i++) {
    const value = values[roman[i]!] ?? 0;
    sum += value < (values[roman[i + 1] ?? ''] ?? 0) ? -value : value;
  }
  return `${sum}${rest}`;
}

/**
 * Whether a text stops in the middle of a sentence, so that a provision at the start of the next line may only be a
 * reference ("as laid down under" / "Article 12 (2) of this law"). A provision title also ends without a full stop, but
 * counts as complete.
 */
export function stopsWithinSentence(text: string): boolean {
  const provision = readProvision(text);
  if (provision !== null && (provision.rest === '' || isTitleLike(provision.rest))) return false;
  return /(?:^|[\s(«"„])\p{Ll}[\p{L}-]*,?$/u.test(text);
}

export interface PointMark {
  /** "2", "2-1", "1.2". */
  number: string;
  /** Its notation: "1.", "1)" or "(1)", or "1.2" for multi-part numbers. */
  style: '.' | ')' | '()' | 'parts';
  parts: number[];
  /** The marker as written. */
  marker: string;
}

/** The number at the start of a paragraph or list label; null for dates, bullets and letters. */
export function readPoint(text: string): PointMark | null {
  const found = /^(?:\((\d{1,3}(?:[-–.]\d{1,3})*)\)|(\d{1,3}(?:[-–.]\d{1,3})*)([.)]?))(?=\s|$)/u.exec(text);
  if (!found) return null;
  const digits = (found[1] ?? found[2]!).replaceAll('–', '-');
  const parts = digits.split(/[.-]/).map(Number);
  const dotted = digits.includes('.');
  if (/(?:^|\.)0\d/.test(digits)) return null;
  const style =
    found[1] !== undefined ? '()' : found[3] === ')' ? ')' : dotted ? 'parts' : found[3] === '.' ? '.' : null;
  return style ? { number: digits, style, parts, marker: found[0] } : null;
}

/** Whether a number may follow another in a sequence: it is higher, but not by much (repealed points leave gaps). */
export function follows(previous: readonly number[], next: readonly number[]): boolean {
  for (let i = 0; i < Math.max(previous.length, next.length); i++) {
    const [a, b] = [previous[i] ?? 0, next[i] ?? 0];
    if (a !== b) return b > a && b <= a + 5;
  }
  return false;
}

/** Whether a line is only a title for the text below it. */
export function isTitleLike(text: string): boolean {
  return (
    text.length <= 160 &&
    text.split(/\s+/).length <= 14 &&
    /^[\p{Lu}«"„\d(]/u.test(text) &&
    !/[.;:,!?]$/.test(text) &&
    !text.includes('\n')
  );
}
