/** The words the packs know whatever the subject: whoever types one of them has made no mistake. */
import { FactsByStem } from './by-stem.ts';
import { all, formsOf, type LanguagePack } from './languages/index.ts';
import { stopWords } from './stopwords.ts';
import { whenAsked } from './when-asked.ts';
import { foldWord, stem } from './words.ts';

const listsOf = (pack: LanguagePack) => [
  pack.stopWords.reporting,
  pack.stopWords.lowWeight,
  pack.stopWords.linking,
  pack.stopWords.existence,
  pack.synonyms,
  pack.related,
  ...pack.numbers.words.flatMap(([, cardinal, ordinal]) => [cardinal, ordinal]),
  pack.numbers.amounts,
  pack.calendar.months,
  pack.calendar.monthForms,
  pack.calendar.weekdays,
  pack.calendar.years,
  ...pack.provisions.units.map(({ forms }) => forms),
  ...pack.acts.kinds.map(([, forms]) => forms),
  pack.answers.units.time,
  pack.answers.units.money,
  pack.dialogue.owned,
];

const known = whenAsked(() => {
  const listed = all
    .flatMap(({ pack }) => listsOf(pack))
    .flatMap(formsOf)
    .filter((form) => !form.endsWith('*'))
    .map(foldWord);
  return new FactsByStem([...new Set([...stopWords, ...listed])].map((word) => [word, true] as const));
});

/** Whether a folded word, or a form of it, is one of general language that a pack names. */
export const isGeneralWord = (word: string): boolean =>
  stopWords.has(word) || known().get(stem(word)).size > 0;
