/** Retrieves passages for a question, with the metadata of their documents. */
import type { ChunkSearch, Passage, SearchScope } from '../../ports/chunk-search.ts';
import type { Embedder } from '../../ports/models.ts';
import { PassageSearch, type SearchRequest } from '../../search/search.ts';
import type { Language } from '../../text/languages/index.ts';
import { words } from '../../text/words.ts';
import { type AskedDocuments, askedDocuments } from '../kinds/dates-and-speakers/asked-documents.ts';
import { FollowedFacts } from '../kinds/dates-and-speakers/document-facts.ts';
import {
  type NameWord,
  nameWord,
  type StatedFacts,
  sameName,
} from '../kinds/dates-and-speakers/stated-facts.ts';
import type { Retrieved } from '../reading/passages.ts';

/** A name in at least this many titles, of this many titles read, is the corpus's own name. */
const ownNameTitles = 2;
const titlesRead = 2_000;

/** One per thread that answers questions. */
export class Retriever {
  readonly #search: ChunkSearch;
  readonly #passages: PassageSearch;
  readonly #facts: FollowedFacts;

  /** `embedder`: a deterministic one, for questions without a model's vector; null: text only. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#passages = new PassageSearch(search, embedder);
    this.#facts = new FollowedFacts(search);
  }

  /** Updates the document metadata. Every retrieval calls it; an early call makes the first retrieval fast. */
  refresh(): Promise<void> {
    return this.#facts.follow();
  }

  /** The number of chunks in a scope, and of those that contain each stem. */
  frequencies(
    scope: SearchScope,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    return this.#passages.frequencies(scope, stems);
  }

  /** The best passages for a question; empty if nothing matches. */
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

  /** Which documents of a scope a question asks about by their metadata. */
  async askedDocuments(question: string, scope: SearchScope, lang: Language | null): Promise<AskedDocuments> {
    await this.refresh();
    const facts = this.#facts.of(scope);
    return askedDocuments(question, lang, facts, (word) => isInTitles(word, facts));
  }

  /** The first passages of documents, in the same order. Documents that are no longer visible are dropped. */
  async beginnings(docIds: readonly number[], scope: SearchScope): Promise<Passage[]> {
    const facts = this.#facts.of(scope);
    const visible = docIds.filter((docId) => facts.get(docId) !== null);
    const lists = await Promise.all(visible.map((docId) => this.#search.list(docId, 1, 0)));
    return lists.flatMap(({ items }) => items);
  }
}

/** Whether a name is the corpus's own, such as that of its country or organisation. */
function isInTitles(name: NameWord, facts: StatedFacts): boolean {
  let found = 0;
  let read = 0;
  for (const { title } of facts.all()) {
    if (words(title).some((word) => sameName(name, nameWord(word)))) found++;
    if (found === ownNameTitles || ++read === titlesRead) break;
  }
  return found === ownNameTitles;
}
