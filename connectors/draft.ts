/** An answer as a chat shows it: its text with numbered sources, as far as its parts have come. */
import type { Part, SourceRef } from '../src/answering/parts.ts';
import type { Language } from '../src/domain/events.ts';
import type { Piece } from './splitting.ts';
import { readableDate, texts } from './texts.ts';

/** The name of the layer of a corpus that has no others: it says nothing. */
const onlyLayer = 'main';
/** Sources that are listed where nothing was cited. */
const nearestMax = 3;
/** Sources of one answer that are listed. */
const listedMax = 12;
/** Quotes that stand with one source. */
const shownMax = 2;
/** What closes a quotation belongs before its number. */
const closing = /^[»”’"')\]]+/;

/** A source as it is listed. */
export interface ListedSource {
  number: number;
  ref: string;
  /** Title of the document. */
  title: string;
  /** Heading, layer, date, language where they say something; joined with dots. */
  facts: string;
  /** An address that opens for people; null where the service knows none. */
  url: string | null;
  /** What the answer quotes of it, word for word. */
  quotes: string[];
  /** The same of what is recorded nowhere, so that it stands with the source at once; without what the answer says. */
  shown?: string[];
}

/** An answer as far as its parts have come. */
export class Draft {
  requestId = '';
  lang: Language;
  sources: SourceRef[] = [];
  replaced = false;
  /** What is remarked below the answer beside what its parts say. */
  readonly notes: string[] = [];
  done: Extract<Part, { type: 'done' }> | null = null;
  #segments: { text: string; label: boolean }[] = [];
  #length = 0;
  #marks: { end: number; number: number }[] = [];
  /** Numbers are given in the order of first citation. */
  readonly #numbers = new Map<string, number>();
  readonly #quotes = new Map<string, string[]>();

  /** `lang`: until the answer says which it is in. */
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
   * What only names a source behind a number is left out: the sources are listed. What is named on a line of its own, or
   * without a number, is what the answer says. A number at the very end may move while text comes.
   */
  pieces(): Piece[] {
    const text = this.#segments.map((segment) => segment.text).join('');
    const marks = this.#marks
      .map(({ end, number }) => ({
        end: end + (closing.exec(text.slice(end, end + 8))?.[0].length ?? 0),
        number,
      }))
      .sort((a, b) => a.end - b.end);
    const pieces: Piece[] = [];
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

  /** Remarks below the answer. */
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

  /** The sources that are cited, by their numbers; where nothing is, the nearest. */
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

/** Whether people can open an address from a chat: platforms refuse those of one machine. */
export function opens(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.');
}
