/**
 * Finds dates and periods in text: years, months, days and their ranges ("в октябре 2024 года", "before 2021",
 * "2020–2022", "2023 жылы"). A month counts only together with a year, because "may" is also a verb.
 */
import type { Span } from '../domain/span.ts';
import { languages, listOf, tableOfAll, textOf, WordTable, wordsOfAll } from '../language/index.ts';
import { type Token, tokensOf } from './words.ts';

/** An inclusive range of days. Both ends are ISO dates or prefixes of them (2024, 2024-10, 2024-10-14); null: open. */
export interface Period {
  from: string | null;
  to: string | null;
}

/** A period and the UTF-16 offsets of the words that name it. */
export interface NamedPeriod extends Period, Span {}

const months = new WordTable<number>();
for (const language of languages)
  for (const [n, form] of listOf(textOf(language, 'calendar.monthForms')).entries()) months.add(form, n + 1);
const yearWords = tableOfAll('calendar.years');
const within = wordsOfAll('dating.within');
const until = wordsOfAll('dating.until');
const since = wordsOfAll('dating.since');
const between = wordsOfAll('dating.between');
const untilBehind = tableOfAll('dating.untilBehind');
const sinceBehind = tableOfAll('dating.sinceBehind');
const betweenBehind = tableOfAll('dating.betweenBehind');
const spans = wordsOfAll('dating.spans');

const two = (number: number): string => String(number).padStart(2, '0');

/** A date in ISO form, or the prefix of one, and the UTF-16 offsets of its words. */
export interface NamedDate extends Span {
  date: string;
}

/** The dates in the text in order, including years and months. Only the years 1900 to 2099 are recognised. */
export const parseDates = (text: string): NamedDate[] =>
  datesOf(datedTokens(text)).map(({ word, start, end }) => ({ date: word, start, end }));

function datesOf(tokens: readonly Token[]): (Token & { first: number; last: number })[] {
  const dates: (Token & { first: number; last: number })[] = [];
  for (let n = 0; n < tokens.length; n++) {
    const found = dateAt(tokens, n);
    if (!found) continue;
    const first = Math.min(found.first, n);
    dates.push({
      word: found.date,
      first,
      last: found.last,
      start: tokens[first]!.start,
      end: tokens[found.last]!.end,
    });
    n = found.last;
  }
  return dates;
}

/** The periods in the text in order. Only the years 1900 to 2099 are recognised. */
export function parsePeriods(text: string): NamedPeriod[] {
  const tokens = datedTokens(text);
  const dates = datesOf(tokens);
  const periods: NamedPeriod[] = [];
  for (let n = 0; n < dates.length; n++) {
    const date = dates[n]!;
    const next = dates[n + 1];
    const before = tokens[date.first - 1];
    if (next && isSpan(text, tokens, date, next)) {
      const behind = tokens[next.last + 1];
      const closed = behind && (betweenBehind.has(behind.word) || untilBehind.has(behind.word));
      periods.push({
        from: date.word,
        to: next.word,
        start: before && opens(before.word) ? before.start : date.start,
        end: closed ? behind.end : next.end,
      });
      n++;
      continue;
    }
    const behind = tokens[date.last + 1];
    const start = before && opens(before.word) ? before.start : date.start;
    if (before && until.has(before.word))
      periods.push({ from: null, to: dayBefore(date.word), start, end: date.end });
    else if (behind && untilBehind.has(behind.word))
      periods.push({ from: null, to: dayBefore(date.word), start, end: behind.end });
    else if (before && since.has(before.word))
      periods.push({ from: date.word, to: null, start, end: date.end });
    else if (behind && sinceBehind.has(behind.word))
      periods.push({ from: date.word, to: null, start, end: behind.end });
    else periods.push({ from: date.word, to: date.word, start, end: date.end });
  }
  return periods;
}

/** Whether a date, in ISO form or a prefix of it, is within a period. */
export function isWithin(date: string, { from, to }: Period): boolean {
  // The comparison uses the lower precision of the two, so the date "2024" is within October 2024.
  const early = from !== null && date.slice(0, from.length) < from.slice(0, date.length);
  const late = to !== null && date.slice(0, to.length) > to.slice(0, date.length);
  return !early && !late;
}

const opens = (word: string): boolean =>
  within.has(word) || until.has(word) || since.has(word) || between.has(word);

const dateOrWord = /\d{4}-\d{2}(?:-\d{2})?(?!\d)|\d{1,2}\.\d{1,2}\.\d{4}(?!\d)|\d+|[\p{L}\p{M}]+/gu;

/** Numeric dates and other numbers as written, and words. Empty if the text cannot contain a year. */
const datedTokens = (text: string): Token[] =>
  /\d{4}/.test(text)
    ? tokensOf(text, dateOrWord).map((token) => {
        const written = text.slice(token.start, token.end);
        return /^\d/.test(written) ? { ...token, word: written } : token;
      })
    : [];

/** The date whose year is token `n`, and its first and last token. A numeric date is a single token. */
function dateAt(tokens: readonly Token[], n: number): { date: string; first: number; last: number } | null {
  const { word } = tokens[n]!;
  const whole = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(word);
  if (whole) return { date: `${whole[3]}-${two(+whole[2]!)}-${two(+whole[1]!)}`, first: n, last: n };
  if (/^(?:19|20)\d{2}-/.test(word)) return { date: word, first: n, last: n };
  if (!/^(?:19|20)\d{2}$/.test(word)) return null;
  const isDay = (token: Token | undefined) =>
    token !== undefined && /^\d{1,2}$/.test(token.word) && +token.word >= 1 && +token.word <= 31;
  const month = (token: Token | undefined) => (token === undefined ? undefined : months.get(token.word));
  const isYearWord = (token: Token | undefined) => token !== undefined && yearWords.has(token.word);
  const behind = isYearWord(tokens[n + 1]) ? n + 1 : n;
  // "14 October 2024", "October 14, 2024", "October of 2024".
  const gap = within.has(tokens[n - 1]?.word ?? '') && month(tokens[n - 2]) !== undefined ? 2 : 1;
  const direct = month(tokens[n - gap]);
  if (direct !== undefined) {
    const day = tokens[n - gap - 1];
    const first = isDay(day) ? n - gap - 1 : n - gap;
    return { date: written(word, direct, isDay(day) ? day : undefined), first, last: behind };
  }
  const american = isDay(tokens[n - 1]) ? month(tokens[n - 2]) : undefined;
  if (american !== undefined)
    return { date: written(word, american, tokens[n - 1]), first: n - 2, last: behind };
  // "2024 жылғы 14 қараша".
  const day = isDay(tokens[behind + 1]) ? tokens[behind + 1] : undefined;
  const at = day ? behind + 2 : behind + 1;
  const later = behind > n || day ? month(tokens[at]) : undefined;
  if (later !== undefined) return { date: written(word, later, day), first: n, last: at };
  return { date: word, first: n, last: behind };
}

const written = (year: string, month: number, day: Token | undefined): string =>
  `${year}-${two(month)}${day ? `-${two(+day.word)}` : ''}`;

/** Whether two consecutive dates are the ends of a range. */
function isSpan(
  text: string,
  tokens: readonly Token[],
  one: { first: number; last: number; end: number; word: string },
  other: { first: number; last: number; start: number; word: string },
): boolean {
  if (one.word > other.word) return false;
  const joining = tokens.slice(one.last + 1, other.first);
  if (joining.length === 0) return /^\s*[-–—]\s*$/.test(text.slice(one.end, other.start));
  if (joining.length > 1) return false;
  const [{ word }] = joining as [Token];
  const before = tokens[one.first - 1]?.word ?? '';
  const behind = tokens[other.last + 1]?.word ?? '';
  if (between.has(before) || betweenBehind.has(behind)) return spans.has(word);
  return (
    (spans.has(word) && until.has(word)) || (spans.has(word) && since.has(before) && !conjunctions.has(word))
  );
}

const conjunctions = wordsOfAll('provisions.and');

/** The day, month or year before a date, in the same precision as the date: "before 2021" ends in 2020. */
function dayBefore(date: string): string {
  const [year = 0, month, day] = date.split('-').map(Number);
  if (month === undefined) return String(year - 1);
  if (day === undefined) return month === 1 ? `${year - 1}-12` : `${year}-${two(month - 1)}`;
  return new Date(Date.UTC(year, month - 1, day - 1)).toISOString().slice(0, 10);
}
