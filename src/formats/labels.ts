/** Labels of automatically numbered lists, as word processors display them. */
import { textOf } from '../language/index.ts';

const latin = textOf('en', 'letters.enumeration');
const russian = textOf('ru', 'letters.enumeration');

/** Formats a counter using a format name from Office or ODF. Unknown formats use digits. */
export function formatCounter(n: number, format: string): string {
  if (/^(?:upperRoman|I)$/.test(format)) return roman(n);
  if (/^(?:lowerRoman|i)$/.test(format)) return roman(n).toLowerCase();
  if (/^(?:upperLetter|A)$/.test(format)) return letters(n, latin.toUpperCase());
  if (/^(?:lowerLetter|a)$/.test(format)) return letters(n, latin);
  if (format === 'russianUpper') return letters(n, russian.toUpperCase());
  if (format === 'russianLower') return letters(n, russian);
  if (/^А, Б, .*\(ru\)$/.test(format)) return letters(n, russian.toUpperCase());
  if (/^а, б, .*\(ru\)$/.test(format)) return letters(n, russian);
  if (format === 'none') return '';
  if (format === 'decimalZero') return String(n).padStart(2, '0');
  return String(n);
}

/** 1 → a, 27 → aa. */
function letters(n: number, alphabet: string): string {
  return n < 1
    ? ''
    : alphabet[(n - 1) % alphabet.length]!.repeat(Math.min(5, Math.ceil(n / alphabet.length)));
}

function roman(n: number): string {
  if (n < 1 || n > 3999) return String(n);
  const signs: [number, string][] = [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ];
  let left = n;
  let out = '';
  for (const [value, sign] of signs) {
    while (left >= value) {
      out += sign;
      left -= value;
    }
  }
  return out;
}

/** The counters of a list, one per level. */
export class Counters {
  private readonly values: (number | undefined)[] = [];

  /** Increments a level, beginning at `start`. Deeper levels restart, except those selected by `keeps`. */
  next(level: number, start: number, keeps: (deeper: number) => boolean = () => false): void {
    const now = this.values[level];
    this.set(level, now === undefined ? start : now + 1, keeps);
  }

  /** Sets a level to a number stated in the file. */
  set(level: number, n: number, keeps: (deeper: number) => boolean = () => false): void {
    this.values[level] = n;
    for (let deeper = level + 1; deeper < this.values.length; deeper++)
      if (!keeps(deeper)) this.values[deeper] = undefined;
  }

  /** The value of a level, or `start` if it has not been counted yet. */
  value(level: number, start: number): number {
    return this.values[level] ?? start;
  }
}

/** Whether a label is a bullet: it contains no letter or digit, or a symbol-font character. */
export function isBullet(label: string): boolean {
  return !/[\p{L}\p{N}]/u.test(label) || /[\ue000-\uf8ff]/.test(label) || label === 'o';
}
