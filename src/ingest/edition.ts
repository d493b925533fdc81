/**
 * Finds the date of a document's edition, if stated: at the start or end of its title or file name ("Tariffs 2026"), or
 * in a remark at its head ("Approved on 12 March 2026").
 */
import { tableOfAll } from '../text/languages/index.ts';
import { parseDates } from '../text/periods.ts';
import { type Block, firstLine } from './blocks.ts';
import { isRemark } from './title.ts';

/** Number of blocks at the start to search for a remark. */
const headBlocks = 8;
const yearWords = tableOfAll('calendar.years');
/** Earlier years refer to history, and future years to plans. */
const firstYear = '1990';

/** ISO date: YYYY, YYYY-MM or YYYY-MM-DD; null if none is stated. `name`: the file's. */
export function editionDate(title: string, name: string, blocks: readonly Block[]): string | null {
  const stem = name.replace(/\.[^.]*$/, '').replace(/[_]+|(?<!\d)-|-(?!\d)/g, ' ');
  return atEdge(title) ?? atEdge(stem) ?? ofRemark(blocks);
}

/** The only date or year of a line, if it is at the start or end. */
function atEdge(line: string): string | null {
  const dates = parseDates(line);
  const [date] = dates;
  if (date === undefined || dates.length > 1 || !isRecent(date.date)) return null;
  const before = line.slice(0, date.start);
  // Part of a longer number.
  if (/[\d–—/-]$/.test(before)) return null;
  return says(before) !== says(line.slice(date.end)) ? date.date : null;
}

const says = (text: string): boolean =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => !yearWords.has(word.toLowerCase()));

function isRecent(date: string): boolean {
  return date >= firstYear && date.slice(0, 4) <= String(new Date().getFullYear() + 1);
}

/** The latest full date in the remarks at the head: approved, then amended. */
function ofRemark(blocks: readonly Block[]): string | null {
  const dates = blocks
    .slice(0, headBlocks)
    .map(firstLine)
    .filter(isRemark)
    .flatMap((line) => parseDates(line).map(({ date }) => date))
    .filter((date) => date.length === 'YYYY-MM-DD'.length && isRecent(date));
  return dates.sort().at(-1) ?? null;
}

/** The title without dates and numbers, in lower case; equal for all editions of a text. */
export function workOf(title: string): string {
  let bare = title;
  for (const { start, end } of parseDates(title).toReversed()) bare = bare.slice(0, start) + bare.slice(end);
  const words = bare.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => !yearWords.has(word)).join(' ');
}
