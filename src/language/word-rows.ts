/**
 * The language-independent names used in word files, and the types of the rows that contain them.
 */
import type { WordForms } from './forms.ts';

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

/** The grammatical case of the answer; '' if the question word does not determine it. */
export type Role = 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'other' | '';

export type QuestionRow = readonly [QuestionKind, Role, WordForms];

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

/** The words for a unit, how many numbers may follow, when a number may precede it, and special rules. */
export type UnitRow = readonly [
  unit: ReferenceUnit,
  forms: WordForms,
  count: 'one' | 'many' | 'short',
  before: 'always' | 'ordinal' | 'never',
  ...notes: string[],
];
export type HeadingRow = readonly [ReferenceUnit, WordForms];

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
export type ActRow = readonly [ActKind, WordForms];

/** A number in figures, its cardinal forms, and its ordinal forms. */
export type NumberRow = readonly [value: string, cardinal: WordForms, ordinal: WordForms];
/** A unit of measure: its language-independent name, and its words and abbreviations. */
export type MeasureRow = readonly [unit: string, forms: WordForms];

/** The factor in figures, and its abbreviations. */
export type MultiplierRow = readonly [value: string, forms: WordForms];

/** The position of the head noun in the name of an office: "министр" экологии, экология "министрі". */
export type OfficeHead = 'first noun' | 'before preposition' | 'last';

/** The kinds of answer that a question may ask for. `decision`: yes or no. `fitness`: what makes someone eligible. */
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
