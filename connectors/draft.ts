/** An answer as shown in a chat: its text with numbered sources, built from the parts received so far. */
import type { Part, SourceRef } from '../src/answering/parts.ts';
import type { Language } from '../src/domain/events.ts';
import type { MessagePiece } from './splitting.ts';
import { readableDate, texts } from './texts.ts';

/** The layer name of a corpus with a single layer. It is not shown, because it is not informative. */
const onlyLayer = 'main';
/** The maximum number of sources to list if nothing is cited. */
const nearestMax = 3;
/** The maximum number of listed sources per answer. */
const listedMax = 12;
/** The maximum number of quotes shown with a source. */
const shownMax = 2;
/** Characters that close a quotation belong before the citation number. */
const closing = /^[»”’"')\]]+/;

/** A source in the list below an answer. */
export interface ListedSource {
  number: number;
  ref: string;
  /** The title of the document. */
  title: string;
  /** The heading, layer, date and language, if they are informative, separated by dots. */
  facts: string;
  /** An address that people can open; null if there is none. */
  url: string | null;
  /** The passages of the source that are quoted in the answer, verbatim. */
  quotes: string[];
  /** Quotes from an unrecorded source. They are shown with the source immediately, unless they repeat the answer. */
  shown?: string[];
}

/** An answer built from the parts received so far. */
export class Draft {
  requestId = '';
  lang: Language;
  sources: SourceRef[] = [];
  replaced = false;
  /** Remarks below the answer, in addition to those from its parts. */
  readonly notes: string[] = [];
  done: Extract<Part, { type: 'done' }> | null = null;
  #segments: { text: string; label: boolean }[] = [];
  #length = 0;
  #marks: { end: number; number: number }[] = [];
  /** Sources are numbered in the order of their first citation. */
  readonly #numbers = new Map<string, number>();
  readonly #quotes = new Map<string, string[]>();

  /** `lang` applies until the answer reports its own language. */
  constructor(lang: Language) {
    this.lang = lang;
  }

  take(part: Part): void {
    switch (part.type) {
      case 'meta':
        this.requestId = part.request_id;
        this.lang = part.lang;
        break;
      case 'sources':
        this.sources = part.sources;
        break;
      case 'text':
        this.#segments.push({ text: part.text, label: part.label ?? false });
        this.#length += part.text.length;
        break;
      case 'citation': {
        const number = this.#numbers.get(part.ref) ?? this.#numbers.size + 1;
        this.#numbers.set(part.ref, number);
        const quotes = this.#quotes.get(part.ref) ?? [];
        if (!quotes.includes(part.quote)) quotes.push(part.quote);
        this.#quotes.set(part.ref, quotes);
        if (!this.#marks.some((mark) => mark.end === part.end && mark.number === number))
          this.#marks.push({ end: part.end, number });
        break;
      }
      case 'replace':
        this.#segments = [{ text: part.answer, label: false }];
        this.#length = part.answer.length;
        this.#marks = [];
        this.#numbers.clear();
        this.#quotes.clear();
        this.replaced = true;
        break;
      case 'done':
        this.done = part;
        break;
    }
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /**
   * Returns the text and its citation numbers. A source name after its number is omitted, because the sources are
   * listed. A name on a separate line or without a number is part of the answer and stays. A number at the very end can
   * still move while text arrives.
   */
  pieces(): MessagePiece[] {
    const text = this.#segments.map((segment) => segment.text).join('');
    const marks = this.#marks
      .map(({ end, number }) => ({
        end: end + (closing.exec(text.slice(end, end + 8))?.[0].length ?? 0),
        number,
      }))
      .sort((a, b) => a.end - b.end);
    const pieces: MessagePiece[] = [];
    let at = 0;
    let next = 0;
    const addText = (from: number, to: number) => {
      if (to > from) pieces.push({ text: text.slice(from, to) });
    };
    for (const segment of this.#segments) {
      const end = at + segment.text.length;
      const line = text.lastIndexOf('\n', at) + 1;
      const isNumbered = line <= at && marks.some((mark) => mark.end > line && mark.end <= at);
      const isLeftOut = segment.label && isNumbered;
      for (let mark = marks[next]; mark && mark.end <= end; mark = marks[++next]) {
        if (!isLeftOut) addText(at, mark.end);
        at = Math.max(at, mark.end);
        pieces.push({ mark: mark.number });
      }
      if (!isLeftOut) addText(at, end);
      at = end;
    }
    return pieces;
  }

  /** Remarks shown below the answer. */
  remarks(): string[] {
    const t = texts[this.lang];
    return [
      ...(this.done?.finish_reason === 'length' ? [t.cut] : []),
      ...(this.replaced ? [t.replaced] : []),
      ...(this.done?.degraded ? [t.degraded] : []),
      ...(this.done?.private_file ? [t.fromFile] : []),
      ...this.notes,
    ];
  }

  /** The cited sources in the order of their numbers or, if nothing is cited, the closest sources. */
  listed(): { heading: string; sources: ListedSource[] } | null {
    const t = texts[this.lang];
    const cited = [...this.#numbers].flatMap(([ref, number]) => {
      const source = this.sources.find((one) => one.ref === ref);
      return source ? [this.#listed(source, number)] : [];
    });
    if (cited.length > 0) return { heading: t.sources, sources: cited.slice(0, listedMax) };
    const nearest = this.sources.slice(0, nearestMax).map((source, n) => this.#listed(source, n + 1));
    return nearest.length > 0 ? { heading: t.nearest, sources: nearest } : null;
  }

  #listed(source: SourceRef, number: number): ListedSource {
    const { lang } = this;
    const layer = source.layer_title ?? (source.layer === onlyLayer ? '' : source.layer);
    const quotes = this.#quotes.get(source.ref) ?? [];
    const title = source.title || source.heading || layer || source.doc_key;
    const facts = [
      source.heading === title ? '' : source.heading,
      layer === title ? '' : layer,
      source.event_date ? readableDate(source.event_date, lang) : '',
      source.page === undefined ? '' : texts[lang].page(source.page),
      source.lang === lang ? '' : texts[lang].languages[source.lang],
    ];
    return {
      number,
      ref: source.ref,
      title,
      facts: facts.filter(Boolean).join(' · '),
      url: [source.page_url, source.url].find(opens) ?? null,
      ...(this.done?.private_file
        ? { quotes: [], shown: quotes.filter((quote) => !this.#says(quote)).slice(0, shownMax) }
        : { quotes }),
    };
  }

  #says(quote: string): boolean {
    return this.#segments
      .map(({ text }) => text)
      .join('')
      .includes(quote);
  }
}

/** Whether people can open an address from a chat. Platforms reject addresses on the local machine. */
export function opens(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.');
}
