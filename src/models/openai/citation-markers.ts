/**
 * Removes the citations that a model writes into its answer ("[2]") while the answer streams. Only text that may become
 * a citation is buffered: white space and an unclosed bracket. The output does not depend on how the text is split.
 * Brackets that do not contain the number of a given passage are kept.
 */
import type { Span } from '../../domain/span.ts';
import type { GeneratedPart } from '../../ports/models.ts';
import { splitSentences } from '../../text/sentences.ts';

/** Limits on the length of a marker and of the white space removed with it. */
const bracketMax = 20;
const spaceMax = 4;

const marker = /^\[\d{1,3}(?: *, *\d{1,3})*\]$/;
const meaningful = /[\p{L}\p{N}]/u;
/** Characters that cannot begin a cited span. */
const lead = /^[\s,;:.!?…)\]–—•*#-]+/;

export class CitationMarkers {
  readonly #ids: readonly string[];
  /** The output so far. */
  #answer = '';
  /** The next output. */
  #text = '';
  /** Buffered text: white space, with a comma if it follows a citation, and an open bracket. */
  #space = '';
  #bracket = '';
  /** Whether a citation has been followed only by white space. */
  #isAfterCitation = false;
  #last: Span | null = null;

  /** `ids` are the ids of the passages, in the order of their numbers. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  *take(text: string): Iterable<GeneratedPart> {
    const waiting = [...text].reverse();
    for (let sign = waiting.pop(); sign !== undefined; sign = waiting.pop()) {
      if (this.#bracket === '') this.#outside(sign);
      else if (this.#bracket.length < bracketMax && /[\d, \]]/.test(sign)) {
        this.#bracket += sign;
        if (sign !== ']') continue;
        const documents = this.#documentsOf(this.#bracket);
        if (documents) yield* this.#cite(documents);
        else waiting.push(...this.#giveUp());
      } else waiting.push(sign, ...this.#giveUp());
    }
    yield* this.#handOut();
  }

  /** At the end of the stream, the buffered text is output. */
  *end(): Iterable<GeneratedPart> {
    this.#text += this.#space + this.#bracket;
    this.#space = this.#bracket = '';
    yield* this.#handOut();
  }

  #outside(sign: string): void {
    if (sign === '[') this.#bracket = sign;
    else if (/[ \t\u00a0\u202f]/.test(sign) && this.#space.length < spaceMax) this.#space += sign;
    else if (sign === ',' && this.#isAfterCitation && this.#space === '') this.#space = sign;
    else {
      this.#text += this.#space + sign;
      this.#space = '';
      this.#isAfterCitation = false;
    }
  }

  /**
   * The bracket is not a citation. Outputs its first character and returns the others, last one first, to be read
   * again.
   */
  #giveUp(): string[] {
    this.#text += this.#space + this.#bracket[0];
    const again = [...this.#bracket.slice(1)].reverse();
    this.#space = this.#bracket = '';
    this.#isAfterCitation = false;
    return again;
  }

  /** Null if a number does not belong to a passage. */
  #documentsOf(bracket: string): string[] | null {
    if (!marker.test(bracket)) return null;
    const ids = (bracket.match(/\d+/g) ?? []).map((number) => this.#ids[Number(number) - 1]);
    return ids.every((id) => id !== undefined) ? [...new Set(ids as string[])] : null;
  }

  *#cite(documents: string[]): Iterable<GeneratedPart> {
    this.#space = this.#bracket = '';
    this.#isAfterCitation = true;
    yield* this.#handOut();
    const stretch = this.#stretch();
    if (stretch) yield { type: 'citation', ...stretch, documents };
  }

  /**
   * The cited span: from the previous citation in the same sentence, or from the start of the sentence, to the end of
   * the text.
   */
  #stretch(): Span | null {
    const sentence = splitSentences(this.#answer).at(-1);
    if (!sentence) return null;
    const from = Math.max(sentence.start, this.#last?.end ?? 0);
    const words = this.#answer.slice(from, sentence.end);
    // Directly after another citation, or after the full stop that follows it, the span is the same.
    if (!meaningful.test(words)) return this.#last;
    this.#last = { start: from + (lead.exec(words)?.[0].length ?? 0), end: sentence.end };
    return this.#last;
  }

  *#handOut(): Iterable<GeneratedPart> {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#answer += text;
    yield { type: 'text', text };
  }
}
