/** The words and abbreviations that name numbered provisions. */
import {
  isSo,
  type Language,
  languages,
  ofEach,
  type ReferenceUnit,
  rowsOf,
  type UnitRow,
  WordTable,
} from '../languages/index.ts';
import { foldLetters } from '../words.ts';

export { type ReferenceUnit, referenceUnits } from '../languages/index.ts';

export interface UnitForm {
  unit: ReferenceUnit;
  /** null for a sign: "§". */
  language: Language | null;
  /** Several numbers may follow, joined by commas, "и" or a dash. */
  plural: boolean;
  /** "ст.", "п.": a full stop may separate it from its number. */
  short: boolean;
  /** Whether its number can precede it: always ("23 статья"), as an ordinal ("23-й пункт"), or never. */
  before: 'always' | 'ordinal' | 'never';
  /** Whether its number can come after it. */
  behind: boolean;
  /** It belongs to a provision named before it. */
  owned: boolean;
  /** Its meaning if a point follows it. */
  beforePoint: ReferenceUnit;
}

const forms = new WordTable<UnitForm>();
for (const language of languages)
  for (const [unit, words, count, before, notes = ''] of rowsOf<UnitRow>(language, 'provisions.units')) {
    const isOther = /(?<=beforePoint:)\w+/.exec(notes);
    forms.add(words, {
      unit,
      language,
      plural: count !== 'one',
      short: count === 'short',
      before,
      behind: !notes.includes('notBehind'),
      owned: notes.includes('owned'),
      beforePoint: isOther === null ? unit : (isOther[0] as ReferenceUnit),
    });
  }
const sign: UnitForm = {
  unit: 'paragraph',
  language: null,
  plural: true,
  short: true,
  before: 'never',
  behind: true,
  owned: false,
  beforePoint: 'paragraph',
};

/** Nesting order: a higher rank is inside a lower one. */
export const rank: Record<ReferenceUnit, number> = {
  annex: 0,
  section: 0,
  chapter: 0,
  article: 1,
  paragraph: 2,
  part: 2,
  point: 3,
  subpoint: 4,
  indent: 5,
};

/** The unit a lower-case word names; null for any other word. */
export function unitOf(word: string): UnitForm | null {
  if (/^§+$/.test(word)) return sign;
  return forms.get(foldLetters(word)) ?? null;
}

/** How a language places numbers next to its unit words. */
const habitsOf = ofEach((language) => ({
  numberFirst: isSo(language, 'provisions.numberFirst'),
  ordinalBehind: isSo(language, 'provisions.ordinalBehind'),
  romanBefore: isSo(language, 'provisions.romanBefore'),
}));
export const habits = ({ language }: UnitForm) => (language === null ? null : habitsOf[language]);
