/** Where references to provisions lead among the documents at hand. */
import type { DocumentRecord } from './records.ts';

/** A document with the provisions it has and those it refers to: "article 7". */
export interface Referring {
  record: Pick<DocumentRecord, 'title' | 'lang'>;
  numbers: ReadonlySet<string>;
  refers: ReadonlySet<string>;
}

/** The documents that have a provision of some unit and number. */
interface Having<D> {
  documents: Set<D>;
  /** In order; null: not sorted yet. */
  sorted: readonly D[] | null;
  /** What was found among them, by language and act. */
  found: Map<string, D | null>;
}

export class References<D extends Referring> {
  readonly #inOrder: (a: D, b: D) => number;
  readonly #having = new Map<string, Having<D>>();
  readonly #referring = new Map<string, Set<D>>();
  /** Numbers whose documents have come or gone since `affected` was asked. */
  readonly #changed = new Set<string>();
  readonly #titles = new WeakMap<D, ReadonlySet<string>>();

  /** `inOrder`: the first is meant where several have a number. */
  constructor(inOrder: (a: D, b: D) => number) {
    this.#inOrder = inOrder;
  }

  add(document: D): void {
    for (const number of document.numbers) this.#changing(number).documents.add(document);
    for (const number of document.refers) {
      const known = this.#referring.get(number);
      if (known) known.add(document);
      else this.#referring.set(number, new Set([document]));
    }
  }

  remove(document: D): void {
    for (const number of document.numbers) {
      const { documents } = this.#changing(number);
      documents.delete(document);
      if (documents.size === 0) this.#having.delete(number);
    }
    for (const number of document.refers) {
      const known = this.#referring.get(number);
      known?.delete(document);
      if (known?.size === 0) this.#referring.delete(number);
    }
  }

  #changing(number: string): Having<D> {
    this.#changed.add(number);
    const known = this.#having.get(number) ?? { documents: new Set(), sorted: null, found: new Map() };
    known.sorted = null;
    known.found.clear();
    this.#having.set(number, known);
    return known;
  }

  /** The documents whose references may lead elsewhere since it was last asked. */
  affected(): Set<D> {
    const all = new Set([...this.#changed].flatMap((number) => [...(this.#referring.get(number) ?? [])]));
    this.#changed.clear();
    return all;
  }

  /**
   * The document whose provision is meant: of an act that is named; else the text itself; else the first that has it, in
   * its language if there is one. Null: none at hand.
   */
  resolve(document: D, number: string, act: string | null): D | null {
    if (act === null && document.numbers.has(number)) return document;
    const having = this.#having.get(number);
    if (having === undefined) return null;
    const { lang } = document.record;
    const asked = `${lang}\n${act ?? ''}`;
    const known = having.found.get(asked);
    if (known !== undefined) return known;
    having.sorted ??= [...having.documents].sort(this.#inOrder);
    const meant = act === null ? having.sorted : having.sorted.filter((one) => this.#isTitled(one, act));
    const found = meant.find(({ record }) => record.lang === lang) ?? meant[0] ?? null;
    having.found.set(asked, found);
    return found;
  }

  /** Whether an act's name, in whatever form, is the title of a document or a part of it: by the letters words begin with. */
  #isTitled(document: D, act: string): boolean {
    let title = this.#titles.get(document);
    if (title === undefined) {
      title = new Set(beginnings(document.record.title));
      this.#titles.set(document, title);
    }
    return beginnings(act).every((word) => title.has(word));
  }
}

const prefixLength = 5;
const beginnings = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map((word) => word.slice(0, prefixLength));
