/** Rows of a sheet or a CSV file as blocks: question–answer pairs, records named by their columns, or plain rows. */
import { wordsOfAll } from '../../text/languages/index.ts';
import { type Block, tidyLine } from '../blocks.ts';

const questionNames = wordsOfAll((pack) => pack.documents.questionColumn);
const answerNames = wordsOfAll((pack) => pack.documents.answerColumn);

/**
 * With a row of column names on top each row becomes a paragraph of one line "Column: value; Column: value", so that it can be
 * found and quoted on its own; columns named question and answer, in any language, make pairs.
 */
export function tableBlocks(rows: readonly (readonly string[])[]): Block[] {
  const filled = rows
    .map((row) => row.map((cell) => tidyLine(cell)))
    .filter((row) => row.some((cell) => cell !== ''));
  const names = filled[0];
  if (!names) return [];
  if (!isHeader(names, filled.length))
    return filled.map((cells) => ({ kind: 'row', cells: trimmed(cells), header: false }));
  const question = names.findIndex((name) => questionNames.has(name.toLowerCase()));
  const answer = names.findIndex((name) => answerNames.has(name.toLowerCase()));
  const blocks: Block[] = [];
  for (const row of filled.slice(1)) {
    if (question >= 0 && answer >= 0) {
      const pair = { question: row[question] ?? '', answer: row[answer] ?? '' };
      if (pair.question !== '' && pair.answer !== '') {
        blocks.push({
          kind: 'pair',
          question: pair.question,
          answer: [{ kind: 'paragraph', text: pair.answer }],
        });
        continue;
      }
    }
    const parts = row.flatMap((cell, n) => (cell === '' ? [] : [names[n] ? `${names[n]}: ${cell}` : cell]));
    blocks.push({ kind: 'paragraph', text: parts.join('; ') });
  }
  return blocks;
}

function isHeader(names: readonly string[], rows: number): boolean {
  const used = names.filter((name) => name !== '');
  if (rows < 2 || used.length < 2 || used.length < names.length * 0.6) return false;
  return new Set(used).size === used.length && used.every((name) => name.length <= 80 && /\p{L}/u.test(name));
}

function trimmed(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell !== '');
}
