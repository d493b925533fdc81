/**
 * How likely a word was typed for another: the likelihood of the cheapest series of slips that turn the one into the
 * other, as a noisy channel has it.
 *
 * Source: Damerau–Levenshtein distance, each edit with minus the logarithm of its likelihood (Kernighan, Church and
 * Gale, "A spelling correction program based on a noisy channel model", 1990). The likelihoods are those of kinds of
 * slips, counted over published lists of Russian and English misspellings; letters are mistaken for each other where
 * they sound alike (spoken.ts) or lie side by side on the keyboard of their language. A word spelt by ear may differ
 * in many letters at once: it costs what one slip does, whatever its letters.
 */
import { all } from './languages/index.ts';
import { spokenAs } from './spoken.ts';

/** What a slip costs, in nats. */
export const slips = {
  /** A letter typed for one that the keyboard may lack; for one that sounds alike; for its neighbour; for another. */
  lacking: 0.5,
  alike: 4.5,
  neighbour: 6,
  other: 7.5,
  /** A letter left out; one of two equal ones; a letter without a sound. */
  missing: 5,
  missingDouble: 3.5,
  missingSilent: 4,
  /** A letter too much: typed twice; without a sound; the neighbour of one beside it; another. */
  extraDouble: 5,
  extraSilent: 5,
  extraNeighbour: 6.5,
  extra: 7.5,
  /** Two letters in each other's place. */
  swapped: 5,
  /** Added to a slip in the first letter, where people look. */
  first: 1.5,
  /** The word spelt as it is heard; and what a slip in that adds. */
  heard: 6,
} as const;

const rows = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'];
/** Each row is set off to the right of the one above it by so many keys. */
const offsets = [0, 0.5, 0.75, 1.25];
const positionOfKey = new Map(
  rows.flatMap((row, y) => [...row].map((key, x) => [key, { x: x + offsets[y]!, y }] as const)),
);
/** Where letters lie, by letter; a letter of several keyboards lies where the first has it. */
const positions = new Map(positionOfKey);
for (const { pack } of all)
  for (const [n, letter] of [...pack.typing.keyboard.letters].entries()) {
    const position = positionOfKey.get(pack.typing.keyboard.keys[n]!);
    if (position && !positions.has(letter)) positions.set(letter, position);
  }

/** A relation of two letters, looked up once for each pair. */
const remembered = (relation: (a: string, b: string) => boolean) => {
  const found = new Map<string, boolean>();
  return (a: string, b: string): boolean => {
    const pair = a + b;
    let holds = found.get(pair);
    if (holds === undefined) {
      holds = relation(a, b);
      found.set(pair, holds);
    }
    return holds;
  };
};

const areNeighbours = remembered((a, b) => {
  const [one, two] = [positions.get(a), positions.get(b)];
  return (
    one !== undefined && two !== undefined && Math.abs(one.y - two.y) <= 1 && Math.abs(one.x - two.x) <= 1
  );
});
const soundAlike = remembered((a, b) => spokenAs(a) === spokenAs(b));
const silent = new Set(all.flatMap(({ pack }) => [...pack.letters.silent]));

/** What of a typed word is the same whatever word is meant: one is held against whole vocabularies. */
class Typing {
  readonly typed: string;
  /** For the j-th letter too many: before the first letter of the word meant, and behind it. */
  readonly extraFirst: Float64Array;
  readonly extraLater: Float64Array;
  /** The last three rows of the table of costs; what they hold is over with the next word. */
  readonly before: Float64Array;
  readonly last: Float64Array;
  readonly row: Float64Array;
  readonly #mistakenFirst = new Map<number, Float64Array>();
  readonly #mistakenLater = new Map<number, Float64Array>();

  constructor(typed: string) {
    const width = typed.length + 1;
    this.typed = typed;
    this.extraFirst = Float64Array.from({ length: width }, (_, j) => (j === 0 ? 0 : extra(typed, j, 0)));
    this.extraLater = Float64Array.from({ length: width }, (_, j) => (j === 0 ? 0 : extra(typed, j, 1)));
    this.before = new Float64Array(width);
    this.last = new Float64Array(width);
    this.row = new Float64Array(width);
  }

  /** What each typed letter, counted from 1, costs for the i-th letter of a word. */
  instead(meant: string, i: number): Float64Array {
    const known = i === 1 ? this.#mistakenFirst : this.#mistakenLater;
    const unit = meant.charCodeAt(i - 1);
    let costs = known.get(unit);
    if (costs === undefined) {
      const { typed } = this;
      const letter = meant[i - 1]!;
      costs = Float64Array.from({ length: typed.length + 1 }, (_, j) =>
        j === 0 || typed[j - 1] === letter ? 0 : mistaken(letter, typed[j - 1]!, i === 1),
      );
      known.set(unit, costs);
    }
    return costs;
  }
}

let typing = new Typing('');
const least = {
  missing: Math.min(slips.missing, slips.missingDouble, slips.missingSilent),
  extra: Math.min(slips.extra, slips.extraDouble, slips.extraSilent, slips.extraNeighbour),
};

/**
 * What it costs to type each beginning of `typed` for `meant`, both folded words, in nats: its first letter, its first
 * two, …, all of it; null where each is more than `most`. The numbers hold until the next call.
 */
export function typingCosts(typed: string, meant: string, most: number): Float64Array | null {
  const width = typed.length;
  if ((meant.length - width) * least.missing > most) return null;
  if (typing.typed !== typed) typing = new Typing(typed);
  const { extraFirst, extraLater } = typing;
  let { before, last, row } = typing;
  last[0] = 0;
  for (let j = 1; j <= width; j++) last[j] = last[j - 1]! + extraFirst[j]!;
  for (let i = 1; i <= meant.length; i++) {
    const lost = missing(meant, i);
    const instead = typing.instead(meant, i);
    const swapped = slips.swapped + (i === 2 ? slips.first : 0);
    const letter = meant.charCodeAt(i - 1);
    const letterBefore = i > 1 ? meant.charCodeAt(i - 2) : -1;
    let left = last[0]! + lost;
    let lowest = left;
    row[0] = left;
    for (let j = 1; j <= width; j++) {
      let cost = last[j - 1]! + instead[j]!;
      const without = last[j]! + lost;
      if (without < cost) cost = without;
      const added = left + extraLater[j]!;
      if (added < cost) cost = added;
      if (j > 1 && typed.charCodeAt(j - 1) === letterBefore && typed.charCodeAt(j - 2) === letter) {
        const turned = before[j - 2]! + swapped;
        if (turned < cost) cost = turned;
      }
      row[j] = cost;
      left = cost;
      if (cost < lowest) lowest = cost;
    }
    if (lowest > most) return null;
    const free = before;
    before = last;
    last = row;
    row = free;
  }
  return last;
}

/** What it costs to type `typed` for `meant`; Infinity where it is more than `most`. `heardAlike`: they sound the same. */
export function typingCost(typed: string, meant: string, heardAlike: boolean, most = Infinity): number {
  const heard = heardAlike ? slips.heard : Infinity;
  const bound = Math.min(most, heard);
  const isTooShort = (typed.length - meant.length) * least.extra > bound;
  const cost = isTooShort
    ? heard
    : Math.min(heard, typingCosts(typed, meant, bound)?.[typed.length] ?? Infinity);
  return cost > most ? Infinity : cost;
}

/** What is typed where a keyboard lacks the letters that only one language of the script has. */
const typedFor = new Map(
  all.flatMap(({ pack: { letters } }) =>
    Object.entries(letters.plain).filter(([letter]) => letters.own.includes(letter)),
  ),
);

/** A word as it is typed on a keyboard that lacks them. */
export const withLettersLacking = (word: string): string =>
  word.replace(/\p{L}/gu, (letter) => typedFor.get(letter) ?? letter);

function mistaken(meant: string, typed: string, isFirst: boolean): number {
  if (typedFor.get(meant) === typed) return slips.lacking;
  const other = areNeighbours(meant, typed) ? slips.neighbour : slips.other;
  return (soundAlike(meant, typed) ? slips.alike : other) + (isFirst ? slips.first : 0);
}

/** For leaving out the i-th letter of a word, counted from 1. */
function missing(meant: string, i: number): number {
  const letter = meant[i - 1]!;
  if (silent.has(letter)) return slips.missingSilent;
  if (letter === meant[i - 2] || letter === meant[i]) return slips.missingDouble;
  return slips.missing + (i === 1 ? slips.first : 0);
}

/** For the j-th letter typed, counted from 1, where i letters of the word are behind it. */
function extra(typed: string, j: number, i: number): number {
  const letter = typed[j - 1]!;
  if (silent.has(letter)) return slips.extraSilent;
  if (letter === typed[j - 2] || letter === typed[j]) return slips.extraDouble;
  const beside = [typed[j - 2], typed[j]].some(
    (other) => other !== undefined && areNeighbours(letter, other),
  );
  return (beside ? slips.extraNeighbour : slips.extra) + (i === 0 ? slips.first : 0);
}
