/**
 * Determines the title of a document if neither the manifest nor the front matter states it.
 *
 * The sources are, in order: the only first-level heading; the head of an act (its kind and subject); the format's own
 * title; the first heading; an informative file name; the first line, if it looks like a title; the file name. In all
 * cases a line must be specific enough to name a document. A stamp ("ПРОЕКТ"), "СОДЕРЖАНИЕ", a date, a number, a
 * running header, or one of several similar articles, questions or headings is not specific enough. A generic title
 * ("FAQ") is combined with the file name.
 */

import { type Block, firstLine, type ParsedDocument, tidyLine } from '../formats/blocks.ts';
import { isTitleLike, readProvision } from '../formats/provisions.ts';
import { anyOf, joined, languages, listOf, phrasesOfAll, textOf, wordsOfAll } from '../language/index.ts';
import { foldLetters } from '../text/words.ts';

/** Number of initial blocks searched for a title. */
const headBlocks = 12;
/** A line that occurs this often is a running header. */
const runningTimes = 3;
const longestTitle = 300;
const longestLine = 120;

/** `name` is the file name. The result is empty only for an untitled record of a multi-record file. */
export function documentTitle(parsed: ParsedDocument, name: string, format: string): string {
  const stem = tidyLine(name.replace(/\.[^.]*$/, ''));
  const title = titleOf(parsed, stem, format);
  if (format === 'jsonl' || !generic.test(foldLetters(title))) return title;
  const own = nameInWords(stem)
    .split(' ')
    .filter((word) => /\p{L}/u.test(word) && !genericWords.has(foldLetters(word)) && !title.includes(word));
  return own.length === 0 ? title : `${title} (${own.join(' ')})`;
}

const genericPhrases = phrasesOfAll('documents.generic');
const generic = new RegExp(`^${anyOf(...genericPhrases)}$`, 'u');
const genericWords = new Set(genericPhrases.flatMap((phrase) => phrase.split(/[^\p{L}]+/u)));

/** Makes a name such as "user-guide_v2" readable. Names of several words are unchanged. */
function nameInWords(stem: string): string {
  if (stem.includes(' ')) return stem.replace(/_+/g, ' ');
  const words = stem.replace(/_+|(?<!\d)-|-(?!\d)/g, ' ').trim();
  return words.includes(' ') && words === words.toLowerCase()
    ? words.slice(0, 1).toUpperCase() + words.slice(1)
    : words;
}

function titleOf(parsed: ParsedDocument, stem: string, format: string): string {
  const { blocks } = parsed;
  const head = blocks.slice(0, headBlocks);
  const running = runningHeaders(blocks);
  const names = (text: string) =>
    namesDocument(text) && !running.has(keyOf(text)) && !isOneOfMany(text, blocks);
  const tops = blocks.filter((block) => block.kind === 'heading' && block.level === 1 && names(block.text));
  const lines = head.flatMap((block) => (isText(block) ? block.text.split('\n').map(tidyLine) : []));
  const act = format === 'jsonl' ? null : titleOfAct(lines.filter((line) => !running.has(keyOf(line))));
  const [top] = tops;
  if (tops.length === 1 && top?.kind === 'heading' && head.includes(top)) {
    // "КОНСТИТУЦИЯ", with the name of the state on the next line.
    return act?.startsWith(`${top.text} `) || act?.endsWith(` ${top.text}`) ? act : top.text;
  }
  if (act !== null) return act;
  const inWords = nameInWords(stem);
  const named = parsed.title === null ? '' : tidyLine(parsed.title);
  if (names(named) && !isMadeUp(named) && named !== stem) return named;
  // A record without a stated title has no title: its id is not informative, and its first line is part of its text.
  if (format === 'jsonl') return '';
  // Stamps and the like are skipped; only the line after them can be the title.
  const first = head.find(
    (block) => !isText(block) || (namesDocument(block.text) && !running.has(keyOf(block.text))),
  );
  const isDescriptive = /\s/.test(stem) || /[^\p{ASCII}]/u.test(stem);
  const line =
    first &&
    isText(first) &&
    names(first.text) &&
    // All slides have the same level; the first one has the title.
    !(first.kind === 'heading' && format !== 'pptx' && isOneOfEquals(first, blocks, inWords))
      ? first.text.split('\n', 1)[0]!
      : '';
  const flat = format === 'text' || format === 'csv' || format === 'xlsx';
  if (line !== '' && first?.kind === 'heading' && first.level < 2 && !flat) return line;
  if (isDescriptive) return inWords;
  return line !== '' && line.length <= longestLine && isTitleLike(line) && format !== 'xlsx' ? line : inWords;
}

/**
 * Whether a heading has siblings, which means that it names a section. A first-level heading may still be the title,
 * unless the file name is more informative.
 */
function isOneOfEquals(
  heading: Extract<Block, { kind: 'heading' }>,
  blocks: readonly Block[],
  inWords: string,
): boolean {
  const beside =
    blocks.filter((block) => block.kind === 'heading' && block.level <= heading.level).length - 1;
  return heading.level > 1 ? beside > 0 : beside > 1 && inWords.includes(' ');
}

function isText(block: Block): block is Extract<Block, { kind: 'heading' | 'paragraph' }> {
  return block.kind === 'heading' || block.kind === 'paragraph';
}

/** Words in stamps, tables of contents, dates and numbers. A line made up only of such words is not a title. */
const formWords = new Set([...wordsOfAll('documents.formWords'), ...wordsOfAll('calendar.months')]);

/** Lines about the status of a document: "Утверждён приказом …", "Adopted by …". */
const remark = new RegExp(`^[("«\\[*]*${anyOf(...phrasesOfAll('documents.remarks'))}(?!\\p{L})`, 'u');
/** Whether a line states the status of a document. */
export const isRemark = (line: string): boolean => remark.test(foldLetters(line.trim()));

const town = new RegExp(`^(?:${anyOf(...phrasesOfAll('documents.town'))}(?:(?<=\\.)|\\s)|№|n )`, 'u');
const dated = new RegExp(
  `^(?:${anyOf(...wordsOfAll('documents.dated'))}\\s+\\d|\\d{1,2}\\s+\\p{L}+\\s+\\d{4}(?!\\p{L}))`,
  'u',
);
const madeUp = new RegExp(`^${anyOf(...phrasesOfAll('documents.untitled'))}[\\s-]*\\d*$`, 'u');

/** Whether a line can be a document title on its own. */
export function namesDocument(line: string): boolean {
  const text = line.trim();
  if (text === '' || text.length > longestTitle || /^\([^()]*\)$/.test(text)) return false;
  const low = foldLetters(text);
  const said = (low.match(/\p{L}+/gu) ?? []).filter((word) => !formWords.has(word));
  // Only a name or a letter remains of "г. Москва" and "№ 571-п".
  if (said.length === 0 || (said.length < 2 && town.test(low))) return false;
  return !dated.test(low) && !remark.test(low);
}

/** Whether a program generated the title: it is empty or the file name. */
function isMadeUp(title: string): boolean {
  return (
    madeUp.test(foldLetters(title)) ||
    /^microsoft (?:word|powerpoint|excel)|\.(?:docx?|pptx?|xlsx?|pdf|rtf|odt|indd|qxd|html?)$/i.test(title)
  );
}

const keyOf = (text: string) => text.replace(/\d+/g, '#').toLowerCase();

/** Lines that are repeated as separate blocks. */
function runningHeaders(blocks: readonly Block[]): ReadonlySet<string> {
  const lines = blocks.filter(isText).filter(({ text }) => text.length <= longestTitle);
  const alike = Map.groupBy(lines, ({ text }) => keyOf(text));
  return new Set([...alike].flatMap(([key, { length }]) => (length >= runningTimes ? [key] : [])));
}

/** Whether a line is one of several articles or questions. Annexes do not count. */
function isOneOfMany(line: string, blocks: readonly Block[]): boolean {
  if (line.endsWith('?'))
    return blocks.filter((block) => block.kind === 'heading' && block.text.endsWith('?')).length > 1;
  const unit = readProvision(line)?.unit;
  if (unit === undefined || unit === 'annex') return false;
  const alike = blocks.filter((block) => 'text' in block && readProvision(firstLine(block))?.unit === unit);
  return alike.length > 1;
}

const titles = languages.map((language) => ({
  first: listOf(textOf(language, 'acts.titles.first')),
  adjectives: listOf(textOf(language, 'acts.titles.adjectives')),
  followedBy: listOf(textOf(language, 'acts.titles.followedBy')),
}));
/** Kinds of acts, at the start or end of a line at the head of the document. */
const kindFirst = new RegExp(
  titles
    .filter(({ first }) => first.length > 0)
    .map(({ first, adjectives, followedBy }) => {
      const before = `(?:\\p{L}+${adjectives.length === 0 ? '' : anyOf(...adjectives)}\\s+){0,3}`;
      const after = followedBy.length === 0 ? '(?!\\p{L})' : `(?=$|\\s+${anyOf(...followedBy)}\\s)`;
      return `^${before}${anyOf(...first)}${after}`;
    })
    .join('|'),
  'iu',
);
const kindLast = new RegExp(`${anyOf(...listOf(joined('acts.titles.last')))}$`, 'iu');
const topicOpens = [...wordsOfAll('acts.topicOpens')].flatMap((word) => [
  word.slice(0, 1).toUpperCase() + word.slice(1),
  word.toUpperCase(),
]);
const subject = new RegExp(`^[^\\p{L}\\d]*${anyOf(...topicOpens)}\\s+\\p{L}`, 'u');
/** Endings of a genitive line that belongs with the next one: "Қазақстан Республикасының". */
const owner = new RegExp(`${anyOf(...listOf(joined('acts.owner')))}$`, 'iu');
const ofState = new RegExp(`^${anyOf(...wordsOfAll('provisions.of'))}\\s`, 'iu');

/** A line in capitals together with the following lines in capitals; any other line alone. */
function wrapped(lines: readonly string[]): string {
  const end = lines.findIndex((line) => line !== line.toUpperCase() || /\d/.test(line));
  return lines
    .slice(0, end < 0 ? lines.length : Math.max(1, end))
    .join(' ')
    .slice(0, longestTitle);
}

/** Maximum number of lines between the kind of an act and its subject, such as the date, number and place. */
const mostBetween = 5;

/**
 * The title in the lines at the head of an act, such as "КОНСТИТУЦИЯ" above "РЕСПУБЛИКИ КЕНСАЙ", or "ФЕДЕРАЛЬНЫЙ ЗАКОН"
 * above "О персональных данных". The issuer, stamps, dates and numbers are omitted. Null if prose precedes the kind of
 * act, because then it is not the head of an act.
 */
function titleOfAct(lines: readonly string[]): string | null {
  for (const [i, line] of lines.entries()) {
    if (!namesDocument(line)) continue;
    if (!isTitleLike(line)) return null;
    if (kindLast.test(line)) {
      const above = lines[i - 1];
      return line.includes(' ') || above === undefined ? line : owner.test(above) ? `${above} ${line}` : null;
    }
    const kind = kindFirst.exec(line)?.[0];
    if (kind === undefined) continue;
    const below = lines.slice(i + 1, i + 2 + mostBetween);
    const about = below.findIndex((other) => subject.test(other) && other.length <= longestTitle);
    if (about >= 0 && !subject.test(line.slice(kind.length)))
      return `${line} ${wrapped(below.slice(about)).replace(/^[^\p{L}]+|\.$/gu, '')}`;
    if (kind !== line) return line;
    const [next = ''] = below;
    const owned =
      next.includes(' ') &&
      (isTitleLike(next) || ofState.test(next)) &&
      namesDocument(next) &&
      readProvision(next) === null;
    return owned ? `${line} ${next}` : line.includes(' ') ? line : null;
  }
  return null;
}
