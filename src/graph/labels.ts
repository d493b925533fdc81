/** What amounts and provisions are called in the language of their texts. */
import { all, type Language, packs } from '../text/languages/index.ts';
import { referenceUnits } from '../text/references/parse.ts';
import { whenAsked } from '../text/when-asked.ts';

const inLanguage = (language: Language) =>
  whenAsked(() => {
    const { units, money, powers } = packs[language].entities;
    return {
      words: new Map([...units, ...money, ...powers].map(([unit, , counted]) => [unit, counted.split(' ')])),
      plurals: new Intl.PluralRules(language),
      figures: new Intl.NumberFormat(language, { maximumFractionDigits: 12 }),
    };
  });
const known = new Map(all.map(({ language }) => [language, inLanguage(language)]));

/** Which of the words beside a number is taken; a part of one is counted as a few are. */
const formIndex: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, many: 2 };

/** An amount by its value: "2000 square metre" as "2 000 квадратных метров". */
export function amountLabel(value: string, lang: Language): string {
  const { words, plurals, figures } = known.get(lang)!();
  const [figure = '', ...units] = value.split(' ');
  const index = formIndex[plurals.select(Number(figure))] ?? 1;
  const named = units.map((unit) => {
    const counted = words.get(unit) ?? [unit];
    return counted[Math.min(index, counted.length - 1)]!;
  });
  return [figures.format(Number(figure)), ...named].join(' ');
}

/** A provision by its unit and number: "статья 5". */
export function provisionLabel(unit: string, number: string, lang: Language): string {
  const known = referenceUnits.find((one) => one === unit);
  return known ? packs[lang].phrases.called(known, number) : `${unit} ${number}`;
}
