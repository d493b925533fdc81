/** The names by which files of words say what they mean, the same in every language; and the rows that hold them. */
import type { Forms } from './forms.ts';

export type QuestionKind =
  | 'who'
  | 'what'
  | 'which'
  | 'whose'
  | 'many'
  | 'rank'
  | 'how'
  | 'when'
  | 'where'
  | 'whither'
  | 'whence'
  | 'why'
  | 'what for';

/** The case asked for, '' where the word does not tell. */
export type Role = 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'other' | '';

export type QuestionRow = readonly [QuestionKind, Role, Forms];

/** Units a provision can be numbered in. */
export const referenceUnits = [
  'article',
  'paragraph',
  'part',
  'point',
  'subpoint',
  'indent',
  'section',
  'chapter',
  'annex',
] as const;
export type ReferenceUnit = (typeof referenceUnits)[number];

/** Words that name a unit: how many numbers may follow, where its number may stand, and what else is special. */
export type UnitRow = readonly [
  unit: ReferenceUnit,
  forms: Forms,
  count: 'one' | 'many' | 'short',
  before: 'always' | 'ordinal' | 'never',
  ...notes: string[],
];
export type HeadingRow = readonly [ReferenceUnit, Forms];

export type ActKind =
  | 'constitution'
  | 'code'
  | 'law'
  | 'decree'
  | 'order'
  | 'resolution'
  | 'charter'
  | 'rules'
  | 'instruction'
  | 'treaty';
export type ActRow = readonly [ActKind, Forms];

/** A number in figures, the words that count, the words that order. */
export type NumberRow = readonly [value: string, cardinal: Forms, ordinal: Forms];
/** A unit of measure by one name for all languages, its forms, and the words that stand beside a number. */
export type MeasureRow = readonly [unit: string, forms: Forms];

/** What a number is multiplied by, in figures, and the abbreviations for it. */
export type MultiplierRow = readonly [value: string, forms: Forms];

/** Where the name of an office says what it is: "министр" экологии, экология "министрі", "prime minister" of Kensai. */
export type OfficeHead = 'first noun' | 'before preposition' | 'last';

/** Kinds of answer a question may ask for. `decision`: yes or no. `fitness`: what makes somebody fit for something. */
export const answerKinds = [
  'date',
  'duration',
  'frequency',
  'age',
  'number',
  'money',
  'person',
  'fitness',
  'place',
  'reason',
  'way',
  'decision',
  'definition',
  'list',
] as const;
export type AnswerKind = (typeof answerKinds)[number];
