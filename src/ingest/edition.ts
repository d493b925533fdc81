/**
 * The date of a document's edition, where it gives itself one: at the beginning or the end of its title or of its file's
 * name ("Tariffs 2026"), or in a remark at its head ("Approved on 12 March 2026").
 */
import { tableOfAll } from '../text/languages/index.ts';
import { parseDates } from '../text/periods.ts';
import { type Block, firstLine } from './blocks.ts';
import { isRemark } from './title.ts';

/** Blocks at the start among which a remark is looked for. */
const headBlocks = 8;
const yearWords = tableOfAll('calendar.years');
/** Text that is older is history, and one of later years a plan. */
const firstYear = '1990';

/** ISO date: YYYY, YYYY-MM or YYYY-MM-DD; null where the document says none. `name`: the file's. */
export function editionDate(title: string, name: string, blocks: readonly Block[]): string | null {
  const stem = name.replace(/\.[^.]*$/, '').replace(/[_]+|(?<!\d)-|-(?!\d)/g, ' ');
  return atEdge(title) ?? atEdge(stem) ?? ofRemark(blocks);
}

/** A date, or a year, that a line begins or ends with, and its only one. */
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

/** The latest full date of the remarks at the head: approved then, amended later. */
function ofRemark(blocks: readonly Block[]): string | null {
  const dates = blocks
    .slice(0, headBlocks)
    .map(firstLine)
    .filter(isRemark)
    .flatMap((line) => parseDates(line).map(({ date }) => date))
    .filter((date) => date.length === 'YYYY-MM-DD'.length && isRecent(date));
  return dates.sort().at(-1) ?? null;
}

/** What two editions of one text have in common: their title without dates and numbers, in lower case. */
export function workOf(title: string): string {
  let bare = title;
  for (const { start, end } of parseDates(title).toReversed()) bare = bare.slice(0, start) + bare.slice(end);
  const words = bare.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => !yearWords.has(word)).join(' ');
}
