/** What amounts and provisions are called in the language of their texts. */
import { type Language, type MeasureRow, ofEach, rowsOf } from '../text/languages/index.ts';
import { calledIn } from '../text/references/names.ts';
import { referenceUnits } from '../text/references/parse.ts';
import { whenAsked } from '../text/when-asked.ts';

const known = ofEach((language) =>
  whenAsked(() => {
    const measures = ['entities.units', 'entities.money', 'entities.powers'].flatMap((name) =>
      rowsOf<MeasureRow>(language, name),
    );
    return {
      words: new Map(measures.map(([unit, , counted]) => [unit, counted.split(' ')])),
      plurals: new Intl.PluralRules(language),
      figures: new Intl.NumberFormat(language, { maximumFractionDigits: 12 }),
    };
  }),
);

/** Which of the words beside a number is taken; a part of one is counted as a few are. */
const formIndex: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, many: 2 };

/** An amount by its value: "2000 square metre" as "2 000 квадратных метров". */
export function amountLabel(value: string, lang: Language): string {
  const { words, plurals, figures } = known[lang]();
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
  return known ? calledIn(lang, known, number) : `${unit} ${number}`;
}
