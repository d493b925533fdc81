/** The FAQ cache: questions that are answered at once, as long as the sources of their answers stay what they are. */
import { type Static, Type } from 'typebox';
import * as sample from './sample.ts';
import { asOf, Count, Lang, listOf, orNull, record, Time, wholePage } from './schema.ts';

export const FaqQuery = Type.Object({ ...wholePage, ...asOf });
export const EntryIdPath = Type.Object({ entry_id: Type.Integer() });

const pair = {
  corpus_id: 'krk_2026',
  question: 'When does the Constitution come into force?',
  answer: 'On 1 July 2026.',
};

export const FaqPairRequest = record(
  'FaqPairRequest',
  {
    corpus_id: Type.String({ maxLength: 100 }),
    question: Type.String({ minLength: 1, maxLength: 2000, 'x-not-blank': true }),
    answer: Type.String({ minLength: 1, maxLength: 20_000, 'x-not-blank': true }),
  },
  { example: pair },
);
export type FaqPairRequest = Static<typeof FaqPairRequest>;

export const FaqEntry = record(
  'FaqEntry',
  {
    entry_id: Type.Integer(),
    corpus_id: Type.String(),
    question: Type.String(),
    answer: Type.String(),
    lang: Lang,
    origin: Type.Enum(['layer', 'curated', 'repeated'], {
      description: 'A FAQ layer, an administrator, or an answer that was given several times.',
    }),
    source_refs: Type.Array(Type.String()),
    hits: Count,
    last_hit_at: orNull(Time),
    created_at: Time,
  },
  {
    example: {
      entry_id: 3,
      ...pair,
      lang: 'en',
      origin: 'curated',
      source_refs: [],
      hits: 17,
      last_hit_at: sample.now,
      created_at: sample.earlier,
    },
  },
);
export type FaqEntry = Static<typeof FaqEntry>;
export const FaqList = listOf(FaqEntry);
