/** Builds an answer from fixed text and from quotations, each with a citation. */
import type { Citation, Mode, RecordedSource } from '../../domain/events.ts';
import { addressesIn, struckIn } from '../../domain/marks.ts';
import type { Span } from '../../domain/span.ts';
import type { Found } from '../../reading/passages.ts';
import { phrases } from '../../text/phrases.ts';
import type { AnswerPart, FaqUse } from './parts.ts';
import type { ListCut } from './sentences.ts';
import { pageOf, recordedSource, refOf } from './sources.ts';

/** A complete answer that has not been sent yet. */
export interface PreparedAnswer {
  mode: Mode;
  builder: AnswerBuilder;
  /** `length`: text was omitted because the answer reached its maximum length. */
  finish: 'stop' | 'length';
}

/** Maximum numbers of UTF-16 units and citations. They keep answers and their records small. */
const unitsMax = 12_000;
const citationsMax = 60;
const sourcesMax = 40;
/** Maximum number of links given for a quotation. */
const addressesMax = 3;
/** Additional units for text at the end: the note that the answer was cut, and the nearest passages. */
const closingUnits = 4_000;

type TextOrCitation = Extract<AnswerPart, { type: 'text' | 'citation' }>;

export class AnswerBuilder {
  readonly parts: TextOrCitation[] = [];
  answer = '';
  /** The passages in the order in which they were first quoted or listed. */
  readonly shown: Found[] = [];
  /** Whether text was omitted because the answer reached its maximum length. */
  overflowed = false;
  /** How many items of the first incomplete list are quoted. */
  cutList: ListCut | null = null;
  #citations = 0;
  /** The offset of the first quotation, by passage. */
  readonly #firstQuoted = new Map<number, number>();

  /** Adds text that is not a quotation. */
  text(text: string): this {
    return this.#add({ type: 'text', text });
  }

  /** Adds text that only names a source (see AnswerPart). */
  label(text: string): this {
    return this.#add({ type: 'text', text, label: true });
  }

  /** Quotes a range of a passage verbatim. Offsets are in UTF-16 units of its text. */
  quote(passage: Found, start: number, end: number): this {
    const room = this.#citations < citationsMax && this.#hasPlace(passage) ? this.#room(unitsMax) : 0;
    const quote = beginning(passage.text.slice(start, end), room);
    if (quote.length < end - start) this.overflowed = true;
    if (quote === '') return this;
    this.#citations++;
    if (!this.#firstQuoted.has(passage.id)) this.#firstQuoted.set(passage.id, start);
    let said = false;
    for (const { struck, ...stretch } of pieces(passage, start, start + quote.length)) {
      if (said) this.text(' ');
      this.#cite(passage, stretch);
      if (struck) this.text(` (${phrases[passage.chunk.lang].superseded})`);
      said = true;
    }
    const addresses = addressesIn(passage.chunk, { start, end: start + quote.length });
    for (const address of addresses.slice(0, addressesMax))
      if (!this.answer.includes(address)) this.text(` (${address})`);
    return this.list(passage);
  }

  #cite(passage: Found, { start, end }: Span): void {
    const { revision, content_hash } = passage.facts;
    const quote = passage.text.slice(start, end);
    const at = this.answer.length;
    this.#add({ type: 'text', text: quote });
    this.parts.push({
      type: 'citation',
      citation: {
        start: at,
        end: at + quote.length,
        ref: refOf(passage),
        quote,
        source_start: passage.chunk.start + start,
        revision,
        content_hash,
        ...pageOf(passage, start),
      },
    });
  }

  /** The sources: all passages shown, each with the page of its first quotation. */
  get sources(): RecordedSource[] {
    return this.shown.map((passage) => recordedSource(passage, this.#firstQuoted.get(passage.id)));
  }

  /** Adds a passage to the sources without quoting it. */
  list(passage: Found): this {
    if (!this.#hasPlace(passage)) this.overflowed = true;
    else if (!this.shown.some((one) => one.id === passage.id)) this.shown.push(passage);
    return this;
  }

  /** Starts a new paragraph, unless the answer is empty. */
  paragraph(): this {
    return this.answer === '' || this.answer.endsWith('\n\n') ? this : this.text('\n\n');
  }

  line(): this {
    return this.answer === '' || this.answer.endsWith('\n') ? this : this.text('\n');
  }

  get citations(): Citation[] {
    return this.parts.flatMap((part) => (part.type === 'citation' ? [part.citation] : []));
  }

  #add(part: Extract<AnswerPart, { type: 'text' }>): this {
    const text = beginning(part.text, this.#room(unitsMax + closingUnits));
    if (text.length < part.text.length) this.overflowed = true;
    if (text === '') return this;
    this.parts.push({ ...part, text });
    this.answer += text;
    return this;
  }

  #room(most: number): number {
    return Math.max(0, most - this.answer.length);
  }

  #hasPlace(passage: Found): boolean {
    return this.shown.length < sourcesMax || this.shown.some((one) => one.id === passage.id);
  }
}

/** Splits a range at the borders of struck-out text, and drops blank pieces. */
function pieces({ chunk, text }: Found, start: number, end: number): (Span & { struck: boolean })[] {
  const found: (Span & { struck: boolean })[] = [];
  const add = (from: number, to: number, struck: boolean) => {
    const piece = text.slice(from, to);
    const begins = from + piece.length - piece.trimStart().length;
    const ends = begins + piece.trim().length;
    if (ends > begins) found.push({ start: begins, end: ends, struck });
  };
  let from = start;
  for (const struck of struckIn(chunk, { start, end })) {
    add(from, struck.start, false);
    add(struck.start, struck.end, true);
    from = struck.end;
  }
  add(from, end, false);
  return found;
}

/** Returns as many words of the text as fit. If even the first word does not fit, it is cut. */
function beginning(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = text.slice(0, units + 1).search(/\s\S*$/);
  if (end > 0) return text.slice(0, end).trimEnd();
  return text.slice(0, units).replace(/[\ud800-\udbff]$/, '');
}

/** Yields the parts of a prepared answer. `faq`: the FAQ entry that it comes from. */
export function* partsOf(
  { mode, builder, finish }: PreparedAnswer,
  faq: FaqUse | null = null,
): Generator<AnswerPart, void> {
  const { citations } = builder;
  yield { type: 'opening', mode, sources: builder.sources, citations, ...(faq && { faq }) };
  yield* builder.parts;
  yield {
    type: 'closing',
    finish: builder.overflowed ? 'length' : finish,
    model: null,
    prompt_version: null,
    usage: null,
  };
}
