/** The order of provision numbers: "5.2", "5-2" and "5а" come after "5". */

/** The parts of a number for comparison. */
const partsOf = (number: string) =>
  (number.match(/\d+|\p{L}+/gu) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : 0.5));

function compare(a: readonly number[], b: readonly number[]): number {
  for (let n = 0; n < Math.max(a.length, b.length); n++) {
    const difference = (a[n] ?? 0) - (b[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export class Numbering {
  /** The numbers in the order given to the constructor. */
  readonly numbers: readonly string[];
  readonly #sorted: readonly { number: string; parts: readonly number[] }[];

  constructor(numbers: readonly string[]) {
    this.numbers = numbers;
    this.#sorted = numbers
      .filter((number) => /^\d/.test(number))
      .map((number) => ({ number, parts: partsOf(number) }))
      .sort((a, b) => compare(a.parts, b.parts));
  }

  /**
   * Returns the next lower and the next higher number. The number itself need not exist. If it would follow the last
   * point of a list ("2.9" after "2.1" and "2.2"), the last two numbers of the list are returned.
   */
  beside(wanted: string): string[] {
    const parent = wanted.slice(0, wanted.lastIndexOf('.') + 1);
    const isListed = parent !== '' && this.numbers.some((number) => number.startsWith(parent));
    const parts = partsOf(wanted);
    const among = this.#sorted.filter(
      (one) => compare(one.parts, parts) !== 0 && (!isListed || one.number.startsWith(parent)),
    );
    const above = among.findIndex((one) => compare(one.parts, parts) > 0);
    const near =
      above >= 0 ? among.slice(Math.max(0, above - 1), above + 1) : among.slice(isListed ? -2 : -1);
    return near.map(({ number }) => number);
  }
}
