/** Wraps streamed text to the width of a terminal. */

/**
 * Breaks lines at spaces so that none is wider than `columns`; a longer word gets a line to itself. Line endings in the
 * text are kept, and spaces at a break are removed. `add` takes a piece and returns the text that can already be
 * written; `end` returns the rest. If `columns` is null, the text is unchanged.
 */
export class Wrapper {
  readonly #columns: number;
  #column = 0;
  #blanks = '';
  #word = '';

  constructor(columns: number | null) {
    this.#columns = columns ?? Number.POSITIVE_INFINITY;
  }

  add(piece: string): string {
    if (this.#columns === Number.POSITIVE_INFINITY) return piece;
    let out = '';
    for (const [token] of piece.matchAll(/\n|[^\S\n]+|\S+/g)) {
      if (token === '\n') {
        out += `${this.#flush()}\n`;
        this.#blanks = '';
        this.#column = 0;
      } else if (token.trim() === '') {
        out += this.#flush();
        this.#blanks += token;
      } else this.#word += token;
    }
    return out;
  }

  end(): string {
    return this.#flush();
  }

  /** Writes the complete word, on this line or the next. */
  #flush(): string {
    const [blanks, word] = [this.#blanks, this.#word];
    if (word === '') return '';
    this.#blanks = '';
    this.#word = '';
    const width = widthOf(word);
    if (this.#column > 0 && this.#column + widthOf(blanks) + width > this.#columns) {
      this.#column = width;
      return `\n${word}`;
    }
    this.#column += widthOf(blanks) + width;
    return blanks + word;
  }
}

/**
 * The number of terminal columns that a text occupies: none for combining marks, two for wide East Asian characters.
 */
function widthOf(text: string): number {
  let width = 0;
  for (const char of text.normalize('NFC')) {
    if (/[\p{M}\p{Cf}]/u.test(char)) continue;
    width += /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/u.test(
      char,
    )
      ? 2
      : 1;
  }
  return width;
}
