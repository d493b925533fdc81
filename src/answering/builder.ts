/** An answer being put together: words of its own, and quotations that each carry a citation. */
import type { Citation, Mode } from '../domain/events.ts';
import type { Found } from '../retrieval/pipeline.ts';
import type { AnswerPart, FaqUse } from './answerer.ts';
import { recordedSource, refOf } from './sources.ts';

/** An answer that is whole before any of it is sent. */
export interface PreparedAnswer {
  mode: Mode;
  builder: AnswerBuilder;
  /** `length`: something was left out for its length. */
  finish: 'stop' | 'length';
}

type TextOrCitation = Extract<AnswerPart, { type: 'text' | 'citation' }>;

export class AnswerBuilder {
  readonly parts: TextOrCitation[] = [];
  answer = '';
  /** Passages in the order they were first quoted or listed. */
  readonly shown: Found[] = [];

  /** Words of our own. */
  text(text: string): this {
    return this.#add({ type: 'text', text });
  }

  /** Words that only name a source; see AnswerPart. */
  label(text: string): this {
    return this.#add({ type: 'text', text, label: true });
  }

  /** A stretch of a passage, word for word; offsets are UTF-16 units into its text. */
  quote(passage: Found, start: number, end: number): this {
    const quote = passage.text.slice(start, end);
    const { revision, content_hash } = passage.facts;
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
      },
    });
    return this.list(passage);
  }

  /** Puts a passage among the sources. */
  list(passage: Found): this {
    if (!this.shown.some((one) => one.id === passage.id)) this.shown.push(passage);
    return this;
  }

  /** A new paragraph, unless nothing stands before it. */
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
    if (part.text === '') return this;
    this.parts.push(part);
    this.answer += part.text;
    return this;
  }
}

/** The parts of a prepared answer; `faq`: the entry it comes from. */
export function* partsOf(
  { mode, builder, finish }: PreparedAnswer,
  faq: FaqUse | null = null,
): Generator<AnswerPart, void> {
  const { shown, citations } = builder;
  yield { type: 'opening', mode, sources: shown.map(recordedSource), citations, ...(faq && { faq }) };
  yield* builder.parts;
  yield { type: 'closing', finish, model: null, prompt_version: null, usage: null };
}
