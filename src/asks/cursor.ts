/**
 * Numbers the parts of an answer so that a dropped stream can be resumed at any point.
 *
 * An event's number encodes what a client has received after the event, not the number of events:
 *
 *     n = 10,000 × (UTF-16 units of answer text received) + (citations received)
 *
 * The number is 1 after `meta` and 2 after `sources`. `replaced` is added once a `replace` has been sent, and the last
 * event has the number `ended`. Numbers increase with every event. Any instance can resume from a number with the
 * recorded answer alone: it sends the text from that offset and the citations from that count on, in pieces of any
 * size. This only requires that the record keeps the citations in the order in which they were sent.
 */
import type { Part } from '../answering/parts.ts';

const perUnit = 10_000;
const replaced = 10 ** 12;
const ended = 2 * 10 ** 12;

export interface NumberedPart {
  n: number;
  part: Part;
}

export class Cursor {
  /** What the client has received so far. */
  #stage: 0 | 1 | 2;
  #replaced: boolean;
  #text: number;
  #citations: number;
  readonly #ended: boolean;
  /**
   * Whether the client has received a replaced answer, in which case parts before the `replace` are irrelevant to it.
   */
  #beforeReplace: boolean;
  /** The current position in the sequence of parts. */
  #textRead = 0;
  #citationsRead = 0;

  /** `after` is the number of the last event that the client has seen, or 0. */
  constructor(after = 0) {
    this.#ended = after >= ended;
    this.#replaced = !this.#ended && after >= replaced;
    this.#beforeReplace = this.#replaced;
    const position = after - (this.#replaced ? replaced : 0);
    this.#stage = position >= 2 ? 2 : position === 1 ? 1 : 0;
    this.#text = this.#ended ? 0 : Math.floor(position / perUnit);
    this.#citations = this.#text > 0 ? position % perUnit : 0;
  }

  /** Whether the client has seen the last event, so that there is nothing left to send. */
  get ended(): boolean {
    return this.#ended;
  }

  get holdsText(): boolean {
    return this.#text > 0;
  }

  /** Returns the part, or the rest of it, with its number; null if the client already has it. */
  take(part: Part): NumberedPart | null {
    switch (part.type) {
      case 'meta':
        return this.#atStage(1, part);
      case 'sources':
        return this.#atStage(2, part);
      case 'text': {
        const start = this.#textRead;
        this.#textRead += part.text.length;
        if (this.#beforeReplace || this.#textRead <= this.#text) return null;
        const text = part.text.slice(Math.max(0, this.#text - start));
        this.#text = this.#textRead;
        return this.#number({ ...part, text });
      }
      case 'citation':
        if (this.#beforeReplace || ++this.#citationsRead <= this.#citations) return null;
        this.#citations = this.#citationsRead;
        return this.#number(part);
      case 'replace': {
        this.#textRead = part.answer.length;
        this.#citationsRead = 0;
        this.#beforeReplace = false;
        if (this.#replaced) return null;
        this.#replaced = true;
        this.#text = this.#textRead;
        this.#citations = 0;
        return this.#number(part);
      }
      case 'done':
      case 'error':
        return { n: ended, part };
    }
  }

  #atStage(stage: 1 | 2, part: Part): NumberedPart | null {
    if (this.#stage >= stage) return null;
    this.#stage = stage;
    return { n: stage, part };
  }

  #number(part: Part): NumberedPart {
    return { n: (this.#replaced ? replaced : 0) + perUnit * this.#text + this.#citations, part };
  }
}
