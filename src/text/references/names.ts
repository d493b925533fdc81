/** Writes the names of provisions in each language: "статья 5", "пункта 2 статьи 5", "5-баптың 2-тармағы". */

import { type Language, ofEach, type ReferenceUnit, rowsOf, textOf } from '../../language/index.ts';
import { filled } from '../filled.ts';

/** The base form of a unit's name, and its forms on its own, as part of another unit, and as the containing unit. */
type UnitNames = readonly [called: string, alone: string, part: string, whole: string];

const units = ofEach((language) => {
  const rows = rowsOf<readonly [ReferenceUnit, ...string[]]>(language, 'phrases.units');
  return new Map(
    rows.map(([unit, called = '', alone = called, part = alone, whole = part]): [string, UnitNames] => [
      unit,
      [called, alone, part, whole],
    ]),
  );
});
const templates = ofEach((language) => ({
  called: textOf(language, 'phrases.called'),
  within: textOf(language, 'phrases.within'),
}));

/** The name of a single provision. */
export const calledIn = (language: Language, unit: ReferenceUnit, number: string): string =>
  named(language, unit, number, 0);

/** The name of a provision with its parents. `chain`: the outermost provision first. */
export function provisionName(
  language: Language,
  chain: readonly { unit: ReferenceUnit; number: string }[],
): string {
  const last = chain.length - 1;
  return chain
    .map(({ unit, number }, n) => named(language, unit, number, n < last ? 3 : last === 0 ? 1 : 2))
    .reduce((whole, part) => filled(templates[language].within, { whole, part }));
}

function named(language: Language, unit: ReferenceUnit, number: string, form: 0 | 1 | 2 | 3): string {
  const name = units[language].get(unit)?.[form] ?? unit;
  return filled(templates[language].called, { unit: name, number });
}
