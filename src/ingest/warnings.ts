/** Warnings about how a document was read, as clauses for the summary of a run. */
import type { Block, ParsedDocument } from '../formats/blocks.ts';
import { readTable } from '../formats/tables.ts';

/** Smaller tables are clear without a header. */
const rowsWithoutHeader = 4;

export function warningsOf({ blocks, left = [], warnings = [] }: ParsedDocument): string[] {
  return [...hiddenTexts(left), ...headless(blocks), ...warnings];
}

function hiddenTexts(left: NonNullable<ParsedDocument['left']>): string[] {
  if (left.length === 0) return [];
  const characters = left.reduce((sum, { text }) => sum + text.length, 0);
  const places = [...new Set(left.map(({ where }) => where).filter((where) => where !== ''))];
  const where =
    places.length === 0 ? '' : ` in ${places.slice(0, 5).join(', ')}${places.length > 5 ? ', …' : ''}`;
  const passages = left.length === 1 ? '1 hidden passage' : `${left.length} hidden passages`;
  return [`${passages} omitted (${characters} characters)${where}`];
}

function headless(blocks: readonly Block[]): string[] {
  const tables = blocks.filter((block) => block.kind === 'table');
  const without = tables.filter(
    (table) => table.rows.length >= rowsWithoutHeader && readTable(table).names === null,
  );
  if (without.length === 0) return [];
  return [
    `${without.length} of ${tables.length} tables ${without.length === 1 ? 'has' : 'have'} no header row`,
  ];
}
