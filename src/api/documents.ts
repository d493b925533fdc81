/** Documents, their chunks, and uploads. */
import { type Static, Type } from 'typebox';
import { languages } from '../domain/events.ts';
import * as sample from './sample.ts';
import {
  asOf,
  Count,
  exampleOf,
  filter,
  Lang,
  listOf,
  NullableText,
  orNull,
  page,
  record,
  Time,
  wholePage,
} from './schema.ts';

export const DocumentsQuery = Type.Object({
  ...wholePage,
  corpus_id: filter('Only documents of this corpus.'),
  search: filter('Words in the title, compared by stem.'),
  ...asOf,
});
export const DocIdPath = Type.Object({ doc_id: Type.Integer() });
export const ChunksQuery = Type.Object({ ...page(200), ...asOf });

export const Document = record(
  'Document',
  {
    doc_id: Type.Integer(),
    doc_key: Type.String(),
    corpus_id: Type.String(),
    title: NullableText,
    lang: NullableText,
    layer: NullableText,
    status: Type.Enum(['ingesting', 'published', 'withdrawn']),
    revision: orNull(Type.Integer()),
    content_hash: NullableText,
    chunk_count: Count,
    embedded_count: Count,
    url: NullableText,
    source_url: NullableText,
    event_date: NullableText,
    updated_at: orNull(Time),
  },
  {
    example: {
      doc_id: 30,
      doc_key: 'norm/constitution-en',
      corpus_id: 'krk_2026',
      title: 'Constitution of the Republic of Kensai',
      lang: 'en',
      layer: 'norm',
      status: 'published',
      revision: 1,
      content_hash: sample.contentHash,
      chunk_count: 96,
      embedded_count: 96,
      url: null,
      source_url: null,
      event_date: null,
      updated_at: sample.earlier,
    },
  },
);
export type Document = Static<typeof Document>;
export const DocumentList = listOf(Document);

export const Chunk = record(
  'Chunk',
  {
    chunk_index: Type.String(),
    ref: Type.String(),
    heading: Type.String(),
    text: Type.String(),
    lang: Lang,
    start: Type.Integer({ description: "UTF-16 offset into the revision's text." }),
    end: Type.Integer({ description: 'UTF-16 offset of the end of the chunk (exclusive).' }),
    embedded: Type.Boolean(),
  },
  {
    example: {
      chunk_index: '17',
      ref: 'norm/constitution-en#17',
      heading: 'Article 17. Peaceful Assembly',
      text: sample.answer,
      lang: 'en',
      start: 7777,
      end: 7893,
      embedded: true,
    },
  },
);
export type Chunk = Static<typeof Chunk>;
export const ChunkList = listOf(Chunk);

/** Of a form: left empty, it is not there. The example keeps a form made of the document from being filled in. */
const optional = { examples: [''] };
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ ...optional, maxLength, description }));

/** The fields of an upload besides the file itself; checked as a JSON body is. */
export const UploadFields = Type.Object({
  corpus_id: Type.String({ maxLength: 100 }),
  layer: optionalText(100, "Absent: the corpus' first layer."),
  doc_key: optionalText(500, "Absent: the file's name."),
  title: optionalText(500, "Absent: the document's own title."),
  lang: Type.Optional(
    Type.Enum([...languages], { ...optional, description: 'Absent: detected from the text.' }),
  ),
  url: optionalText(2000, 'Where the document can be opened.'),
  source_url: optionalText(2000, 'Where the original was published.'),
  event_date: optionalText(10, 'YYYY, YYYY-MM or YYYY-MM-DD.'),
  replace: Type.Optional(
    Type.Boolean({
      ...optional,
      description:
        'true: may replace a document with the same key that came from another file; otherwise 409.',
    }),
  ),
});
export type UploadFields = Static<typeof UploadFields>;
export const UploadForm = Type.Object(
  { ...UploadFields.properties, file: Type.String({ contentMediaType: 'application/octet-stream' }) },
  { $id: 'UploadForm', description: 'Front matter in the file takes precedence over these fields.' },
);

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
      corpus_id: 'krk_2026',
      added: 1,
      revised: 0,
      unchanged: 0,
      chunks: 96,
      skipped: [],
      documents: [exampleOf(Document)],
    },
  },
);
export type UploadResult = Static<typeof UploadResult>;
