/**
 * The search parameters of the answers pages: an entry started from a question, a prompt version, a comparison,
 * reports.
 */
import { searchOf } from '../../app/search.ts';

export const curatedSearch = searchOf({ corpus_id: 'text', question: 'text', entry: 'whole' });
export const promptSearch = searchOf({ version: 'whole' });
export const evaluationsSearch = searchOf({ name: 'text', against: 'text' });

export const columnsMax = 3;
const readColumn = searchOf({
  corpus: 'text',
  style: 'text',
  model: 'text',
  prompt: 'whole',
  text: 'text',
  as_of: 'text',
});
/** A column of a comparison. With `as_of`: the sources found then and now; otherwise an answer. */
export type ComparedColumn = ReturnType<typeof readColumn>;
export interface CompareSearch {
  question?: string;
  columns?: ComparedColumn[];
}

export function compareSearch({ question, columns }: Record<string, unknown>): CompareSearch {
  const read = Array.isArray(columns)
    ? columns.slice(0, columnsMax).map((column) => readColumn(Object(column)))
    : [];
  return {
    ...(typeof question === 'string' || typeof question === 'number' ? { question: String(question) } : {}),
    ...(read.length > 0 && { columns: read }),
  };
}
