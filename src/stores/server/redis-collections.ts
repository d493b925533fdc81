/**
 * Records as hashes: the JSON, and beside it what the Query Engine filters, sorts and searches by. Filters are tags
 * spelt with letters, digits and "_" alone, so that no value needs an escape, and null is a value too. A number or
 * time sorts by a string: its value, then the record's place in the order in which records were made, so that the
 * order is whole. Texts are stems (src/text/words.ts), as in the embedded store.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../failures.ts';
import type { CollectionSchema, Doc, FieldType, Query } from '../../ports/read-models.ts';
import { stems } from '../../text/words.ts';
import type { RecordWrite } from '../records.ts';
import { type Command, indexedMs, wordMs } from './redis-commit.ts';
import type { Arg } from './redis-connection.ts';
import type { Index, IndexField } from './redis-index.ts';

export type Fields = Record<string, FieldType>;

const sorted = (type: FieldType | undefined) => type === 'number' || type === 'time';
const filtered = (type: FieldType | undefined) => type === 'number' || type === 'tag';

const sortable = (name: string): IndexField => ({
  name,
  type: 'TAG',
  options: ['SORTABLE', 'UNF', 'NOINDEX'],
});

/** The index of a collection. `any` stands in every record: without a field to filter by none would be found. */
export function collectionIndex(name: string, { fields }: CollectionSchema): Index {
  const list: IndexField[] = [{ name: 'any', type: 'TAG', options: [] }, sortable('key')];
  for (const [field, type] of Object.entries(fields)) {
    if (filtered(type))
      list.push({ name: `f_${field}`, type: 'TAG', options: ['SEPARATOR', ',', 'CASESENSITIVE'] });
    if (sorted(type)) list.push(sortable(`s_${field}`));
    if (type === 'time') list.push({ name: `t_${field}`, type: 'NUMERIC', options: [] });
  }
  if (Object.values(fields).includes('text')) list.push({ name: 'words', type: 'TEXT', options: ['NOSTEM'] });
  return { name, fields: list };
}

const longestTag = 200;

/** A value as a tag. Different values, null among them, have different tags. */
function tagOf(value: unknown): string {
  if (value === undefined || value === null) return '_n';
  const text =
    typeof value === 'boolean'
      ? String(Number(value))
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  if (text === '') return '_z';
  const tag = text.replace(/[^A-Za-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return tag.length <= longestTag ? tag : `_h${createHash('sha256').update(text).digest('hex')}`;
}

const float = new DataView(new ArrayBuffer(8));

/** A number as a string that sorts as it does; empty for what is none. */
function sortableNumber(value: unknown): string {
  const n = typeof value === 'boolean' ? Number(value) : value;
  if (typeof n !== 'number' || !Number.isFinite(n)) return '';
  float.setFloat64(0, n + 0);
  let bits = float.getBigUint64(0);
  bits ^= bits >> 63n === 1n ? 0xffff_ffff_ffff_ffffn : 0x8000_0000_0000_0000n;
  return bits.toString(16).padStart(16, '0');
}

const sortKey = (type: FieldType | undefined, value: unknown, made: string): string =>
  `${type === 'number' ? sortableNumber(value) : typeof value === 'string' ? value : ''} ${made}`;

/** The place of the n-th record made in a build. */
export const madeKey = (n: number): string => n.toString(36).padStart(9, '0');

/** Writes a record whole. `made`: its place. */
export function putCommand(hash: string, fields: Fields, key: string, doc: Doc, made: string): Command {
  const args: Arg[] = ['HSET', hash, 'doc', JSON.stringify(doc), 'made', made, 'any', '1', 'key', key];
  const texts: string[] = [];
  for (const [field, type] of Object.entries(fields)) {
    const value = doc[field];
    if (type === 'tag')
      args.push(`f_${field}`, Array.isArray(value) ? value.map(tagOf).join() : tagOf(value));
    else if (type === 'number') args.push(`f_${field}`, tagOf(value));
    else if (type === 'text' && typeof value === 'string') texts.push(value);
    if (sorted(type)) args.push(`s_${field}`, sortKey(type, value, made));
    const moment = type === 'time' && typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(moment)) args.push(`t_${field}`, String(moment));
  }
  let found = 0;
  if (Object.values(fields).includes('text')) {
    const list = stems(texts.join('\n'));
    found = list.length;
    args.push('words', list.join(' '));
  }
  return { args, ms: indexedMs + found * wordMs };
}

const lettersPerWord = 7;

/** What a write of a record will cost at most, without analysing it. */
export function reckon(fields: Fields, write: RecordWrite): number {
  let letters = 0;
  if ('doc' in write) {
    for (const [field, type] of Object.entries(fields)) {
      const value = write.doc[field];
      if (type === 'text' && typeof value === 'string') letters += value.length;
    }
  }
  return indexedMs + (letters / lettersPerWord) * wordMs;
}

/** A query in the words of FT.SEARCH; null when nothing can match. */
export function toSearch(
  { name, fields }: CollectionSchema,
  query: Query,
): { text: string; page: readonly [number, number]; options: string[] } | null {
  const parts: string[] = [];
  for (const [field, value] of Object.entries(query.where ?? {})) {
    if (!filtered(fields[field])) throw new Failure('internal', `${name} has no filter ${field}.`);
    if (Array.isArray(value) && value.length === 0) return null;
    parts.push(`@f_${field}:{${Array.isArray(value) ? value.map(tagOf).join('|') : tagOf(value)}}`);
  }
  if (query.between !== undefined) {
    const { field, from, before } = query.between;
    if (fields[field] !== 'time') throw new Failure('internal', `${name} has no time ${field}.`);
    const first = from === undefined ? '-inf' : String(Date.parse(from));
    const end = before === undefined ? '+inf' : `(${Date.parse(before)}`;
    parts.push(`@t_${field}:[${first} ${end}]`);
  }
  if (query.search !== undefined) {
    const terms = [...new Set(stems(query.search))];
    if (terms.length === 0) return null;
    parts.push(`@words:(${terms.join(' ')})`);
  }
  const { orderBy } = query;
  if (orderBy !== undefined && !sorted(fields[orderBy.field]))
    throw new Failure('internal', `${name} has no order by ${orderBy.field}.`);
  return {
    text: parts.length > 0 ? parts.join(' ') : '*',
    page: [query.offset ?? 0, query.limit ?? 50],
    options: [
      'VERBATIM',
      ...['SORTBY', orderBy === undefined ? 'key' : `s_${orderBy.field}`],
      orderBy?.descending ? 'DESC' : 'ASC',
      ...['RETURN', '1', 'doc'],
    ],
  };
}
