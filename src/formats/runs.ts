/** What the parsers of formatted documents share: runs of text with their formatting, styles, notes and omitted text. */
import { type Block, type LeftOut, type ParsedDocument, tidyLine, tidyParagraph } from './blocks.ts';
import { linked, struck } from './inline-marks.ts';

/** The formatting of a run. Null means that it is not stated, so the formatting around the run applies. */
export interface Look {
  bold: boolean | null;
  hidden: boolean | null;
  struck: boolean | null;
}

/** The formatting of a run, given its own statements and the formatting around it. */
export function lookWithin(around: Look, own: Look): Look {
  return {
    bold: own.bold ?? around.bold,
    hidden: own.hidden ?? around.hidden,
    struck: own.struck ?? around.struck,
  };
}

/** The longest chain of styles that is followed, because a broken file may contain a cycle. */
const lineageMax = 20;

/** The styles of a document by name. A style inherits what it does not state. */
export class Styles<Style extends { parent: string | null; look: Look }> extends Map<string, Style> {
  /** The first value that a style or one of its base styles has; null if there is none. */
  inherited<T>(name: string | null | undefined, pick: (style: Style, name: string) => T | null): T | null {
    let at = name ?? null;
    for (let steps = 0; at !== null && steps < lineageMax; steps++) {
      const style = this.get(at);
      if (style === undefined) return null;
      const picked = pick(style, at);
      if (picked !== null) return picked;
      at = style.parent;
    }
    return null;
  }

  look(name: string | null | undefined): Look {
    return {
      bold: this.inherited(name, ({ look }) => look.bold),
      hidden: this.inherited(name, ({ look }) => look.hidden),
      struck: this.inherited(name, ({ look }) => look.struck),
    };
  }
}

/** The text of a paragraph and its bold opening words, if it has any. */
export interface Paragraph {
  text: string;
  lead?: string;
}

/** Assembles the text of a paragraph from its runs. */
export class Runs {
  /** The visible text so far, with mark characters (inline-marks.ts). */
  text = '';
  hidden = '';
  #lead = '';
  #leads = true;
  readonly #base: string | null;

  /** `base` is the document's own address, for relative links; null if unknown. */
  constructor(base: string | null = null) {
    this.#base = base;
  }

  add(piece: string, look: Partial<Look> = {}, address?: string | null): void {
    if (look.hidden) {
      this.hidden += piece;
      return;
    }
    this.text += linked(look.struck ? struck(piece) : piece, address, this.#base);
    if (look.bold || piece.trim() === '') {
      if (this.#leads) this.#lead += piece;
    } else this.#leads = false;
  }

  /** Ends the paragraph and begins the next one. */
  take(): Paragraph {
    const text = tidyParagraph(this.text);
    const lead = tidyParagraph(this.#lead);
    this.text = '';
    this.hidden = '';
    this.#lead = '';
    this.#leads = true;
    return { text, ...(lead !== '' && { lead }) };
  }
}

/** A document while it is being parsed. */
export class OpenDocument {
  readonly blocks: Block[] = [];
  readonly left: LeftOut[] = [];
  readonly #notes: { mark: string; text: string }[] = [];

  /** Adds omitted text, unless it is blank. */
  leaveOut(text: string, where = ''): void {
    const tidy = tidyLine(text);
    if (tidy !== '') this.left.push({ where, text: tidy });
  }

  /** Adds a note with the next number, whose text is set by the caller. */
  note(): { readonly mark: string; text: string } {
    const note = { mark: String(this.#notes.length + 1), text: '' };
    this.#notes.push(note);
    return note;
  }

  /** The notes come last; they are placed after the text that refers to them later (notes.ts). */
  finish(title: string | null): ParsedDocument {
    const notes = this.#notes.flatMap(({ mark, text }): Block[] => {
      const tidy = tidyLine(text);
      return tidy === '' ? [] : [{ kind: 'note', mark, text: tidy }];
    });
    return { title, blocks: [...this.blocks, ...notes], hints: {}, left: this.left };
  }
}
