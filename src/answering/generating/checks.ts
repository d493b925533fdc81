/**
 * What code can check of a sentence that a model wrote, without guessing at its meaning: that it cites a passage, and
 * that its numbers, provisions, names and addresses stand in what it cites, in its title and date, or in the question,
 * in whatever form. What a sentence means is for the second reading (second-reading.ts).
 */
import { type Language, languages } from '../../domain/events.ts';
import { covers } from '../../retrieval/matching.ts';
import { titleOf } from '../../retrieval/passages.ts';
import type { Found } from '../../retrieval/pipeline.ts';
import { formsOf, packs, setOf, WordTable } from '../../text/languages/index.ts';
import { speltNumbers } from '../../text/number-words.ts';
import { type Numbered, parseReferences, type Reference } from '../../text/references/parse.ts';
import { isStopWord, stem, words } from '../../text/words.ts';
import { isOrder } from '../orders.ts';

/** A text that a sentence may take its facts from, read when it is first needed. */
export class Ground {
  readonly text: string;
  readonly lang: Language;
  /** The passage itself; null for the question. */
  readonly passage: Found | null;
  #numbers: ReadonlySet<number> | undefined;
  #stems: ReadonlySet<string> | undefined;
  #provisions: Numbered[] | undefined;

  constructor(text: string, lang: Language, passage: Found | null = null) {
    this.text = text;
    this.lang = lang;
    this.passage = passage;
  }

  /** What a passage says, its title and date included. */
  static of(passage: Found): Ground {
    const { text, facts, chunk } = passage;
    return new Ground(`${titleOf(passage)}\n${facts.event_date ?? ''}\n${text}`, chunk.lang, passage);
  }

  /** The numbers it supports, and each part of a date, a version, a range of figures. */
  get numbers(): ReadonlySet<number> {
    this.#numbers ??= new Set([
      ...(this.text.match(/\d+/g) ?? []).map(Number),
      ...readings(this.text, this.lang).flatMap(({ values }) => values),
    ]);
    return this.#numbers;
  }

  get stems(): ReadonlySet<string> {
    this.#stems ??= new Set(words(this.text).map(stem));
    return this.#stems;
  }

  get provisions(): readonly Numbered[] {
    this.#provisions ??= parseReferences(this.text, referencesRead).flatMap(({ chain }) => chain);
    return this.#provisions;
  }
}

/** Why a sentence cannot stay, in words that a model can act on; null where code finds no fault. */
export function faultOf(
  sentence: string,
  { lang, grounds }: { lang: Language; grounds: readonly Ground[] },
): string | null {
  if (!grounds.some(({ passage }) => passage !== null)) return 'It cites no passage.';
  if (/\ufffd/.test(sentence) || isOrder(sentence)) return 'It is no statement of a passage.';
  const address = /\bhttps?:\/\/[^\s)>\]]+|\S+@[^\s@]+\.[\p{L}\d]+/iu
    .exec(sentence)?.[0]
    .replace(/^[(<["«]+|[).,;>\]"»]+$/g, '');
  const isGiven = ({ text, passage }: Ground) =>
    text.includes(address!) ||
    passage?.chunk.marks?.some((mark) => mark.kind === 'link' && mark.url.startsWith(address!));
  if (address !== undefined && !grounds.some(isGiven))
    return `The address "${address}" does not stand in the passages it cites.`;
  const references = parseReferences(sentence);
  const lacked = references.find((one) => !standsIn(one, grounds));
  if (lacked) return `"${sentence.slice(lacked.start, lacked.end)}" does not stand in the passages it cites.`;
  const number = stated(blank(sentence, references), lang).find(
    ({ values }) =>
      !values.some((one) => sameNumbers(one).some((same) => grounds.some((one) => one.numbers.has(same)))),
  );
  if (number) return `The number "${number.written}" does not stand in the passages it cites.`;
  const name = missingName(sentence, lang, grounds);
  return name === null ? null : `The name "${name}" does not stand in the passages it cites.`;
}

const blank = (text: string, spans: readonly { start: number; end: number }[]): string =>
  spans.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text);

function perLanguage<T>(make: (lang: Language) => T): Readonly<Record<Language, T>> {
  return Object.fromEntries(languages.map((lang) => [lang, make(lang)])) as Record<Language, T>;
}

/** A number as it is written, and what it may mean: 2,350 is 2350 in one country and 2.35 in another. */
interface NumberReading {
  written: string;
  values: number[];
}

const figures =
  /(?<![\p{L}\d.,])(?:\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3}(?!\d))+(?:[.,]\d+)?|\d+(?:[.,]\d+)*)/gu;

/** The numbers of a text, in figures and in words. "One" is left out: it is an article, or a pronoun. */
function readings(text: string, lang: Language): NumberReading[] {
  const found: NumberReading[] = [];
  for (const { 0: written, index } of text.matchAll(figures)) {
    const values = valuesOf(written);
    const factor = factorAfter(text.slice(index + written.length, index + written.length + 30), lang);
    const multiplied = factor === 1 ? [] : values.map((value) => rounded(value * factor));
    found.push({ written, values: [...values, ...multiplied] });
  }
  const list = words(text);
  const isSpelt = (word = '') => speltNumbers([word], lang).length > 0;
  const joined = list.filter(
    (word, n) => !(joining[lang].has(word) && isSpelt(list[n - 1]) && isSpelt(list[n + 1])),
  );
  for (const { at, length, value } of speltNumbers(joined, lang)) {
    const number = Number.parseFloat(value);
    // Behind figures "thousand" is no number of its own.
    const multiplies = number >= 1_000 && /^\d+$/.test(joined[at - 1] ?? '');
    if (number > 1 && !multiplies)
      found.push({ written: joined.slice(at, at + length).join(' '), values: [number] });
  }
  return found;
}

/** "One hundred and five". */
const joining = perLanguage((lang) => setOf(packs[lang].entities.numberJoins));

const multipliers = perLanguage((lang) => {
  const table = new WordTable<number>();
  for (const [value, forms] of packs[lang].entities.multipliers) table.add(forms, value);
  return table;
});

/** What a number in figures is multiplied by: "11 миллиардов", "7.4 thousand", "5 млн". */
function factorAfter(behind: string, lang: Language): number {
  const word = /^[ \u00a0]?(\p{L}+)/u.exec(behind)?.[1]?.toLowerCase();
  if (word === undefined) return 1;
  const value = multipliers[lang].get(word) ?? Number.parseFloat(speltNumbers([word], lang)[0]?.value ?? '1');
  return value >= 1_000 ? value : 1;
}

/** Every number that figures may mean. */
function valuesOf(written: string): number[] {
  const [whole, ...parts] = written.replace(/[ \u00a0\u202f\u2009'’]/gu, '').split(/[.,]/);
  const last = parts.at(-1);
  if (last === undefined) return [Number(whole)];
  const isGrouped = parts.every((part) => part.length === 3);
  const decimal = Number(`${whole}${parts.slice(0, -1).join('')}.${last}`);
  return [rounded(decimal), ...(isGrouped ? [Number(`${whole}${parts.join('')}`)] : [])];
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/** A number, and where a fraction is one of them the same in units a thousand times larger or smaller: 0.1 s, 100 ms. */
const sameNumbers = (value: number): number[] => [
  value,
  ...(Number.isInteger(value) ? [] : [rounded(value * 1000)]),
  ...(Number.isInteger(value / 1000) ? [] : [rounded(value / 1000)]),
];

/** The numbers that a sentence states; the parts of a date or a version are numbers of their own. */
const stated = (text: string, lang: Language): NumberReading[] =>
  readings(text, lang).flatMap((one) => {
    const parts = one.written.split(/[.,]/);
    return parts.length > 2 && !parts.slice(1).every((part) => part.length === 3)
      ? parts.map((part) => ({ written: part, values: [Number(part)] }))
      : [one];
  });

/** Whether the grounds name a provision: each of its numbers as that of such a unit, or as the number of a point. */
function standsIn({ chain }: Reference, grounds: readonly Ground[]): boolean {
  return chain.every(({ unit, number }) => {
    const wanted = number.split('.').at(-1);
    return grounds.some(({ text, passage, provisions }) => {
      const own = passage?.chunk.number?.split('.') ?? [];
      if (inner.has(unit) ? own.length > 1 && own.at(-1) === wanted : own[0] === number) return true;
      if (
        provisions.some(
          (one) => one.number === number && (one.unit === unit || inner.has(unit) === inner.has(one.unit)),
        )
      )
        return true;
      return inner.has(unit) && new RegExp(`^\\s*\\(?${wanted}[.)]`, 'mu').test(text);
    });
  });
}

const referencesRead = 200;
/** Units inside an article, which one text calls points and another paragraphs. */
const inner: ReadonlySet<string> = new Set(['paragraph', 'part', 'point', 'subpoint', 'indent']);

/** A date may be written with the number of its month. */
const months = perLanguage(
  (lang) => new Set(formsOf(packs[lang].calendar.months).map((one) => one.toLowerCase())),
);

/** A name in a sentence that its grounds lack; null for none, or where they are in another language. */
function missingName(sentence: string, lang: Language, grounds: readonly Ground[]): string | null {
  if (grounds.some(({ passage, lang: own }) => passage !== null && own !== lang)) return null;
  const stands = (word: string) => {
    const own = stem(word);
    return grounds.some(
      ({ stems }) => stems.has(own) || [...stems].some((one) => covers(own, one) || covers(one, own)),
    );
  };
  const names = sentence.matchAll(/(?<=[\p{L}\p{N},;»”)]\s+["«“(]?)\p{Lu}(?:[\p{L}\p{N}_-]|\u0301)+/gu);
  for (const [name] of names)
    if (!words(name).every((word) => isStopWord(word) || months[lang].has(word) || stands(word))) return name;
  return null;
}
