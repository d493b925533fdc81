/**
 * The notation of word files, and the look-ups built from it.
 *
 *   пункт(а|у|ом)?   brackets contain alternatives, "?" makes the bracket or letter before it optional
 *   стар[аоы]я       one of the letters
 *   тармақша*        "*" at the end of a word: any letters follow
 *
 * Only "*" repeats, and brackets with a "?" contain finite words, so every expression built here runs in linear time;
 * texts and questions are untrusted.
 */

/** Words in the notation, separated by white space, in lower case with ё as е. */
export type Forms = string;

/** Phrases in the notation, separated by commas or line ends; a space within one matches a single space. */
export type Phrases = string;

/**
 * The letters of the supported scripts, for use in a character class. `\p{L}` has hundreds of ranges, and each use
 * takes milliseconds to compile, in every thread.
 */
export const letters = '\\p{Script=Latin}\\p{Script=Cyrillic}';
/** A character class of one letter. */
export const letter = `[${letters}]`;

/** Characters without a special meaning. */
const plain = /[^()[\]|?]+/y;

/** All words of a form; a trailing "*" is kept. */
export function expand(form: string): string[] {
  // Most words use no notation.
  if (/^[^()[\]|?*]+$/.test(form)) return [form];
  let at = 0;
  const fault = (): never => {
    throw new Error(`"${form}" is not a word form: see the notation in languages/forms.ts`);
  };
  const alternatives = (depth: number): string[] => {
    const found = [...sequence(depth)];
    while (form[at] === '|') {
      at++;
      found.push(...sequence(depth));
    }
    return found;
  };
  const sequence = (depth: number): string[] => {
    let made = [''];
    while (at < form.length && form[at] !== '|' && form[at] !== ')') {
      let next: string[];
      if (form[at] === '(') {
        at++;
        next = alternatives(depth + 1);
        if (form[at++] !== ')') fault();
      } else if (form[at] === '[') {
        const end = form.indexOf(']', at);
        if (end < 0) fault();
        next = [...form.slice(at + 1, end)];
        at = end + 1;
      } else {
        plain.lastIndex = at;
        const letters = plain.exec(form)?.[0] ?? form[at]!;
        // A "?" applies only to the last letter.
        const isLastOptional = letters.length > 1 && form[at + letters.length] === '?';
        next = [isLastOptional ? letters.slice(0, -1) : letters];
        at += next[0]!.length;
      }
      if (form[at] === '?') {
        next = ['', ...next];
        at++;
      }
      const [only] = next;
      made =
        next.length === 1
          ? made.map((head) => head + only!)
          : made.flatMap((head) => next.map((tail) => head + tail));
    }
    if (depth === 0 && form[at] === ')') fault();
    return made;
  };
  const found = alternatives(0);
  if (found.some((word) => /\*./.test(word))) fault();
  return found;
}

/** The forms of a list, unexpanded, in order. */
export const listOf = (list: Forms): string[] => list.split(/\s+/).filter(Boolean);

/** All words of a list of forms, in order. */
export const formsOf = (list: Forms): string[] => listOf(list).flatMap(expand);

/** The phrases of a list, unexpanded, in order. */
export const phrasesOf = (list: Phrases): string[] =>
  list
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** A look-up of facts by word. The first fact of a word wins, and a longer prefix wins over a shorter one. */
export class WordTable<Fact> {
  readonly #exact = new Map<string, Fact>();
  readonly #beginnings = new Map<string, Fact>();
  /** Lengths of the shortest and the longest prefix, so that only prefixes of these lengths are tried. */
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;
  /** Entries that are not expanded yet, because many threads load a table and never use it. */
  #waiting: (readonly [Forms, Fact])[] = [];

  add(forms: Forms, fact: Fact): this {
    this.#waiting.push([forms, fact]);
    return this;
  }

  #spellOut(): void {
    for (const [forms, fact] of this.#waiting)
      for (const form of formsOf(forms)) {
        const [table, word] = form.endsWith('*')
          ? [this.#beginnings, form.slice(0, -1)]
          : [this.#exact, form];
        if (!table.has(word)) table.set(word, fact);
        if (table === this.#exact) continue;
        this.#shortest = Math.min(this.#shortest, word.length);
        this.#longest = Math.max(this.#longest, word.length);
      }
    this.#waiting = [];
  }

  get(word: string): Fact | undefined {
    if (this.#waiting.length > 0) this.#spellOut();
    const exact = this.#exact.get(word);
    if (exact !== undefined || this.#beginnings.size === 0) return exact;
    for (let length = Math.min(word.length, this.#longest); length >= this.#shortest; length--) {
      const fact = this.#beginnings.get(word.slice(0, length));
      if (fact !== undefined) return fact;
    }
    return undefined;
  }

  has(word: string): boolean {
    return this.get(word) !== undefined;
  }
}

/**
 * The source of an expression that matches any of the phrases or forms, as one group; matches nothing if there are
 * none. Empty ones are ignored.
 */
export function anyOf(...phrases: readonly string[]): string {
  const given = phrases.filter((phrase) => phrase !== '');
  return given.length === 0 ? '(?!)' : `(?:${given.map(sourceOf).join('|')})`;
}

const phrased = new RegExp(`^(?:[${letters}\\d \\-'’№§&.?]|\\((?!\\?)|[)|[\\]*])+$`, 'u');
function sourceOf(phrase: string): string {
  if (!phrased.test(phrase))
    throw new Error(`"${phrase}" is not a phrase: see the notation in languages/forms.ts`);
  return phrase.replaceAll('.', '\\.').replaceAll('(', '(?:').replaceAll('*', `${letter}*`);
}

/** An expression that matches any of the phrases as whole words, with flag "u" and those given. */
export function wholeWords(phrases: readonly string[], flags = ''): RegExp {
  return new RegExp(`(?<!${letter})${anyOf(...phrases)}(?!${letter})`, `u${flags}`);
}

/** An expression that matches words ending in one of the forms, with a minimum number of letters before it. */
export function endingIn(forms: Forms, lettersBefore = 0): RegExp {
  const before = lettersBefore > 0 ? `${letter}{${lettersBefore}}` : '';
  return new RegExp(`${before}${anyOf(...listOf(forms))}$`, 'u');
}
