/** Corpora: the public view, and that of administrators. */
import { type Static, Type } from 'typebox';
import { languages, styles } from '../domain/events.ts';
import * as sample from './sample.ts';
import {
  asOf,
  Count,
  exampleOf,
  Lang,
  listOf,
  NullableText,
  orNull,
  record,
  Share,
  Time,
  wholePage,
} from './schema.ts';

export const Corpus = record(
  'Corpus',
  {
    corpus_id: Type.String(),
    title: Type.String(),
    description: NullableText,
    languages: Type.Array(Lang),
    styles: Type.Array(Type.String()),
    is_default: Type.Boolean(),
    document_count: Type.Integer(),
    chunk_count: Type.Integer(),
    updated_at: orNull(Time),
    examples: Type.Array(Type.String(), { description: 'Example questions.' }),
  },
  {
    example: {
      corpus_id: 'krk_2026',
      title: 'Constitution',
      description: 'The constitution with its commentary.',
      languages: ['ru', 'kk', 'en'],
      styles: [],
      is_default: true,
      document_count: 7,
      chunk_count: 312,
      updated_at: sample.now,
      examples: ['На какой срок избирается Президент?'],
    },
  },
);
export type Corpus = Static<typeof Corpus>;
export const CorpusList = Type.Array(Corpus, { examples: [[exampleOf(Corpus)]] });

export const CorpusIdPath = Type.Object({ corpus_id: Type.String() });
export const CorporaQuery = Type.Object({ ...wholePage, ...asOf });

const kinds = ['text', 'faq', 'superseded'] as const;
const visibilities = ['public', 'restricted'] as const;

const LayerSettings = record(
  'LayerSettings',
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    title: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    kind: Type.Optional(
      Type.Enum([...kinds], {
        default: 'text',
        description: 'faq: question–answer pairs; superseded: no longer in force. Default text.',
      }),
    ),
    visibility: Type.Optional(
      Type.Enum([...visibilities], {
        default: 'public',
        description: 'restricted: never retrieved, still listed for administrators. Default public.',
      }),
    ),
  },
  { example: { name: 'norm', title: 'The norm' } },
);
const corpusSettings = {
  description: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
  languages: Type.Optional(Type.Array(Type.Enum([...languages]), { maxItems: languages.length })),
  styles: Type.Optional(Type.Array(Type.Enum([...styles]), { maxItems: 4 })),
  layers: Type.Optional(
    Type.Array(LayerSettings, { maxItems: 50, description: 'In order of rank, the leading layer first.' }),
  ),
};
export const CreateCorpusRequest = record(
  'CreateCorpusRequest',
  {
    corpus_id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', examples: ['handbook'] }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    ...corpusSettings,
  },
  { example: { corpus_id: 'handbook', title: 'Handbook', languages: ['en'] } },
);
export const ChangeCorpusRequest = record(
  'ChangeCorpusRequest',
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    ...corpusSettings,
    is_active: Type.Optional(Type.Boolean({ description: 'Whether questions to it are answered.' })),
  },
  {
    description: 'Only the fields given are changed.',
    example: { title: 'Staff handbook', is_active: true },
  },
);

/** One text, or one for each language. */
const Localized = Type.Union([
  Type.String(),
  Type.Object({
    ru: Type.Optional(Type.String()),
    kk: Type.Optional(Type.String()),
    en: Type.Optional(Type.String()),
  }),
]);

export const AdminCorpus = record(
  'AdminCorpus',
  {
    corpus_id: Type.String(),
    title: Localized,
    description: orNull(Localized),
    languages: Type.Array(Lang),
    styles: Type.Array(Type.Enum([...styles])),
    layers: Type.Array(
      Type.Object({
        name: Type.String(),
        title: orNull(Localized),
        kind: Type.Enum([...kinds]),
        visibility: Type.Enum([...visibilities]),
      }),
    ),
    is_active: Type.Boolean(),
    is_default: Type.Boolean(),
    document_count: Count,
    chunk_count: Count,
    embedded_chunks: Count,
    embedding_coverage: Share,
    question_count: Count,
    created_at: Time,
    updated_at: Time,
  },
  {
    example: {
      corpus_id: 'krk_2026',
      title: { ru: 'Конституция', en: 'Constitution' },
      description: null,
      languages: ['ru', 'kk', 'en'],
      styles: [],
      layers: [{ name: 'norm', title: null, kind: 'text', visibility: 'public' }],
      is_active: true,
      is_default: true,
      document_count: 36,
      chunk_count: 412,
      embedded_chunks: 400,
      embedding_coverage: 0.9708,
      question_count: 5000,
      created_at: sample.earlier,
      updated_at: sample.now,
    },
  },
);
export type AdminCorpus = Static<typeof AdminCorpus>;
export const AdminCorpusList = listOf(AdminCorpus);
