/**
 * The notation used in word files, and the lookup tables and regular expressions built from it.
 *
 *   пункт(а|у|ом)?   brackets contain alternatives; "?" makes the preceding bracket or letter optional
 *   стар[аоы]я       any one of the letters in square brackets
 *   тармақша*        "*" at the end of a word means that any letters may follow
 *
 * Texts and questions are untrusted, so every expression built here must run in linear time. It does, because only "*"
 * repeats.
 */

/** Words in this notation, separated by white space, in lower case and with ё replaced by е. */
export type WordForms = string;

/** Phrases in this notation, separated by commas or line breaks. A space within a phrase matches a single space. */
export type PhraseList = string;

/**
 * The letters of the supported scripts, for use in a character class instead of `\p{L}`, which consists of hundreds of
 * ranges and takes milliseconds to compile for each expression and thread.
 */
export const letters = '\\p{Script=Latin}\\p{Script=Cyrillic}';
/** A character class that matches one letter. */
export const letter = `[${letters}]`;

/** Matches characters without a special meaning. */
const plain = /[^()[\]|?]+/y;

/** Expands a form into all its words; a trailing "*" is kept. */
export function expand(form: string): string[] {
  // Most forms are plain words.
  if (/^[^()[\]|?*]+$/.test(form)) return [form];
  let at = 0;
  const fault = (): never => {
    throw new Error(`"${form}" is not a word form: see the notation in src/language/forms.ts`);
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
        // A "?" applies only to the letter before it.
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

/** The forms in a list, in order, without expanding them. */
export const listOf = (list: WordForms): string[] => list.split(/\s+/).filter(Boolean);

/** All words in a list of forms, in order. */
export const formsOf = (list: WordForms): string[] => listOf(list).flatMap(expand);

/** The phrases in a list, in order, without expanding them. */
export const phrasesOf = (list: PhraseList): string[] =>
  list
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** Maps words to facts. The first fact added for a word wins, and a longer prefix wins over a shorter one. */
export class WordTable<Fact> {
  readonly #exact = new Map<string, Fact>();
  readonly #beginnings = new Map<string, Fact>();
  /** Lengths of the shortest and the longest prefix. Only prefixes between these lengths are tried. */
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;
  /** Entries that are not expanded yet. They are expanded on first use, because many threads never use the table. */
  #waiting: (readonly [WordForms, Fact])[] = [];

  add(forms: WordForms, fact: Fact): this {
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

/** Sorted for an expression in which the longest phrase must match. */
export const longestFirst = (phrases: readonly string[]): string[] =>
  [...phrases].sort((a, b) => b.length - a.length);

/**
 * Returns the source of an expression, a single group, that matches any of the phrases or forms. Empty phrases are
 * ignored. Without phrases, the expression matches nothing.
 */
export function anyOf(...phrases: readonly string[]): string {
  const given = phrases.filter((phrase) => phrase !== '');
  return given.length === 0 ? '(?!)' : `(?:${given.map(sourceOf).join('|')})`;
}

const phrased = new RegExp(`^(?:[${letters}\\d \\-'’№§&.?]|\\((?!\\?)|[)|[\\]*])+$`, 'u');
function sourceOf(phrase: string): string {
  if (!phrased.test(phrase))
    throw new Error(`"${phrase}" is not a phrase: see the notation in src/language/forms.ts`);
  return phrase.replaceAll('.', '\\.').replaceAll('(', '(?:').replaceAll('*', `${letter}*`);
}

/** Returns an expression that matches any of the phrases as whole words. The flag "u" is added to `flags`. */
export function wholeWords(phrases: readonly string[], flags = ''): RegExp {
  return new RegExp(`(?<!${letter})${anyOf(...phrases)}(?!${letter})`, `u${flags}`);
}

/** Returns an expression that matches words ending in one of the forms after at least `lettersBefore` letters. */
export function endingIn(forms: WordForms, lettersBefore = 0): RegExp {
  const before = lettersBefore > 0 ? `${letter}{${lettersBefore}}` : '';
  return new RegExp(`${before}${anyOf(...listOf(forms))}$`, 'u');
}
