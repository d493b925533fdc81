/** Shows how an uploaded file would be parsed, without storing anything. */
import { type Static, Type } from 'typebox';
import { Failure } from '../failures.ts';
import { reply } from '../http/operation.ts';
import { type InspectedFile as Inspected, pageCount } from '../ingest/inspect.ts';
import type { PreparedDocument } from '../ingest/prepare.ts';
import { sentence } from '../ingest/reasons.ts';
import { Count, Lang, NullableText, orNull, record } from '../schema.ts';
import type { AdministrationDeps } from './context.ts';
import { charactersMax, shownText, TextChunk } from './document-text.ts';
import { type documents, knownLayer, type Upload } from './documents.ts';
import { type AdminDoor, operation } from './door.ts';
import { notAForm, UploadForm, withForm } from './upload-form.ts';

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
    ...{ doc_key: key, line, title, lang, layer: layer.name, event_date, edition: edition ?? null },
    ...{ characters: text.length, pages: pageCount(chunks), chunk_count: chunks.length },
    ...shownText(text, chunks, room),
    notes: notes.map(sentence),
    left_out: left,
  };
}

/** `server` is the same as for formRoutes. */
export function inspectionRoute({
  server,
  admin,
}: AdminDoor<ReturnType<typeof inspections> & Pick<ReturnType<typeof documents>, 'openUploadFolder'>>): void {
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
}
