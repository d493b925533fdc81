/**
 * Uploads of documents, and previews of how they would be parsed. Both take a form that contains a document: it is
 * received into a temporary folder, checked like a JSON body, and deleted once the request has been answered.
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
import { actingIn } from '../http/auth.ts';
import { ErrorResponse } from '../http/errors.ts';
import { reply } from '../http/operation.ts';
import { type Fault, ValidationFailure, validateRequest } from '../http/validation.ts';
import { type InspectedFile as Inspected, pageCount } from '../ingest/inspect.ts';
import type { PreparedDocument } from '../ingest/prepare.ts';
import { sentence } from '../ingest/reasons.ts';
import { Count, exampleOf, Lang, NullableText, orNull, record, sample } from '../schema.ts';
import type { AdministrationDeps } from './context.ts';
import { charactersMax, shownText, TextChunk } from './document-text.ts';
import { Document, type documents, knownLayer, type Upload } from './documents.ts';
import { type AdminDoor, operation } from './door.ts';

/** An optional form field; empty means absent. The empty example prevents generated forms from filling it in. */
const optional = { examples: [''] };
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ ...optional, maxLength, description }));

/** The fields of an upload other than the file, validated like a JSON body. */
const UploadFields = Type.Object({
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
type UploadFields = Static<typeof UploadFields>;
const UploadForm = Type.Object(
  { ...UploadFields.properties, file: Type.String({ contentMediaType: 'application/octet-stream' }) },
  { $id: 'UploadForm', description: 'Front matter in the file takes precedence over these fields.' },
);

const fileBytesMax = 64 * 1024 * 1024;
/** Below the limit of common file systems. */
const nameBytesMax = 200;
const fieldsMax = 20;
const fieldBytesMax = 8192;

/** The reply of such a route to any other body. */
const notAForm = { 415: reply('The body is not multipart/form-data.', ErrorResponse) };

/** Answers a request with its form, or with `notAForm` if it has none. */
async function withForm<T>(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'code'>,
  admin: Pick<ReturnType<typeof documents>, 'openUploadFolder'>,
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

export const UploadResult = record(
  'UploadResult',
  {
    corpus_id: Type.String(),
    added: Count,
    revised: Count,
    unchanged: Count,
    chunks: Count,
    skipped: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })),
    documents: Type.Array(Document),
  },
  {
    example: {
      corpus_id: sample.corpus_id,
      added: 1,
      revised: 0,
      unchanged: 0,
      chunks: 12,
      skipped: [],
      documents: [exampleOf(Document)],
    },
  },
);

export const InspectedDocument = record('InspectedDocument', {
  doc_key: Type.String(),
  line: orNull(
    Type.Integer({ description: 'The line of its record; null if the file is a single document.' }),
  ),
  title: Type.String(),
  lang: Lang,
  layer: Type.String(),
  event_date: NullableText,
  edition: orNull(Type.String({ description: 'The edition date stated in the text.' })),
  characters: Count,
  pages: { ...Count, description: 'Pages with text; 0 if the document has no pages.' },
  chunk_count: Count,
  text: Type.String({
    description: `The text as it would be stored, limited to the first ${charactersMax.toLocaleString('en')} characters of all documents together.`,
  }),
  chunks: Type.Array(TextChunk, { description: 'The chunks of this text, in order.' }),
  notes: Type.Array(Type.String()),
  left_out: Type.Array(Type.Object({ where: Type.String(), text: Type.String() }), {
    description: 'Hidden text that is not stored.',
  }),
});

export const Inspection = record('Inspection', {
  documents: Type.Array(InspectedDocument),
  has_more: Type.Boolean({ description: 'Whether the file has more documents than these.' }),
  faults: Type.Array(Type.Object({ line: orNull(Type.Integer()), reason: Type.String() }), {
    description: 'Records that could not be read, if the file consists of records.',
  }),
});
export type Inspection = Static<typeof Inspection>;

export function inspections({ commands, inspect }: Pick<AdministrationDeps, 'commands' | 'inspect'>) {
  return {
    /**
     * Parses a file like an upload. Fails with `not_found` if the corpus is unknown, and with `invalid` if the layer is
     * unknown or (with the reason) if nothing in the file can be read.
     */
    async inspect({ path, corpus_id, layer, upload }: Upload): Promise<Inspection> {
      const { settings } = await knownLayer({ commands }, { corpus_id, layer });
      const found = await inspect({
        path,
        layers: { layers: settings.layers, said: layer },
        hints: upload,
      }).catch((error) => {
        if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
        throw new Failure('invalid', error.detail, { field: 'file' });
      });
      return shown(found);
    },
  };
}

function shown({ documents, faults, hasMore }: Inspected): Inspection {
  let room = charactersMax;
  return {
    documents: documents.map((document) => {
      const one = shownDocument(document, room);
      room -= one.text.length;
      return one;
    }),
    has_more: hasMore,
    faults: faults.map(({ line, reason }) => ({ line, reason: sentence(reason) })),
  };
}

function shownDocument(document: PreparedDocument, room: number): Inspection['documents'][number] {
  const { key, line, title, lang, layer, event_date, edition, text, chunks, notes, left } = document;
  return {
    doc_key: key,
    line,
    title,
    lang,
    layer: layer.name,
    event_date,
    edition: edition ?? null,
    characters: text.length,
    pages: pageCount(chunks),
    chunk_count: chunks.length,
    ...shownText(text, chunks, room),
    notes: notes.map(sentence),
    left_out: left,
  };
}

export function uploadRoutes({
  server: root,
  admin,
}: AdminDoor<ReturnType<typeof documents> & ReturnType<typeof inspections>>): void {
  void root.register(async (server) => {
    await server.register(multipart, {
      limits: { fileSize: fileBytesMax, files: 1, fields: fieldsMax, fieldSize: fieldBytesMax },
    });
    server.route({
      method: 'POST',
      url: '/admin/api/documents',
      schema: {
        ...operation('admin_upload_document', 'Upload a document'),
        response: {
          200: reply('The document is unchanged.', UploadResult, {
            example: { ...(exampleOf(UploadResult) as object), added: 0, unchanged: 1, chunks: 0 },
          }),
          201: reply('Ingested.', UploadResult),
          ...notAForm,
        },
      },
      config: { errors: [404, 409, 413, 422], form: UploadForm },
      handler: (request, reply) =>
        withForm(request, reply, admin, async (form) => {
          const { report, documents } = await admin.upload(form, actingIn(request));
          const { added, revised, unchanged, chunks, skipped } = report;
          reply.code(added + revised > 0 ? 201 : 200);
          return { corpus_id: form.corpus_id, added, revised, unchanged, chunks, skipped, documents };
        }),
    });

    server.route({
      method: 'POST',
      url: '/admin/api/documents/inspect',
      schema: {
        ...operation('admin_inspect_document', 'Preview an upload'),
        description: 'Accepts the same form as an upload, but stores nothing.',
        response: {
          200: reply('The content that was read, and the content that was omitted.', Inspection),
          ...notAForm,
        },
      },
      config: { errors: [404, 413, 422], form: UploadForm },
      handler: (request, reply) => withForm(request, reply, admin, (form) => admin.inspect(form)),
    });
  });
}
