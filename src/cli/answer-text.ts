/**
 * Formats an answer for a terminal: each quotation is followed by the number of its source, the sources are listed at
 * the end, and the lines are wrapped.
 */
import type { Part, SourceRef } from '../app-port.ts';
import { Failure } from '../failures.ts';

/** Characters that close a quotation go before its number. */
const closing = /^[»”’"')\]]+/;

/**
 * Yields the text as it arrives, wrapped to `columns` (not wrapped if null). Returns the mode of the answer. Throws a
 * Failure with the code and message of an `error` part.
 */
export async function* answerText(
  parts: AsyncIterable<Part>,
  columns: number | null,
): AsyncGenerator<string, string, undefined> {
  const wrapper = new Wrapper(columns);
  let sources: SourceRef[] = [];
  let mode = '';
  /** The number of the last quotation, until it is written. */
  let quoted: number | null = null;
  const numbered = (text: string): string => {
    if (quoted === null) return text;
    const [close = ''] = closing.exec(text) ?? [];
    const number = ` [${quoted}]`;
    quoted = null;
    return close + number + text.slice(close.length);
  };
  for await (const part of parts) {
    switch (part.type) {
      case 'sources':
        ({ sources } = part);
        break;
      case 'text':
        // The list of sources replaces a label that only names a source.
        yield wrapper.add(numbered(part.label ? '' : part.text));
        break;
      case 'citation':
        quoted = sources.findIndex(({ ref }) => ref === part.ref) + 1 || null;
        break;
      case 'replace':
        quoted = null;
        yield wrapper.add(`\n\n(${part.reason})\n${part.answer}`);
        break;
      case 'error':
        throw new Failure(part.code, part.detail);
      case 'done':
        ({ mode } = part);
    }
  }
  yield wrapper.add(`${numbered('')}\n`);
  for (const [index, source] of sources.entries()) yield wrapper.add(sourceLines(source, index + 1));
  yield wrapper.end();
  return mode;
}

/** The document's own address, if it has one, followed by the service's page with the quotes marked. */
function sourceLines(source: SourceRef, number: number): string {
  const { title, heading, ref, url, source_url, event_date, page, page_url } = source;
  const name = [title, heading === title ? '' : heading, event_date, page && `p. ${page}`]
    .filter(Boolean)
    .join(', ');
  const addresses = [...new Set([source_url ?? url, page_url])];
  return `\n[${number}] ${name} (${ref})\n${addresses.map((address) => `    ${address}\n`).join('')}`;
}

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

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The number of terminal columns of a text in the supported languages. */
const widthOf = (text: string): number => [...graphemes.segment(text)].length;
