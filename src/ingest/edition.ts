/**
 * Finds a document's edition date, if stated: at the start or end of the title or file name ("Tariffs 2026"), or in a
 * note at the top of the document ("Approved on 12 March 2026").
 */

import { type Block, firstLine } from '../formats/blocks.ts';
import { tableOfAll } from '../language/index.ts';
import { parseDates } from '../text/periods.ts';
import { isRemark } from './title.ts';

/** Number of initial blocks searched for a note. */
const headBlocks = 8;
const yearWords = tableOfAll('calendar.years');
/** Earlier years usually refer to history, and later ones to plans. */
const firstYear = '1990';

/** ISO date (YYYY, YYYY-MM or YYYY-MM-DD), or null if none is stated. `name` is the file name. */
export function editionDate(title: string, name: string, blocks: readonly Block[]): string | null {
  const stem = name.replace(/\.[^.]*$/, '').replace(/[_]+|(?<!\d)-|-(?!\d)/g, ' ');
  return atEdge(title) ?? atEdge(stem) ?? ofRemark(blocks);
}

/** The date or year in a line, if it is the only one and is at the start or end. */
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

/** The latest full date in the notes at the top, such as the dates of approval and amendment. */
function ofRemark(blocks: readonly Block[]): string | null {
  const dates = blocks
    .slice(0, headBlocks)
    .map(firstLine)
    .filter(isRemark)
    .flatMap((line) => parseDates(line).map(({ date }) => date))
    .filter((date) => date.length === 'YYYY-MM-DD'.length && isRecent(date));
  return dates.sort().at(-1) ?? null;
}

/** The title in lower case without dates and numbers, which is the same for all editions of a work. */
export function workOf(title: string): string {
  let bare = title;
  for (const { start, end } of parseDates(title).toReversed()) bare = bare.slice(0, start) + bare.slice(end);
  const words = bare.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => !yearWords.has(word)).join(' ');
}
