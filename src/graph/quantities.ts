/** Amounts and dates of a chunk: their values are the same in every language. */
import {
  type Language,
  languages,
  type MeasureRow,
  type MultiplierRow,
  ofEach,
  rowsOf,
  rowsOfAll,
  setOf,
  tableOfAll,
  textOf,
  WordTable,
} from '../text/languages/index.ts';
import { saysHowMany, speltNumbers } from '../text/number-words.ts';
import { parseDates } from '../text/periods.ts';
import type { Token } from './tokens.ts';
import { languageOf } from './vocabulary.ts';

export interface Quantity {
  kind: 'date' | 'amount';
  /** ISO date or the beginning of one, "--05-12" where no year is named; an amount as "5000000 kzt". */
  value: string;
  start: number;
  end: number;
}

const units = ofEach((language) => {
  const table = new WordTable<string>();
  for (const name of ['entities.units', 'entities.money'])
    for (const [unit, forms] of rowsOf<MeasureRow>(language, name)) table.add(forms, unit);
  return table;
});
const multipliers = ofEach((language) => {
  const table = new WordTable<number>();
  for (const [value, forms] of rowsOf<MultiplierRow>(language, 'entities.multipliers'))
    table.add(forms, Number(value));
  return table;
});
const joins = ofEach((language) => setOf(textOf(language, 'entities.numberJoins')));
/** Languages that part thousands by a comma. */
const thousands = new Set(languages.filter((language) => textOf(language, 'entities.thousands') !== ''));
const signs: Readonly<Record<string, string>> = {
  '%': 'percent',
  '₸': 'kzt',
  '₽': 'rub',
  $: 'usd',
  '€': 'eur',
  '°': 'degree',
};
/** Words between a number and its unit: "two hundred square metres", "forty full hours". */
const powers = new WordTable<string>();
for (const [power, forms] of rowsOfAll<MeasureRow>('entities.powers')) powers.add(forms, power);
const perCent = tableOfAll('entities.percent');

interface Count {
  value: number;
  from: number;
  /** Exclusive. */
  to: number;
}

/** The numbers that count, in figures and in words. */
function counts(tokens: readonly Token[], lang: Language): Count[] {
  const out: Count[] = [];
  const spelt: { at: number; low: string }[] = [];
  const numberJoins = joins[lang];
  for (const [n, token] of tokens.entries()) {
    if (token.kind === 'number') {
      const plain = token.text.replace(/[\s\u00a0\u202f]/g, '');
      const parted = thousands.has(lang) && /^\d{1,3}(?:,\d{3})+$/.test(plain);
      const value = Number(parted ? plain.replaceAll(',', '') : plain.replace(',', '.'));
      if (Number.isFinite(value)) out.push({ value, from: n, to: n + 1 });
    }
    const joint =
      numberJoins.has(token.low) &&
      saysHowMany(lastPart(tokens[n - 1]?.low ?? ''), lang) &&
      saysHowMany(firstPart(tokens[n + 1]?.low ?? ''), lang);
    if (joint) continue;
    if (token.kind !== 'word') spelt.push({ at: n, low: '' });
    else for (const part of token.low.split('-')) spelt.push({ at: n, low: part });
  }
  for (const { at, length, value } of speltNumbers(
    spelt.map(({ low }) => low),
    lang,
  )) {
    if (value.endsWith('.')) continue;
    const [first, last] = [spelt[at]!.at, spelt[at + length - 1]!.at];
    // "шестидесятилетний", "twenty-fold": part of a word is no number.
    if (spelt[at - 1]?.at === first || spelt[at + length]?.at === last) continue;
    const before = out.find(({ to, from }) => to === first && from < first);
    // "5 миллионов".
    if (before && Number(value) >= 1000 && tokens[first]!.adjacent) {
      before.value *= Number(value);
      before.to = last + 1;
    } else out.push({ value: Number(value), from: first, to: last + 1 });
  }
  return out.sort((a, b) => a.from - b.from);
}

const lastPart = (word: string): string => word.slice(word.lastIndexOf('-') + 1);
const firstPart = (word: string): string => word.split('-', 1)[0]!;

/** The amounts of a text: a number and its unit. */
export function amountsIn(tokens: readonly Token[], lang: Language): Quantity[] {
  const out: Quantity[] = [];
  const taken = (n: number) => out.some(({ start, end }) => start < tokens[n]!.end && tokens[n]!.start < end);
  for (const count of counts(tokens, lang)) {
    let { value, to } = count;
    const language = languageOf(tokens[to]?.low ?? '', lang);
    const many = tokens[to]?.kind === 'word' ? multipliers[language].get(tokens[to]!.low) : undefined;
    if (many !== undefined) {
      value *= many;
      to += tokens[to + 1]?.text === '.' ? 2 : 1;
    }
    let power = '';
    const squared = tokens[to]?.kind === 'word' ? powers.get(tokens[to]!.low) : undefined;
    if (squared !== undefined) {
      power = `${squared} `;
      to++;
    }
    const next = tokens[to];
    const before = tokens[count.from - 1];
    let unit: string | undefined;
    if (next?.kind === 'word') {
      if (perCent.has(`${next.low}${tokens[to + 1]?.low ?? ''}`)) {
        unit = 'percent';
        to += 2;
      } else {
        unit = units[languageOf(next.low, lang)].get(next.low);
        if (unit !== undefined) to++;
      }
    } else if (next !== undefined && signs[next.text] !== undefined) {
      unit = signs[next.text];
      to++;
    }
    let { from } = count;
    if (unit === undefined && before && signs[before.text] !== undefined && before.text !== '%') {
      unit = signs[before.text];
      from--;
    }
    if (unit === undefined || taken(from)) continue;
    // "2024 год", "1995 жыл": a year and no number of years.
    if (unit === 'year' && value >= 1500 && value < 2100 && to - count.from === 2) continue;
    out.push({
      kind: 'amount',
      value: `${+value.toPrecision(12)} ${power}${unit}`,
      start: tokens[from]!.start,
      end: tokens[to - 1]!.end,
    });
  }
  return out;
}

/** The dates of a text, those without a year among them: "12 May". */
export function datesIn(text: string, tokens: readonly Token[]): Quantity[] {
  const dated = parseDates(text);
  const out = dated.map(({ date, start, end }): Quantity => ({ kind: 'date', value: date, start, end }));
  let at = 0;
  for (const [n, token] of tokens.entries()) {
    const { month } = token.facts;
    if (month === null) continue;
    const isDay = (one: Token | undefined) =>
      one?.kind === 'number' && /^(?:[12]?\d|3[01])$/.test(one.text) && one.text !== '0';
    const [before, behind] = [tokens[n - 1], tokens[n + 1]];
    const day =
      isDay(before) && token.adjacent
        ? before!
        : isDay(behind) && behind!.adjacent && token.capital
          ? behind!
          : null;
    if (day === null) continue;
    const [start, end] = [Math.min(day.start, token.start), Math.max(day.end, token.end)];
    while (at < dated.length && dated[at]!.end <= start) at++;
    if (at < dated.length && dated[at]!.start < end) continue;
    const two = (number: number) => String(number).padStart(2, '0');
    out.push({ kind: 'date', value: `--${two(month)}-${two(+day.text)}`, start, end });
  }
  return out;
}
