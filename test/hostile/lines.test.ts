/** Lines of documents may have any length, so reading one must take linear time, not quadratic. */
import { expect, test } from 'vitest';
import { isContentsLine, joinWrapped, tidyLine, tidyLines } from '../../src/formats/blocks.ts';
import { cutFrontMatter } from '../../src/formats/front-matter.ts';
import { parseMarkdown } from '../../src/formats/markdown.ts';
import { overBudget } from './budget.ts';
import { filled } from './corpus.ts';

const long = 20_000;
const line = (unit: string) => `a${filled([unit], long)}a`;

test.each<[string, () => unknown]>([
  ['spaces within a line', () => tidyLine(line(' '))],
  ['spaces within code', () => tidyLines(line(' '))],
  ['lines of spaces', () => tidyLines(line(' \n'))],
  ['a line of dots', () => isContentsLine(line('…'))],
  ['a word with many hyphens', () => joinWrapped(`${line('а-')} `, 'б', new Set())],
  ['an endless word', () => joinWrapped(line('а'), 'б', new Set())],
  ['a field without a colon', () => cutFrontMatter(`---\n${line(' ')}\n---\nText.`)],
  ['a heading of spaces', () => parseMarkdown(`# ${line(' ')}\n`)],
])('%s', (_, read) => {
  expect(overBudget(read)).toBeNull();
});

test('a word split at the end of a line is still joined', () => {
  const joined = joinWrapped(`${line('слово ')} респуб-`, 'лика', new Set());
  expect(joined.endsWith('a республика')).toBe(true);
});
