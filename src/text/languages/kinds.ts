/**
 * The names that word files use for meanings, the same in every language, and the types of the rows that contain them.
 */
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

/** The grammatical case asked for; '' if the word does not determine it. */
export type Role = 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'other' | '';

export type QuestionRow = readonly [QuestionKind, Role, Forms];

/** Units of numbered provisions. */
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

/** Words for a unit: how many numbers may follow, where its number may be, and special rules. */
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

/** A number in figures, its cardinal words, its ordinal words. */
export type NumberRow = readonly [value: string, cardinal: Forms, ordinal: Forms];
/** A unit of measure: its language-independent name, its forms, and the words next to a number. */
export type MeasureRow = readonly [unit: string, forms: Forms];

/** The factor in figures, and its abbreviations. */
export type MultiplierRow = readonly [value: string, forms: Forms];

/** Position of the head noun in an office: "министр" экологии, экология "министрі", "prime minister" of Kensai. */
export type OfficeHead = 'first noun' | 'before preposition' | 'last';

/** Kinds of answer a question may ask for. `decision`: yes or no. `fitness`: what qualifies somebody for something. */
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
