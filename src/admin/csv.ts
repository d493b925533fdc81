/**
 * Lists as tables: RFC 4180, with the names of the fields in the first line, behind the mark by which Excel knows UTF-8.
 * What a spreadsheet would take for a formula is begun with an apostrophe, since people's questions stand in it (OWASP,
 * CSV injection).
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { reply } from '../http/operation.ts';
import type { Listed, Page } from '../schema.ts';

const pageSize = 500;

/** Whether a request wants a table instead of JSON. */
export function wantsCsv({ headers, query }: FastifyRequest): boolean {
  const { format } = query as { format?: string };
  return format === undefined ? /\btext\/csv\b/.test(headers.accept ?? '') : format === 'csv';
}

/** A list's success, as JSON or as a table. */
export const replyOrCsv = <T extends TSchema>(description: string, list: T, columns: readonly string[]) => ({
  description,
  content: {
    ...reply(description, list).content,
    'text/csv': { schema: Type.String({ examples: [line(columns)] }) },
  },
});

/**
 * Sends all records that `page` hands out as a table, or only the page asked for where the request names one. Records
 * that come in meanwhile are none of its matter: the caller bounds them.
 */
export async function sendCsv<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, columns, asked }: { name: string; columns: readonly string[]; asked: Page },
  page: (of: Page) => Promise<Listed<T>>,
): Promise<never> {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const whole = !searchParams.has('limit') && !searchParams.has('offset');
  // Read before the head is written: what fails now is told as any failure.
  let read = await page(whole ? { limit: pageSize, offset: 0 } : asked);
  async function* lines(): AsyncGenerator<string> {
    yield byteOrderMark + line(columns);
    for (;;) {
      yield read.items.map((item) => line(columns.map((column) => item[column as keyof T]))).join('');
      if (!whole || read.items.length < pageSize) return;
      read = await page({ limit: pageSize, offset: read.offset + pageSize });
    }
  }
  reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
  });
  return reply.send(Readable.from(lines())) as never;
}

const byteOrderMark = '\ufeff';
/** What begins a formula, in either width, behind whatever a spreadsheet skips. */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/** A line of a table. */
export function line(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = Array.isArray(value)
    ? value.join('; ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  const safe = formula.test(text) ? `'${text}` : text;
  // Any of these parts cells somewhere.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
