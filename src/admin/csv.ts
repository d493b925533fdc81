/**
 * Lists as CSV: RFC 4180, with field names in the first line, after the byte order mark that Excel needs to recognize
 * UTF-8. A value that a spreadsheet would interpret as a formula is prefixed with an apostrophe, because the tables
 * contain people's questions (OWASP, CSV injection).
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { reply } from '../http/operation.ts';
import type { Listed, Page } from '../schema.ts';

const pageSize = 500;

/** Whether a request asks for CSV instead of JSON. */
function wantsCsv({ headers, query }: FastifyRequest): boolean {
  const { format } = query as { format?: string };
  return format === undefined ? /\btext\/csv\b/.test(headers.accept ?? '') : format === 'csv';
}

/** The successful reply of a list, as JSON or CSV. */
export const replyOrCsv = <T extends TSchema>(description: string, list: T, columns: readonly string[]) => ({
  description,
  content: {
    ...reply(description, list).content,
    'text/csv': { schema: Type.String({ examples: [line(columns)] }) },
  },
});

/**
 * Answers a request for a list: with the requested page as JSON, or with a CSV table of that page or, if the request
 * specifies none, of all entries. `asOf` excludes entries added meanwhile, which would shift the pages of a table.
 */
export async function sendList<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, columns, asked }: { name: string; columns: readonly string[]; asked: Page },
  page: (of: Page & { asOf?: string }) => Promise<Listed<T>>,
): Promise<Listed<T>> {
  if (!wantsCsv(request)) return page(asked);
  const { searchParams } = new URL(request.url, 'http://localhost');
  const whole = !searchParams.has('limit') && !searchParams.has('offset');
  const asOf = new Date().toISOString();
  // Read before the headers are sent, so that a failure still gets a normal error reply.
  let read = await page({ ...(whole ? { limit: pageSize, offset: 0 } : asked), asOf });
  async function* lines(): AsyncGenerator<string> {
    yield byteOrderMark + line(columns);
    for (;;) {
      yield read.items.map((item) => line(columns.map((column) => item[column as keyof T]))).join('');
      if (!whole || read.items.length < pageSize) return;
      read = await page({ limit: pageSize, offset: read.offset + pageSize, asOf });
    }
  }
  reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
  });
  return reply.send(Readable.from(lines())) as never;
}

const byteOrderMark = '\ufeff';
/** Matches the start of a formula, in ASCII or full-width characters, after characters that a spreadsheet skips. */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

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
  // Some programs treat each of these characters as a separator.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
