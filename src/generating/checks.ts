/**
 * Checks a sentence written by a model without interpreting it. The sentence must cite a passage. Its numbers,
 * provisions, names and addresses must occur, in any form, in the cited passages, in their titles or dates, or in the
 * question. The meaning is checked by the second reading (second-reading.ts).
 */

import type { Language } from '../domain/events.ts';
import { linksIn } from '../domain/marks.ts';
import type { Span } from '../domain/span.ts';
import { ofEach, setOf, textOf } from '../language/index.ts';
import { covers } from '../reading/matching.ts';
import { type Found, titleOf } from '../reading/passages.ts';
import { numbersOf } from '../text/numbers.ts';
import { isInjection } from '../text/prompt-injection.ts';
import { type Numbered, parseReferences, type Reference } from '../text/references/parse.ts';
import { isStopWord, stem, words } from '../text/words.ts';

/** Text that may support the facts in a sentence. It is parsed on first use. */
export class Ground {
  readonly text: string;
  readonly lang: Language;
  /** The passage; null for the question. */
  readonly passage: Found | null;
  #numbers: ReadonlySet<string> | undefined;
  #stems: ReadonlySet<string> | undefined;
  #provisions: Numbered[] | undefined;

  constructor(text: string, lang: Language, passage: Found | null = null) {
    this.text = text;
    this.lang = lang;
    this.passage = passage;
  }

  /** Creates a ground from a passage, including its title and date. */
  static of(passage: Found): Ground {
    const { text, facts, chunk } = passage;
    return new Ground(`${titleOf(passage)}\n${facts.event_date ?? ''}\n${text}`, chunk.lang, passage);
  }

  /** The keys of the numbers that the text supports, including each part of a date, version number or range. */
  get numbers(): ReadonlySet<string> {
    if (this.#numbers === undefined) {
      const named = numbersOf(this.text, this.lang);
      // Figures in names such as "v2" and "RFC7231" may be used alone.
      const inNames = blank(this.text, named).match(/\d+/g) ?? [];
      this.#numbers = new Set([
        ...inNames.map((part) => String(Number(part))),
        ...named.flatMap(({ keys, bare }) => [...keys, ...bare]),
      ]);
    }
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

/** The reason why a sentence cannot be kept, as a message to the model; null if no fault is found. */
export function faultOf(
  sentence: string,
  { lang, grounds }: { lang: Language; grounds: readonly Ground[] },
): string | null {
  if (!grounds.some(({ passage }) => passage !== null)) return 'It cites no passage.';
  if (/\ufffd/.test(sentence) || isInjection(sentence)) return 'It is not a statement from a passage.';
  const address = /\bhttps?:\/\/[^\s)>\]]+|\S+@[^\s@]+\.[\p{L}\d]+/iu
    .exec(sentence)?.[0]
    .replace(/^[(<["«]+|[).,;>\]"»]+$/g, '');
  const isGiven = ({ text, passage }: Ground) =>
    text.includes(address!) ||
    (passage !== null && linksIn(passage.chunk).some(({ url }) => url.startsWith(address!)));
  if (address !== undefined && !grounds.some(isGiven))
    return `The address "${address}" is not in the passages it cites.`;
  const references = parseReferences(sentence);
  const lacked = references.find((one) => !standsIn(one, grounds));
  if (lacked) return `"${sentence.slice(lacked.start, lacked.end)}" is not in the passages it cites.`;
  const stands = (key: string) =>
    sameNumbers(key).some((same) => grounds.some(({ numbers }) => numbers.has(same)));
  const number = numbersOf(blank(sentence, references), lang).find(
    ({ keys, bare }) => !keys.some(stands) && !bare.some(stands),
  );
  if (number) return `The number "${number.written}" is not in the passages it cites.`;
  const name = missingName(sentence, lang, grounds);
  return name === null ? null : `The name "${name}" is not in the passages it cites.`;
}

const blank = (text: string, spans: readonly Span[]): string =>
  spans.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text);

/** The keys of a number and, where useful, of the same amount in a unit a thousand times larger or smaller. */
function sameNumbers(key: string): string[] {
  const value = Number(key);
  if (Number.isNaN(value)) return [key];
  const scaled = (by: number) => String(Number((value * by).toPrecision(12)));
  return [
    key,
    ...(Number.isInteger(value) ? [] : [scaled(1000)]),
    ...(Number.isInteger(value / 1000) ? [] : [scaled(1 / 1000)]),
  ];
}

/** Whether the grounds contain a provision: each number in its chain must occur with this unit or in a list. */
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
/** Units inside an article. Documents use different words for them, such as "point" and "paragraph". */
const inner: ReadonlySet<string> = new Set(['paragraph', 'part', 'point', 'subpoint', 'indent']);

/** The names of months, which are not checked as names, because a document may give the month as a number. */
const months = ofEach((lang) => setOf(textOf(lang, 'calendar.months')));

/**
 * A name in the sentence that its grounds do not contain. Null if there is none, or if a ground is in another language.
 */
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
