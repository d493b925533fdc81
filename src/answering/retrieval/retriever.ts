/** Retrieves passages for a question, with the metadata of their documents. */

import type { Language } from '../../domain/events.ts';
import type { ChunkSearch, Passage, SearchScope } from '../../ports/chunk-search.ts';
import type { Embedder } from '../../ports/models.ts';
import type { Retrieved } from '../../reading/passages.ts';
import { PassageSearch, type SearchRequest } from '../../search/search.ts';
import { words } from '../../text/words.ts';
import { type AskedDocuments, askedDocuments } from './documents/asked-documents.ts';
import { FollowedFacts } from './documents/document-facts.ts';
import { type NameWord, nameWord, type StatedFacts, sameName } from './documents/stated-facts.ts';

/** A name that occurs in at least `ownNameTitles` of the first `titlesRead` titles belongs to the corpus itself. */
const ownNameTitles = 2;
const titlesRead = 2_000;

/** The retriever of one thread. */
export class Retriever {
  readonly #search: ChunkSearch;
  readonly #passages: PassageSearch;
  readonly #facts: FollowedFacts;

  /** `embedder`: the offline embedder, used for questions without a vector; null: search by words only. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#passages = new PassageSearch(search, embedder);
    this.#facts = new FollowedFacts(search);
  }

  /** Updates the document metadata. Every retrieval does this; an earlier call makes the first retrieval faster. */
  refresh(): Promise<void> {
    return this.#facts.follow();
  }

  /** Returns the number of chunks in a scope, and the number of them that contain each stem. */
  frequencies(
    scope: SearchScope,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    return this.#passages.frequencies(scope, stems);
  }

  async retrieve(request: SearchRequest, signal?: AbortSignal): Promise<Retrieved> {
    await this.refresh();
    const { hits, ...found } = await this.#passages.find(request, signal);
    const facts = this.#facts.of(request);
    const isNamesake = ({ facts: { doc_id } }: Passage) => facts.hasNamesake(doc_id);
    return {
      ...found,
      hits: hits.map((hit) => ({ ...hit, ...(isNamesake(hit) && { namesake: true as const }) })),
    };
  }

  /** Determines which documents in a scope a question asks about by their metadata. */
  async askedDocuments(question: string, scope: SearchScope, lang: Language | null): Promise<AskedDocuments> {
    await this.refresh();
    const facts = this.#facts.of(scope);
    return askedDocuments(question, lang, facts, (word) => isInTitles(word, facts));
  }

  /**
   * Returns the first passage of each document, in the given order. Documents that are no longer visible are skipped.
   */
  async beginnings(docIds: readonly number[], scope: SearchScope): Promise<Passage[]> {
    const facts = this.#facts.of(scope);
    const visible = docIds.filter((docId) => facts.get(docId) !== null);
    const lists = await Promise.all(visible.map((docId) => this.#search.list(docId, 1, 0)));
    return lists.flatMap(({ items }) => items);
  }
}

/** Whether a name belongs to the corpus itself, such as the name of its country or organisation. */
function isInTitles(name: NameWord, facts: StatedFacts): boolean {
  let found = 0;
  let read = 0;
  for (const { title } of facts.all()) {
    if (words(title).some((word) => sameName(name, nameWord(word)))) found++;
    if (found === ownNameTitles || ++read === titlesRead) break;
  }
  return found === ownNameTitles;
}
