/** Passages for a question, with what their documents state of themselves. */
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
import type { Retrieved } from './passages.ts';

/** A name that stands in the titles of so many documents, of so many that are looked at, is the corpus' own. */
const ownNameTitles = 2;
const titlesRead = 2_000;

/** One for each thread that answers questions. */
export class Retriever {
  readonly #search: ChunkSearch;
  readonly #passages: PassageSearch;
  readonly #facts: FollowedFacts;

  /** `embedder`: a deterministic one, for questions that come without a vector of a model; null: text alone. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#passages = new PassageSearch(search, embedder);
    this.#facts = new FollowedFacts(search);
  }

  /** Takes in what documents state; called by every retrieval, and once ahead of the first to have it quick. */
  refresh(): Promise<void> {
    return this.#facts.follow();
  }

  /** How many chunks a scope has, and in how many of them each stem stands. */
  frequencies(
    scope: SearchScope,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    return this.#passages.frequencies(scope, stems);
  }

  /** The best passages for a question; none where nothing matches. */
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

  /** What a question asks of the documents of a scope by what they state of themselves. */
  async askedDocuments(question: string, scope: SearchScope, lang: Language | null): Promise<AskedDocuments> {
    await this.refresh();
    const facts = this.#facts.of(scope);
    return askedDocuments(question, lang, facts, (word) => isInTitles(word, facts));
  }

  /** The first passages of documents, in the order of these; what is no longer visible is left out. */
  async beginnings(docIds: readonly number[], scope: SearchScope): Promise<Passage[]> {
    const facts = this.#facts.of(scope);
    const visible = docIds.filter((docId) => facts.get(docId) !== null);
    const lists = await Promise.all(visible.map((docId) => this.#search.list(docId, 1, 0)));
    return lists.flatMap(({ items }) => items);
  }
}

/** Whether a name is the corpus' own: that of its country, its house. */
function isInTitles(name: NameWord, facts: StatedFacts): boolean {
  let found = 0;
  let read = 0;
  for (const { title } of facts.all()) {
    if (words(title).some((word) => sameName(name, nameWord(word)))) found++;
    if (found === ownNameTitles || ++read === titlesRead) break;
  }
  return found === ownNameTitles;
}
