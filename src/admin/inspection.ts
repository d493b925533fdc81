/** What would be read of a file that is sent, before it is uploaded. Nothing is stored. */
import { type Static, Type } from 'typebox';
import { Failure } from '../failures.ts';
import { reply } from '../http/operation.ts';
import { type Inspection as Inspected, pageCount, pageOf } from '../ingest/inspect.ts';
import type { PreparedDocument } from '../ingest/prepare.ts';
import { sentence } from '../ingest/reasons.ts';
import { Count, exampleOf, Lang, NullableText, orNull, record } from '../schema.ts';
import type { AdministrationDeps } from './context.ts';
import { knownLayer, type Upload } from './documents.ts';
import { type AdminDoor, operation } from './door.ts';
import { notAForm, UploadForm, withForm } from './upload-form.ts';

/** Longer texts of a reply are cut, so that a browser can show it. */
const charactersMax = 1_000_000;

const InspectedChunk = record(
  'InspectedChunk',
  {
    chunk_index: Type.String(),
    unit: orNull(Type.String({ description: 'What its number counts: article, paragraph, point, …' })),
    heading: Type.String(),
    path: Type.Array(Type.String(), { description: 'Headings, the outermost first.' }),
    lang: Type.String({ description: 'ISO 639-1 code.' }),
    start: Type.Integer({ description: 'UTF-16 offset into the text.' }),
    end: Type.Integer({ description: 'UTF-16 offset of the end of the chunk (exclusive).' }),
    page: orNull(Type.Integer({ description: 'The page it begins on; null if the document has no pages.' })),
    question: orNull(Type.String({ description: 'The question, if it is a pair of question and answer.' })),
  },
  {
    example: {
      ...{ chunk_index: '17', unit: 'article', heading: 'Article 17. Peaceful Assembly' },
      ...{ path: ['Section II', 'Article 17. Peaceful Assembly'], lang: 'en', start: 7777, end: 7893 },
      ...{ page: 4, question: null },
    },
  },
);

export const InspectedDocument = record(
  'InspectedDocument',
  {
    doc_key: Type.String(),
    line: orNull(Type.Integer({ description: 'Line of its record; null if the file is one document.' })),
    title: Type.String(),
    lang: Lang,
    layer: Type.String(),
    event_date: NullableText,
    edition: orNull(Type.String({ description: 'The date of the edition that the text states.' })),
    characters: Count,
    pages: { ...Count, description: 'Pages with text; 0 if the document has no pages.' },
    chunk_count: Count,
    text: Type.String({
      description: `The text as it would be stored; of all documents together, the first ${charactersMax.toLocaleString('en')} characters.`,
    }),
    chunks: Type.Array(InspectedChunk, { description: 'The chunks of this text, in order.' }),
    notes: Type.Array(Type.String()),
    left_out: Type.Array(Type.Object({ where: Type.String(), text: Type.String() }), {
      description: 'Hidden text that is not stored.',
    }),
  },
  {
    example: {
      ...{ doc_key: 'norm/constitution-en', line: null, title: 'Constitution of the Republic of Kensai' },
      ...{ lang: 'en', layer: 'norm', event_date: null, edition: null, characters: 41_207, pages: 18 },
      ...{ chunk_count: 96, text: 'Constitution of the Republic of Kensai …' },
      ...{ chunks: [exampleOf(InspectedChunk)], notes: [], left_out: [] },
    },
  },
);

export const Inspection = record(
  'Inspection',
  {
    documents: Type.Array(InspectedDocument),
    has_more: Type.Boolean({ description: 'The file has more documents than these.' }),
    faults: Type.Array(Type.Object({ line: orNull(Type.Integer()), reason: Type.String() }), {
      description: 'Records of a file of many that could not be read.',
    }),
  },
  { example: { documents: [exampleOf(InspectedDocument)], has_more: false, faults: [] } },
);
export type Inspection = Static<typeof Inspection>;

export interface Inspections {
  /**
   * What an upload of this file would read. Failure `not_found` for an unknown corpus; `invalid` for an unknown layer,
   * or with the reason if nothing of the file can be read.
   */
  inspect(sent: Upload): Promise<Inspection>;
}

export function inspections({
  commands,
  inspect,
}: Pick<AdministrationDeps, 'commands' | 'inspect'>): Inspections {
  return {
    async inspect({ path, corpus_id, layer, upload }) {
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
  const within = chunks.filter(({ end }) => end <= room);
  return {
    ...{ doc_key: key, line, title, lang, layer: layer.name, event_date, edition: edition ?? null },
    ...{ characters: text.length, pages: pageCount(chunks), chunk_count: chunks.length },
    text: within.length === chunks.length ? text : text.slice(0, within.at(-1)?.end ?? 0),
    chunks: within.map((chunk) => {
      const { chunk_index, unit, heading, path, question, start, end } = chunk;
      return {
        chunk_index,
        unit,
        heading,
        path,
        lang: chunk.lang,
        start,
        end,
        page: pageOf(chunk),
        question,
      };
    }),
    notes: notes.map(sentence),
    left_out: left,
  };
}

/** `server`: as of formRoutes. */
export function inspectionRoute({ server, admin }: AdminDoor<Inspections>): void {
  server.route({
    method: 'POST',
    url: '/admin/api/documents/inspect',
    schema: {
      ...operation('admin_inspect_document', 'Show what would be read of a document'),
      description: 'Takes the same form as an upload, and stores nothing.',
      response: { 200: reply('What was read, and what was left out.', Inspection), ...notAForm },
    },
    config: { security: 'basic', errors: [404, 413, 422], form: UploadForm },
    handler: (request, reply) => withForm(request, reply, (form) => admin.inspect(form)),
  });
}
