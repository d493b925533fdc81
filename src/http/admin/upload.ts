/** Upload of a document: stored temporarily, then ingested as from the command line. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Upload } from '../../administration/documents.ts';
import { UploadFields, UploadForm, UploadResult } from '../../api/documents.ts';
import { ErrorResponse } from '../../api/errors.ts';
import { exampleOf } from '../../api/schema.ts';
import { Failure } from '../../failures.ts';
import { faultOf, readHints } from '../../ingest/hints.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { type Fault, ValidationFailure, validateRequest } from '../validation.ts';
import type { AdminDoor } from './door.ts';
import { operation } from './operation.ts';
import { makeUploadFolder, sweepUploads } from './upload-folders.ts';

const fileBytesMax = 64 * 1024 * 1024;
/** What a file system takes, with room to spare. */
const nameBytesMax = 200;
const fieldsMax = 20;
const fieldBytesMax = 8192;

const unchanged = { ...(exampleOf(UploadResult) as UploadResult), added: 0, unchanged: 1 };

export function uploadRoute({ server, admin }: AdminDoor): void {
  void server.register(async (scope) => {
    scope.addHook('onReady', () => sweepUploads());
    await scope.register(multipart, {
      limits: { fileSize: fileBytesMax, files: 1, fields: fieldsMax, fieldSize: fieldBytesMax },
    });
    scope.route({
      method: 'POST',
      url: '/admin/api/documents',
      schema: {
        ...operation('admin_upload_document', 'Upload a document'),
        response: {
          200: reply('Unchanged: it has the same content as before.', UploadResult, { example: unchanged }),
          201: reply('Ingested.', UploadResult),
          415: reply('The body is not multipart/form-data.', ErrorResponse),
        },
      },
      config: { security: 'basic', errors: [404, 409, 413, 422], form: UploadForm },
      handler: async (request, reply) => {
        if (!request.isMultipart()) {
          reply.code(415);
          return { detail: 'The request body must be multipart/form-data.' };
        }
        const folder = await makeUploadFolder();
        try {
          const form = checked(await received(request, folder));
          const { report, documents } = await admin.upload(form, actingIn(request));
          const { added, revised, unchanged, chunks, skipped } = report;
          reply.code(added + revised > 0 ? 201 : 200);
          return { corpus_id: form.corpus_id, added, revised, unchanged, chunks, skipped, documents };
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    });
  });
}

interface Received {
  path: string | null;
  fields: Record<string, unknown>;
}

/** Puts the file into the folder under its own name; `path` is null where none was sent. */
async function received(request: FastifyRequest, folder: string): Promise<Received> {
  const fields: Record<string, unknown> = {};
  let path: string | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        // A field of a form that was left empty is sent all the same.
        if (part.value !== '') fields[part.fieldname] = part.value;
      } else if (part.fieldname === 'file') {
        path = join(folder, nameOf(part));
        await pipeline(part.file, createWriteStream(path));
        if (part.file.truncated)
          throw new Failure('too_large', `A file may be ${fileBytesMax / 1024 / 1024} MiB at most.`);
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

/** The last part of the name, without what a file system would not take; it becomes the document's key. */
function nameOf({ filename }: MultipartFile): string {
  const last = (filename ?? '').split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out.
  const name = last.replace(/[\u0000-\u001f\u007f<>:"|?*]/g, '_').replace(/^\.+/, '');
  const bytes = Buffer.from(name);
  if (bytes.length <= nameBytesMax) return name === '' ? 'document' : name;
  // Its end says of which format it is; half a character at the cut is left out.
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
