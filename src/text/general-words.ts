/** The words of general language, whatever the subject: whoever types one of them has made no mistake. */
import { FactsByStem } from './by-stem.ts';
import { type ActRow, formsOf, joined, type NumberRow, rowsOfAll, type UnitRow } from './languages/index.ts';
import { stopWords } from './stopwords.ts';
import { whenAsked } from './when-asked.ts';
import { foldWord, stem } from './words.ts';

const lists = [
  joined(
    'stopWords.reporting',
    'stopWords.lowWeight',
    'stopWords.linking',
    'stopWords.existence',
    'thesaurus.synonyms',
    'thesaurus.related',
    'numbers.amounts',
    'calendar.months',
    'calendar.monthForms',
    'calendar.weekdays',
    'calendar.years',
    'answers.units.time',
    'answers.units.money',
    'dialogue.owned',
  ),
  ...rowsOfAll<NumberRow>('numbers.words').flatMap(([, cardinal, ordinal]) => [cardinal, ordinal]),
  ...rowsOfAll<UnitRow>('provisions.units').map(([, forms]) => forms),
  ...rowsOfAll<ActRow>('acts.kinds').map(([, forms]) => forms),
];

const known = whenAsked(() => {
  const listed = lists
    .flatMap(formsOf)
    .filter((form) => !form.endsWith('*'))
    .map(foldWord);
  return new FactsByStem([...new Set([...stopWords, ...listed])].map((word) => [word, true] as const));
});

/** Whether a folded word, or a form of it, is one of general language. */
export const isGeneralWord = (word: string): boolean =>
  stopWords.has(word) || known().get(stem(word)).size > 0;
