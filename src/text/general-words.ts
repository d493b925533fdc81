/** The words the packs know whatever the subject: whoever types one of them has made no mistake. */
import { all, formsOf } from './languages/index.ts';
import { stopWords } from './stopwords.ts';
import { foldWord, stem } from './words.ts';

const stems = new Set([...stopWords].map(stem));
for (const { pack } of all) {
  const { stopWords: stops, numbers, calendar, provisions, acts, answers, dialogue } = pack;
  const lists = [
    stops.reporting,
    stops.light,
    stops.linking,
    stops.existence,
    pack.synonyms,
    pack.related,
    ...numbers.words.flatMap(([, cardinal, ordinal]) => [cardinal, ordinal]),
    numbers.amounts,
    calendar.months,
    calendar.monthForms,
    calendar.weekdays,
    calendar.years,
    ...provisions.units.map(({ forms }) => forms),
    ...acts.kinds.map(([, forms]) => forms),
    answers.units.time,
    answers.units.money,
    dialogue.owned,
  ];
  for (const list of lists)
    for (const word of formsOf(list)) if (!word.endsWith('*')) stems.add(stem(foldWord(word)));
}

/** Whether a folded word, or a form of it, is one of general language that a pack names. */
export const isGeneralWord = (word: string): boolean => stopWords.has(word) || stems.has(stem(word));
