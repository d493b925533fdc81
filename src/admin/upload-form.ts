/**
 * Forms that contain a document: they are received into a temporary folder, checked like a JSON body, and deleted once
 * the request has been answered.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { languages } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { faultOf, readHints } from '../formats/hints.ts';
import type { HttpServer } from '../http/context.ts';
import { ErrorResponse } from '../http/error-responses.ts';
import { reply } from '../http/operation.ts';
import { type Fault, ValidationFailure, validateRequest } from '../http/validation.ts';
import type { TemporaryFolder } from '../workers/temporary-folders.ts';
import type { Upload } from './documents.ts';

/** An optional form field; empty means absent. The empty example prevents generated forms from filling it in. */
const optional = { examples: [''] };
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ ...optional, maxLength, description }));

/** The fields of an upload other than the file, validated like a JSON body. */
export const UploadFields = Type.Object({
  corpus_id: Type.String({ maxLength: 100 }),
  layer: optionalText(100, "Default: the corpus's first layer."),
  doc_key: optionalText(500, 'Default: the file name.'),
  title: optionalText(500, "Default: the document's own title."),
  lang: Type.Optional(
    Type.Enum([...languages], { ...optional, description: 'Default: detected from the text.' }),
  ),
  url: optionalText(2000, 'Where the document can be opened.'),
  source_url: optionalText(2000, 'Where the original was published.'),
  event_date: optionalText(10, 'YYYY, YYYY-MM or YYYY-MM-DD.'),
  replace: Type.Optional(
    Type.Boolean({
      ...optional,
      description:
        'true: the upload may replace a document with the same key that came from another file; otherwise 409.',
    }),
  ),
});
export type UploadFields = Static<typeof UploadFields>;
export const UploadForm = Type.Object(
  { ...UploadFields.properties, file: Type.String({ contentMediaType: 'application/octet-stream' }) },
  { $id: 'UploadForm', description: 'Front matter in the file takes precedence over these fields.' },
);

const fileBytesMax = 64 * 1024 * 1024;
/** Below the limit of common file systems. */
const nameBytesMax = 200;
const fieldsMax = 20;
const fieldBytesMax = 8192;

/** Registers routes whose body is such a form. */
export function formRoutes(server: HttpServer, register: (scope: HttpServer) => void): void {
  void server.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: fileBytesMax, files: 1, fields: fieldsMax, fieldSize: fieldBytesMax },
    });
    register(scope);
  });
}

/** The reply of such a route to any other body. */
export const notAForm = { 415: reply('The body is not multipart/form-data.', ErrorResponse) };

/** Answers a request with its form, or with `notAForm` if it has none. */
export async function withForm<T>(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'code'>,
  admin: { openUploadFolder(): Promise<TemporaryFolder> },
  work: (form: Upload) => Promise<T>,
): Promise<T | { detail: string }> {
  if (!request.isMultipart()) {
    reply.code(415);
    return { detail: 'The request body must be multipart/form-data.' };
  }
  const folder = await admin.openUploadFolder();
  try {
    return await work(checked(await received(request, folder.path)));
  } finally {
    await folder.remove();
  }
}

interface Received {
  path: string | null;
  fields: Record<string, unknown>;
}

/** Saves the file in the folder under its own name; `path` is null if no file was sent. */
async function received(request: FastifyRequest, folder: string): Promise<Received> {
  const fields: Record<string, unknown> = {};
  let path: string | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        // Browsers also send empty form fields.
        if (part.value !== '') fields[part.fieldname] = part.value;
      } else if (part.fieldname === 'file') {
        path = join(folder, nameOf(part));
        await pipeline(part.file, createWriteStream(path));
        if (part.file.truncated)
          throw new Failure('too_large', `A file may have at most ${fileBytesMax / 1024 / 1024} MiB.`);
      } else part.file.resume();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, statusCode } = error as { code?: string; statusCode?: number };
    if (code === 'FST_FILES_LIMIT')
      throw new Failure('invalid', 'only one file can be uploaded at a time.', { field: 'file' });
    if (statusCode === 413)
      throw new Failure('too_large', 'The form has too many parts, or one is too large.');
    throw new ValidationFailure([
      { type: 'value_error', loc: ['body'], msg: 'Value error, the form cannot be read' },
    ]);
  }
  return { path, fields };
}

/** The last part of the name, without characters that file systems refuse. It becomes the document's key. */
function nameOf({ filename }: MultipartFile): string {
  const last = (filename ?? '').split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here.
  const name = last.replace(/[\u0000-\u001f\u007f<>:"|?*]/g, '_').replace(/^\.+/, '');
  const bytes = Buffer.from(name);
  if (bytes.length <= nameBytesMax) return name === '' ? 'document' : name;
  // Keep the end, which shows the format. A character that would be split is dropped.
  return bytes
    .subarray(-nameBytesMax)
    .toString()
    .replace(/^\ufffd+/, '');
}

function checked({ path, fields: { file: _, ...fields } }: Received): Upload {
  const form: TSchema =
    path === null ? Type.Object({ ...UploadFields.properties, file: Type.String() }) : UploadFields;
  const parts = { params: {}, query: {}, body: { ok: true as const, value: fields } };
  const {
    corpus_id,
    layer,
    replace = false,
    ...said
  } = validateRequest({ body: form }, parts).body as UploadFields;
  const faults: Fault[] = [];
  for (const [field, value] of Object.entries(said)) {
    const msg = faultOf(field, value);
    if (msg !== null)
      faults.push({ type: 'value_error', loc: ['body', field], msg: `Value error, ${msg}`, input: value });
  }
  if (path === null || faults.length > 0) throw new ValidationFailure(faults);
  return { path, corpus_id, layer: layer || null, replace, upload: readHints(said, [], () => {}) };
}
