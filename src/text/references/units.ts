/** The words and abbreviations for kinds of provisions, such as "article" and "ст.". */
import {
  isSo,
  type Language,
  languages,
  ofEach,
  type ReferenceUnit,
  rowsOf,
  type UnitRow,
  WordTable,
} from '../../language/index.ts';
import { foldLetters } from '../words.ts';

export interface UnitForm {
  unit: ReferenceUnit;
  /** Null for the sign "§". */
  language: Language | null;
  /** Whether several numbers may follow, joined by commas, "и" or a dash. */
  plural: boolean;
  /** Whether it is an abbreviation, which may end in a full stop: "ст.", "п.". */
  short: boolean;
  /** When the number may precede the unit: always ("23 статья"), only as an ordinal ("23-й пункт"), or never. */
  before: 'always' | 'ordinal' | 'never';
  /** Whether the number may follow the unit. */
  behind: boolean;
  /** Whether its form shows that it belongs to a provision named before it. */
  owned: boolean;
  /** The unit it means if a point follows it. */
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

/** Nesting order: a unit is part of units with a lower rank. */
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

/** The unit that a lower-case word names; null if it names none. */
export function unitOf(word: string): UnitForm | null {
  if (/^§+$/.test(word)) return sign;
  return forms.get(foldLetters(word)) ?? null;
}

/** The word order of units and numbers in each language. */
const habitsOf = ofEach((language) => ({
  numberFirst: isSo(language, 'provisions.numberFirst'),
  ordinalBehind: isSo(language, 'provisions.ordinalBehind'),
  romanBefore: isSo(language, 'provisions.romanBefore'),
}));
export const habits = ({ language }: UnitForm) => (language === null ? null : habitsOf[language]);
