/**
 * Which words translate each other, from sections that say the same in two languages.
 *
 * Source: IBM model 1 in both directions (Brown and others, "The Mathematics of Statistical Machine Translation",
 * 1993), trained to agree (Liang, Taskar, Klein, "Alignment by Agreement", 2006): a link counts by the product of what
 * both directions make of it. Departures: it starts from Dice's coefficient, so that a few rounds are enough; of equal
 * words and of stop words nothing is learned; what is kept is how often two stems are linked and how often each stands
 * there at all, so that what several texts teach adds up and a stem seen once is not trusted for it.
 */
import type { Language } from '../../domain/events.ts';
import { splitSentences } from '../../text/sentences.ts';
import { isStopWord, stemIn, words } from '../../text/words.ts';
import type { Twins } from './twins.ts';

/** Links of stems of two languages, the first in the alphabet first. */
export interface LearnedPairs {
  languages: [Language, Language];
  /** How often the stems are linked, from .1 on; the few best of each stem. */
  links: [a: string, b: string, times: number][];
  /** How often each linked stem stands in the texts it was learned from. */
  seen: [a: [stem: string, times: number][], b: [stem: string, times: number][]];
}

/** Stems of one stretch of text in two languages. */
export type Unit = readonly [readonly string[], readonly string[]];

/** Stems that translations are looked for: no stop words and no numbers. */
const contentStems = (text: string, lang: Language): string[] =>
  words(text)
    .filter((word) => word.length > 1 && !/^\d/.test(word) && !isStopWord(word))
    .map((word) => stemIn(word, lang));

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

/** Longer units tell too little about single words. */
const stemsMax = 80;

/** The smallest stretches of two texts that correspond: lines and sentences where both have equally many. */
function* stretches(a: string, b: string): Generator<[string, string]> {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  if (linesA.length === linesB.length && linesA.length > 1) {
    for (const [n, line] of linesA.entries()) yield* stretches(line, linesB[n]!);
    return;
  }
  const [ofA, ofB] = [sentencesOf(a), sentencesOf(b)];
  if (ofA.length === ofB.length && ofA.length > 1) {
    for (const [n, sentence] of ofA.entries()) yield [sentence, ofB[n]!];
  } else yield [a, b];
}

/** The units of twins, their language first that comes first in the alphabet. */
export function unitsOf({ a, b, pairs }: Twins): Unit[] {
  const units: Unit[] = [];
  const swapped = a.lang > b.lang;
  for (const [n, m] of pairs) {
    const [one, other] = [a.sections[n]!, b.sections[m]!];
    for (const [left, right] of [[one.heading, other.heading] as const, ...stretches(one.text, other.text)]) {
      const left_ = contentStems(left, a.lang);
      const right_ = contentStems(right, b.lang);
      // What stands in both alike needs no translation.
      const ofA = left_.filter((stem) => !right_.includes(stem));
      const ofB = right_.filter((stem) => !left_.includes(stem));
      if (ofA.length === 0 || ofB.length === 0 || Math.max(ofA.length, ofB.length) > stemsMax) continue;
      units.push(swapped ? [ofB, ofA] : [ofA, ofB]);
    }
  }
  return units;
}

const rounds = 6;
/** Pairs of words that are looked at, in all units; further units are left out. */
const cellsMax = 2_000_000;
/** Links that are kept: from how much on, and how many of a stem. */
const linksLeast = 0.1;
const linksOfStem = 4;

/** Numbers of strings, in the order they come. */
class Numbers {
  readonly list: string[] = [];
  readonly #of = new Map<string, number>();
  add(name: string): number {
    let n = this.#of.get(name);
    if (n === undefined) {
      n = this.list.push(name) - 1;
      this.#of.set(name, n);
    }
    return n;
  }
}

/** Learns from units of two languages. Yields undefined between pieces of work, then returns. */
export function* learnPairs(
  languages: [Language, Language],
  units: readonly Unit[],
): Generator<undefined, LearnedPairs> {
  const [namesA, namesB] = [new Numbers(), new Numbers()];
  const kept: { a: Int32Array; b: Int32Array; cells: Int32Array }[] = [];
  const cellOf = new Map<number, number>();
  /** The stems of each cell. */
  const cellA: number[] = [];
  const cellB: number[] = [];
  let size = 0;
  for (const [n, [ofA, ofB]] of units.entries()) {
    size += ofA.length * ofB.length;
    if (size > cellsMax) break;
    const a = Int32Array.from(ofA, (stem) => namesA.add(stem));
    const b = Int32Array.from(ofB, (stem) => namesB.add(stem));
    const cells = new Int32Array(a.length * b.length);
    for (const [i, s] of a.entries()) {
      for (const [j, t] of b.entries()) {
        const key = s * 0x200_0000 + t;
        let cell = cellOf.get(key);
        if (cell === undefined) {
          cell = cellA.push(s) - 1;
          cellB.push(t);
          cellOf.set(key, cell);
        }
        cells[i * b.length + j] = cell;
      }
    }
    kept.push({ a, b, cells });
    if (n % 100 === 99) yield;
  }
  const seenA = new Float64Array(namesA.list.length);
  const seenB = new Float64Array(namesB.list.length);
  const together = new Float64Array(cellA.length);
  for (const { a, b, cells } of kept) {
    for (const s of a) seenA[s]!++;
    for (const t of b) seenB[t]!++;
    for (const cell of new Set(cells)) together[cell]!++;
  }
  // What the second language says given the first, and the other way round; the last place: given nothing.
  const forth = new Float64Array(cellA.length);
  const back = new Float64Array(cellA.length);
  for (let c = 0; c < forth.length; c++) {
    const dice = (2 * together[c]!) / (seenA[cellA[c]!]! + seenB[cellB[c]!]!);
    forth[c] = dice;
    back[c] = dice;
  }
  const nothing = { a: 1 / Math.max(1, namesA.list.length), b: 1 / Math.max(1, namesB.list.length) };
  const links = new Float64Array(forth.length);
  for (let round = 0; round < rounds; round++) {
    links.fill(0);
    for (const [n, { a, b, cells }] of kept.entries()) {
      const sumB = new Float64Array(b.length).fill(nothing.b);
      const sumA = new Float64Array(a.length).fill(nothing.a);
      for (let i = 0; i < a.length; i++) {
        for (let j = 0; j < b.length; j++) {
          const cell = cells[i * b.length + j]!;
          sumB[j]! += forth[cell]!;
          sumA[i]! += back[cell]!;
        }
      }
      for (let i = 0; i < a.length; i++) {
        for (let j = 0; j < b.length; j++) {
          const cell = cells[i * b.length + j]!;
          links[cell]! += (forth[cell]! / sumB[j]!) * (back[cell]! / sumA[i]!);
        }
      }
      if (n % 500 === 499) yield;
    }
    const ofA = new Float64Array(seenA.length);
    const ofB = new Float64Array(seenB.length);
    for (let c = 0; c < links.length; c++) {
      ofA[cellA[c]!]! += links[c]!;
      ofB[cellB[c]!]! += links[c]!;
    }
    for (let c = 0; c < links.length; c++) {
      forth[c] = links[c]! / (ofA[cellA[c]!]! || 1);
      back[c] = links[c]! / (ofB[cellB[c]!]! || 1);
    }
    yield;
  }
  return {
    languages,
    ...best(links, { cellA, cellB, namesA: namesA.list, namesB: namesB.list, seenA, seenB }),
  };
}

/** The best links of each stem from either side, by stems. */
function best(
  links: Float64Array,
  {
    cellA,
    cellB,
    namesA,
    namesB,
    seenA,
    seenB,
  }: {
    cellA: number[];
    cellB: number[];
    namesA: string[];
    namesB: string[];
    seenA: Float64Array;
    seenB: Float64Array;
  },
): Pick<LearnedPairs, 'links' | 'seen'> {
  const linked = [...links.keys()].filter((c) => links[c]! >= linksLeast);
  const name = (c: number) => `${namesA[cellA[c]!]} ${namesB[cellB[c]!]}`;
  linked.sort((c, d) => links[d]! - links[c]! || (name(c) < name(d) ? -1 : 1));
  const countA = new Uint8Array(seenA.length);
  const countB = new Uint8Array(seenB.length);
  const chosen = linked.filter((c) => {
    const isBest = countA[cellA[c]!]!++ < linksOfStem;
    return countB[cellB[c]!]!++ < linksOfStem || isBest;
  });
  const seen = (names: string[], times: Float64Array, stems: number[]): [string, number][] =>
    [...new Set(stems)].map((n): [string, number] => [names[n]!, times[n]!]).sort(byName);
  return {
    links: chosen
      .map((c): [string, string, number] => [
        namesA[cellA[c]!]!,
        namesB[cellB[c]!]!,
        Math.round(links[c]! * 100) / 100,
      ])
      .sort((one, other) => byName(one, other) || (one[1] < other[1] ? -1 : 1)),
    seen: [
      seen(
        namesA,
        seenA,
        chosen.map((c) => cellA[c]!),
      ),
      seen(
        namesB,
        seenB,
        chosen.map((c) => cellB[c]!),
      ),
    ],
  };
}

const byName = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : a > b ? 1 : 0;
