/** An answer being put together: its own words, and quotations that each carry a citation. */
import type { Citation, Language, Localized, RecordedSource } from '../domain/events.ts';
import type { Found } from '../retrieval/pipeline.ts';

/** One stretch of an answer as it is streamed. */
export interface Piece {
  text: string;
  citation: Citation | null;
}

export class Draft {
  readonly pieces: Piece[] = [];
  answer = '';
  /** Passages in the order they were first quoted or shown. */
  readonly shown: Found[] = [];

  /** Words of our own. */
  say(text: string): this {
    if (text === '') return this;
    this.pieces.push({ text, citation: null });
    this.answer += text;
    return this;
  }

  /** A stretch of a passage, word for word; offsets are UTF-16 units into its text. */
  quote(passage: Found, start: number, end: number): this {
    const quote = passage.text.slice(start, end);
    const { revision, content_hash } = passage.facts;
    const at = this.answer.length;
    const place = { ref: refOf(passage), quote, source_start: passage.chunk.start + start };
    this.answer += quote;
    this.pieces.push({
      text: quote,
      citation: { start: at, end: at + quote.length, ...place, revision, content_hash },
    });
    return this.show(passage);
  }

  /** Lists a passage among the sources. */
  show(passage: Found): this {
    if (!this.shown.some((one) => one.id === passage.id)) this.shown.push(passage);
    return this;
  }

  /** A new paragraph, unless nothing stands before it. */
  paragraph(): this {
    return this.answer === '' || this.answer.endsWith('\n\n') ? this : this.say('\n\n');
  }

  line(): this {
    return this.answer === '' || this.answer.endsWith('\n') ? this : this.say('\n');
  }

  get citations(): Citation[] {
    return this.pieces.flatMap(({ citation }) => (citation ? [citation] : []));
  }

  get sources(): RecordedSource[] {
    return this.shown.map(recorded);
  }

  /**
   * The citations that do not hold: their range of the answer is not the quote, or the quote does not stand in the
   * passage of the revision they name.
   */
  faults(): Citation[] {
    return this.citations.filter(({ start, end, quote, ref, revision, content_hash }) => {
      const passage = this.shown.find((one) => refOf(one) === ref && one.facts.revision === revision);
      return (
        quote === '' ||
        this.answer.slice(start, end) !== quote ||
        passage?.facts.content_hash !== content_hash ||
        !passage.text.includes(quote)
      );
    });
  }
}

export const refOf = ({ facts, chunk }: Found): string => `${facts.doc_key}#${chunk.chunk_index}`;

export function recorded(passage: Found): RecordedSource {
  const { facts, chunk, score } = passage;
  const { doc_id, doc_key, revision, content_hash, title, url, source_url, event_date, layer } = facts;
  return {
    ref: refOf(passage),
    doc_id,
    doc_key,
    revision,
    content_hash,
    chunk_index: chunk.chunk_index,
    heading: chunk.heading,
    title: title === '' ? null : title,
    url,
    source_url,
    event_date,
    layer: layer.name,
    ...(layer.title !== null && { layer_title: localized(layer.title, chunk.lang) }),
    lang: chunk.lang,
    score,
  };
}

/** A text of several languages in one of them, else in the first it has; "" for none. */
export function localized(text: Localized | null, lang: Language): string {
  if (text === null) return '';
  return typeof text === 'string' ? text : (text[lang] ?? Object.values(text)[0] ?? '');
}
