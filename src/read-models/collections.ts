/** How the read models are stored in an SQLite file: the names of tables, and the values of columns. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Build, FieldType } from '../ports/read-models.ts';

/** The version of the file format. */
export const format = 1;
/** The projection whose builds also contain the chunk index. */
export const chunkProjection = 'chunks';

export const tableOf = (collection: string, build: number) => `c_${collection}_${build}`;
export const chunkPrefix = (build: number) => `chunks_${build}_`;

export type Fields = Record<string, FieldType>;

/** Columns for tags, numbers and times. Text fields exist only in the FTS table. */
export const columnsOf = (fields: Fields) => Object.keys(fields).filter((f) => fields[f] !== 'text');
export const textOf = (fields: Fields) => Object.keys(fields).filter((f) => fields[f] === 'text');

/** A value as stored in a column. */
export const asColumn = (value: unknown): SQLInputValue => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || typeof value === 'string') return value;
  // A list of tags is stored with separators, so that a single tag can be matched.
  return Array.isArray(value) ? `\u001f${value.join('\u001f')}\u001f` : JSON.stringify(value);
};

/** All builds in a file. */
export function buildsOf(db: DatabaseSync): Build[] {
  return db
    .prepare('SELECT * FROM builds ORDER BY build')
    .all()
    .map((row) => ({
      name: String(row.name),
      version: Number(row.version),
      build: Number(row.build),
      checkpoint: row.checkpoint === null ? null : String(row.checkpoint),
      live: row.live === 1,
    }));
}
