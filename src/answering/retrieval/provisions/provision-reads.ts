/**
 * The reads for all exact lookups of one request. Identical reads are performed once, and the number of passages
 * searched is limited. All methods reject with Failure `cancelled` once the signal is aborted.
 */
import type { ChunkSearch, Passage, SearchScope } from '../../../ports/chunk-search.ts';
import type { Found } from '../../../reading/passages.ts';
import { parseReferences } from '../../../text/references/parse.ts';
import { Numbering } from './numbering.ts';

/** Maximum number of chunks to search in a document. */
const chunksAtMost = 2_000;
/** After this number of searched passages, no further reference is looked up. */
const passagesAtMost = 30_000;
/** A division must be named at the beginning of a heading: within the first `headingStart` units. */
const headingMax = 60;
const headingStart = 3;

export class ProvisionReads {
  readonly #search: ChunkSearch;
  readonly #scope: SearchScope;
  readonly #signal: AbortSignal | undefined;
  readonly #read = new Map<string, Promise<unknown>>();
  #passages = 0;

  constructor(search: ChunkSearch, scope: SearchScope, signal?: AbortSignal) {
    this.#search = search;
    this.#scope = scope;
    this.#signal = signal;
  }

  /** Whether the limit on searched passages has been reached. */
  get isSpent(): boolean {
    return this.#passages >= passagesAtMost;
  }

  /** Adds to the number of searched passages. For passages that are searched again without being read again. */
  count(passages: number): void {
    this.#passages += passages;
  }

  byNumber(number: string, unit: string | null): Promise<readonly Passage[]> {
    return this.#once(['number', number, unit], async () => {
      const passages = await this.#search.byNumber(this.#scope, number, unit);
      this.count(passages.length);
      return passages;
    });
  }

  numbers(unit: string): Promise<Numbering> {
    return this.#once(
      ['numbers', unit],
      async () => new Numbering(await this.#search.numbers(this.#scope, unit)),
    );
  }

  /** The numbers of a unit in the first 2,000 passages of each document. */
  async numbersIn(doc_ids: Iterable<number>, unit: string): Promise<Numbering> {
    const documents = await Promise.all([...doc_ids].map((id) => this.document(id)));
    const numbers = documents
      .flat()
      .flatMap(({ chunk }) => (chunk.unit === unit && chunk.number !== null ? [chunk.number] : []));
    return new Numbering([...new Set(numbers)]);
  }

  /** The first 2,000 passages of a document. */
  document(doc_id: number): Promise<readonly Found[]> {
    return this.#once(['document', doc_id], async () => {
      const { items } = await this.#search.list(doc_id, chunksAtMost, 0);
      this.count(items.length);
      return items.map((passage) => ({ ...passage, score: 0 }));
    });
  }

  head(doc_id: number, passages: number): Promise<readonly Passage[]> {
    return this.#once(['head', doc_id, passages], async () => {
      const { items } = await this.#search.list(doc_id, passages, 0);
      this.count(items.length);
      return items;
    });
  }

  /** The divisions of a kind in a document. `below`: the passages below the heading of each, in order, by number. */
  divisions(doc_id: number, unit: string): Promise<{ below: Map<string, Found[]>; numbering: Numbering }> {
    return this.#once(['divisions', doc_id, unit], async () => {
      const below = new Map<string, Found[]>();
      for (const passage of await this.document(doc_id)) {
        const { path, heading } = passage.chunk;
        const numbers = [...path, heading].flatMap((line) =>
          parseReferences(line.slice(0, headingMax))
            .filter((one) => one.unit === unit && one.start < headingStart)
            .map((one) => one.number),
        );
        for (const number of new Set(numbers)) {
          const known = below.get(number);
          if (known) known.push(passage);
          else below.set(number, [passage]);
        }
      }
      return { below, numbering: new Numbering([...below.keys()]) };
    });
  }

  #once<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> {
    this.#signal?.throwIfAborted();
    const id = JSON.stringify(key);
    const known = this.#read.get(id) as Promise<T> | undefined;
    if (known) return known;
    const reading = read();
    this.#read.set(id, reading);
    return reading;
  }
}
