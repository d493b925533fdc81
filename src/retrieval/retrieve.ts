/**
 * Finds the passages for a question: what its words may mean in this index, candidates by words and by vectors,
 * then the ranking of rank.ts.
 *
 * Candidates are the chunks with most of the content words' stems and prefixes: those the store's full-text index names,
 * else those of inverted-index.ts. Everything after that runs over what is held in memory (forward-index.ts), which
 * first takes in what the store has changed. Corrections happen only to words the index
 * does not know: the same keys in another layout, a name in the other script, a near spelling.
 */
import type { Language } from '../domain/events.ts';
import type { ChunkSearch, Passage, SearchScope } from '../ports/chunk-search.ts';
import type { Embedder } from '../ports/models.ts';
import { grams, hasSecondStems, isStopWord, prefix, stem, stemIn, words } from '../text/words.ts';
import { writtenOut } from './acronyms.ts';
import { type AskedDocuments, askedDocuments } from './asked-documents.ts';
import { Corrections } from './corrections.ts';
import { type PartitionTerms, StoreTerms } from './forward-index.ts';
import { type AskedTerms, InvertedIndex } from './inverted-index.ts';
import { inKnownLayout } from './known-layout.ts';
import { covers } from './matching.ts';
import type { Hit, ModelHints, Retrieved } from './passages.ts';
import { type RankedQuestion, Ranker, type WeightedTerm } from './rank.ts';
import { relatedStems } from './related.ts';
import { respell, Spelling, surelyMeant } from './spelling.ts';
import { type NameWord, StatedFacts } from './stated-facts.ts';

/** `layers`: those searched, the leading one first; between passages equally good the leading layer wins. */
export interface RetrieveRequest extends SearchScope {
  query: string;
  /** What was written around the question: its words find passages as those of the question do. */
  story?: string;
  /** Passages of this language are preferred a little; null: no preference. */
  lang: Language | null;
  /** Passages wanted. */
  limit: number;
  /** Documents whose passages alone are wanted; all where absent. */
  only?: ReadonlySet<number>;
  models?: ModelHints;
}

/** The words of a scope, for look-ups by other terms than a question's own. */
export interface ScopeTerms {
  /** Languages of its chunks. */
  readonly languages: readonly Language[];
  chunks(lang: Language): number;
  /** In how many chunks of a language a stem stands. */
  frequency(stem: string, lang: Language): number;
  /** The stem in another script, or with the letters it was typed without, that sounds like it; null for none. */
  soundAlike(stem: string): string | null;
  /** Stem of the word of the documents that an unknown word is misspelt for; null for none. */
  meant(word: string): string | null;
}

/** Chunks that are scored in full. */
const candidateCount = 100;
/** So many passages of documents asked for by name are scored, too, that the index did not name as candidates. */
const scoredOfDocuments = 1_000;
/** With fewer found by text, vectors without a weight of their own may add what only pieces of words have in common. */
const fewCandidates = 10;
/**
 * `vector`: for embeddings of a language model, which come with the question. Measured with made vectors alone
 * (`npm run bench -- vectors`; figures in the README): ones much worse than words cost a point of nDCG@10 or less, ones
 * as good gain three to five, and at .1 they gain a third of that. Those of the offline embedder
 * do not reorder what text has found (any weight from .005 on cost .1 to 1 point on five of seven sets): they only
 * bring in further candidates, so that fusion is never worse than text alone.
 */
const weights = { stop: 0.2, correction: 0.7, vector: 0.3, lang: 0.1, layer: 0.02 };
/** Unknown words of a question that are looked up: each costs a scan of all stems. */
const maxLookedUp = 16;
/**
 * Terms candidates are looked for by. Each costs a walk through all its places, so a term is asked for once however
 * often the question repeats it (the ranking still counts how often), and of more than these the rarest.
 */
const termsMax = 64;

/** Retrieval over one store. Keeps the terms of all its partitions; one for each thread that answers questions. */
export class Retriever {
  readonly #search: ChunkSearch;
  readonly #embedder: Embedder | null;
  readonly #terms: StoreTerms;
  readonly #corrections: Corrections;
  readonly #spelling: Spelling;
  readonly #rankers = new WeakMap<PartitionTerms, Ranker>();
  readonly #inverted = new WeakMap<PartitionTerms, InvertedIndex>();

  /** `embedder`: a deterministic one, for questions that come without a vector of a model; null: text alone. */
  constructor(search: ChunkSearch, embedder: Embedder | null) {
    this.#search = search;
    this.#embedder = embedder;
    this.#terms = new StoreTerms(search);
    this.#corrections = new Corrections(this.#terms.vocabulary.stems);
    this.#spelling = new Spelling(this.#terms.vocabulary);
  }

  /** Takes in what has changed; called by every retrieval, and once ahead of the first to have it quick. */
  refresh(how?: { gently: boolean }): Promise<void> {
    return this.#terms.refresh(how);
  }

  /** How many visible chunks a partition has, and in how many of them each stem stands. */
  async frequencies(
    scope: SearchScope,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    await this.refresh();
    const terms = this.#terms.partition(scope);
    const df = (name: string) => terms?.stemDf[this.#terms.vocabulary.stems.find(name)] ?? 0;
    return { documents: terms?.chunks ?? 0, df: new Map(stems.map((name) => [name, df(name)])) };
  }

  /**
   * How words of a passage are stemmed: as the index has them, since to stem a word takes as long as to look up fifty.
   * `lang`: the passage's.
   */
  stemmer(id: number, scope: SearchScope, lang: Language): (word: string) => string {
    const compute = (word: string) => stemIn(word, lang);
    const terms = this.#terms.partition(scope);
    const slot = terms?.slot(id) ?? -1;
    if (!terms || slot < 0) return compute;
    const { words: all, stems, stemOf, secondOf } = terms.vocabulary;
    const known = new Map<string, string>();
    const seconds = hasSecondStems(lang);
    const from = terms.from[slot]!;
    for (const token of terms.tokens.subarray(from, from + terms.length[slot]!)) {
      // Of two stems the language of the passage has one.
      if (secondOf[token] === 0 || !seconds) known.set(all[token]!, stems.list[stemOf[token]!]!);
    }
    return (word) => known.get(word) ?? compute(word);
  }

  /** What a question asks of the documents of a scope by what they state of themselves. */
  async askedDocuments(question: string, scope: SearchScope, lang: Language | null): Promise<AskedDocuments> {
    await this.refresh();
    const terms = this.#terms.partition(scope);
    const { list } = this.#terms.vocabulary.stems;
    const inTitles = ({ stem: name }: NameWord): boolean => {
      if (!terms) return false;
      const alike = list[this.#corrections.soundAlike(name, terms)] || name;
      return list.some(
        (one, id) =>
          (terms.titleDf[id] ?? 0) >= ownNameTitles &&
          (covers(one, name) || covers(name, one) || covers(alike, one)),
      );
    };
    return askedDocuments(question, lang, terms?.stated ?? new StatedFacts(), inTitles);
  }

  /** The first passages of documents, in the order of these; what is no longer visible is left out. */
  async beginnings(docIds: readonly number[], scope: SearchScope): Promise<Passage[]> {
    const terms = this.#terms.partition(scope);
    const ids = docIds.flatMap((docId) => {
      const range = terms?.slotsOf(docId);
      return terms && range && range.count > 0 ? [terms.ids[range.first]!] : [];
    });
    return this.#search.passages(ids);
  }

  /** The words of a scope as they are now; null where nothing is visible. */
  async terms(scope: SearchScope): Promise<ScopeTerms | null> {
    await this.refresh();
    const partition = this.#terms.partition(scope);
    if (!partition || partition.chunks === 0) return null;
    const { stems } = this.#terms.vocabulary;
    const corrections = this.#corrections;
    return {
      languages: [...partition.languages].flatMap(([lang, { chunks }]) => (chunks > 0 ? lang : [])).sort(),
      chunks: (lang) => partition.languages.get(lang)?.chunks ?? 0,
      frequency: (name, lang) => partition.languages.get(lang)?.stemDf[stems.find(name)] ?? 0,
      soundAlike: (name) => stems.list[corrections.soundAlike(name, partition)] || null,
      meant: (word) => surelyMeant(word, this.#spelling, partition),
    };
  }

  /** The best passages for a question; none where nothing matches. */
  async retrieve(request: RetrieveRequest, signal?: AbortSignal): Promise<Retrieved> {
    await this.refresh();
    const { corpus_id, layers, lang } = request;
    const scope: SearchScope = { corpus_id, layers };
    const terms = this.#terms.partition(scope);
    if (!terms || terms.chunks === 0) return { hits: [], query: request.query, corrections: [] };
    signal?.throwIfAborted();
    const { query, corrections, ...understood } = this.#understand(request, terms);
    const ids = await this.#candidates(scope, terms, understood.terms);
    const vector = request.models?.vector ?? null;
    const similarities = await (vector
      ? this.#nearest(scope, vector.embedder, vector.values)
      : this.#similar(scope, query, ids.length, signal));
    signal?.throwIfAborted();
    // From here on nothing is awaited: slots hold only until the next change is taken in.
    const named = [...new Set([...ids, ...similarities.keys()])]
      .map((id) => terms.slot(id))
      .filter((n) => n >= 0);
    const slots = request.only ? slotsWithin(terms, request.only, named) : named;
    const vectorWeight = vector ? weights.vector : 0;
    const nearness = scaled(similarities);
    const found: { id: number; hit: Omit<Hit, keyof Passage> }[] = [];
    for (const { slot, score, ...features } of this.#ranker(terms).rank(understood.question, slots)) {
      if (features.bm25 === 0 && !vector) continue;
      const id = terms.ids[slot]!;
      const similarity = similarities.get(id) ?? 0;
      const layer = layers.indexOf(terms.layers[slot]!);
      found.push({
        id,
        hit: {
          ...features,
          similarity,
          score:
            score +
            vectorWeight * (nearness.get(id) ?? 0) +
            (terms.langs[slot] === lang ? weights.lang : 0) +
            weights.layer * (1 - layer / layers.length),
        },
      });
    }
    found.sort((a, b) => b.hit.score - a.hit.score || a.id - b.id);
    const top = new Map(found.slice(0, request.limit).map(({ id, hit }) => [id, hit]));
    const passages = await this.#search.passages([...top.keys()]);
    const hits = passages.map((passage) => ({
      ...passage,
      ...top.get(passage.id)!,
      ...(terms.stated.hasNamesake(passage.facts.doc_id) && { namesake: true as const }),
    }));
    return { hits, query, corrections };
  }

  async #nearest(scope: SearchScope, embedder: string, vector: Float32Array): Promise<Map<number, number>> {
    const nearest = await this.#search.nearest(scope, embedder, vector, candidateCount / 2);
    return new Map(nearest.map(({ id, similarity }) => [id, similarity]));
  }

  /** The chunks whose vectors are most like the question's, where text has found too little. */
  async #similar(
    scope: SearchScope,
    query: string,
    foundByText: number,
    signal?: AbortSignal,
  ): Promise<Map<number, number>> {
    const embedder = this.#embedder;
    if (!embedder || foundByText >= fewCandidates) return new Map();
    const [vector] = await embedder.embed([query], 'query', signal);
    return vector ? this.#nearest(scope, embedder.name, vector) : new Map();
  }

  #ranker(partition: PartitionTerms): Ranker {
    let ranker = this.#rankers.get(partition);
    if (!ranker) {
      ranker = new Ranker(partition);
      this.#rankers.set(partition, ranker);
    }
    return ranker;
  }

  /** The question in the terms of a partition. */
  #understand(
    { query: typed, story = '', lang }: RetrieveRequest,
    partition: PartitionTerms,
  ): {
    question: RankedQuestion;
    query: string;
    corrections: { stem: string; known: string[] }[];
    terms: AskedTerms;
  } {
    const { stems, prefixes, grams: pieces } = this.#terms.vocabulary;
    const knows = (word: string): boolean => (partition.stemDf[stems.find(stem(word))] ?? 0) > 0;
    const alikeElsewhere = (word: string) => this.#corrections.soundAlike(stem(word), partition) > 0;
    const put = (text: string) => respell(text, this.#spelling, partition, alikeElsewhere);
    const { text: query, ...asTyped } = put(writtenOut(inKnownLayout(typed, knows), lang, partition, knows));
    const respeltStory = put(inKnownLayout(story, knows));
    const perhaps = new Map([...respeltStory.perhaps, ...asTyped.perhaps]);
    const asked = words(query);
    const content = asked.filter((word) => !isStopWord(word));
    const isContent = (word: string) => content.length === 0 || !isStopWord(word);
    // All that was written counts alike: with less weight for the story cisi loses half a point to two. What is asked
    // comes first, since not every unknown word is looked up.
    const all = [...asked, ...words(respeltStory.text)];

    const stemWeights = new Map<number, number>();
    const prefixWeights = new Map<number, number>();
    const gramWeights = new Map<number, number>();
    const order: number[] = [];
    const askedStems = new Set<number>();
    const askedPrefixes = new Set<number>();
    const corrections: { stem: string; known: string[] }[] = [...asTyped.replaced, ...respeltStory.replaced];
    let lookedUp = 0;
    const add = (to: Map<number, number>, id: number, weight: number) => {
      if (id !== 0) to.set(id, (to.get(id) ?? 0) + weight);
    };
    const addPieces = (word: string) => {
      const prefixId = prefixes.find(prefix(word));
      if ((partition.prefixDf[prefixId] ?? 0) > 0) {
        add(prefixWeights, prefixId, 1);
        askedPrefixes.add(prefixId);
      }
      for (const piece of grams(word)) {
        const id = pieces.find(piece);
        if ((partition.gramDf[id] ?? 0) > 0) add(gramWeights, id, 1);
      }
    };
    for (const word of all) {
      const root = stem(word);
      const id = stems.find(root);
      const known = (partition.stemDf[id] ?? 0) > 0;
      if (!isContent(word)) {
        if (known) add(stemWeights, id, weights.stop);
        continue;
      }
      addPieces(word);
      if (known) {
        add(stemWeights, id, 1);
        order.push(id);
        askedStems.add(id);
        continue;
      }
      if (lookedUp++ >= maxLookedUp) continue;
      const alike = this.#corrections.soundAlike(root, partition);
      const related = relatedStems(root)
        .map((one) => stems.find(one))
        .sort((a, b) => (partition.stemDf[b] ?? 0) - (partition.stemDf[a] ?? 0))
        .find((one) => (partition.stemDf[one] ?? 0) > 0);
      const instead = alike > 0 ? alike : (related ?? stems.find(perhaps.get(word) ?? ''));
      if (instead === 0) continue;
      const name = stems.list[instead]!;
      corrections.push({ stem: root, known: [name] });
      add(stemWeights, instead, alike > 0 ? 1 : weights.correction);
      askedStems.add(instead);
      if (alike > 0) {
        order.push(instead);
        addPieces(name);
      }
    }
    const weighted = (terms: Map<number, number>): WeightedTerm[] =>
      [...terms].map(([id, weight]) => ({ id, weight }));
    const rarest = [
      ...[...askedStems].map((id) => ({ kind: 'stems', id, df: partition.stemDf[id]! })),
      ...[...askedPrefixes].map((id) => ({ kind: 'prefixes', id, df: partition.prefixDf[id]! })),
    ];
    if (rarest.length > termsMax) rarest.sort((a, b) => a.df - b.df).splice(termsMax);
    return {
      query,
      corrections,
      terms: {
        stems: rarest.filter(({ kind }) => kind === 'stems'),
        prefixes: rarest.filter(({ kind }) => kind === 'prefixes'),
      },
      question: {
        stems: weighted(stemWeights),
        content: order,
        prefixes: weighted(prefixWeights),
        grams: weighted(gramWeights),
      },
    };
  }

  /** Ids of the candidates by words; asks for more while too many are of revisions not visible. */
  async #candidates(scope: SearchScope, partition: PartitionTerms, terms: AskedTerms): Promise<number[]> {
    for (let asked = candidateCount; ; asked *= 4) {
      const ids = await this.#named(scope, partition, terms, asked);
      const visible = ids.filter((id) => partition.slot(id) >= 0);
      if (visible.length >= candidateCount || ids.length < asked) return visible.slice(0, candidateCount);
    }
  }

  async #named(
    scope: SearchScope,
    partition: PartitionTerms,
    asked: AskedTerms,
    limit: number,
  ): Promise<number[]> {
    if (this.#search.candidates === null) {
      return this.#invertedIndex(partition)
        .best(asked, limit)
        .map((slot) => partition.ids[slot]!);
    }
    const { stems, prefixes } = this.#terms.vocabulary;
    const names = {
      stems: asked.stems.map(({ id }) => stems.list[id]!),
      prefixes: asked.prefixes.map(({ id }) => prefixes.list[id]!),
    };
    return this.#search.candidates(scope, names, limit);
  }

  #invertedIndex(partition: PartitionTerms): InvertedIndex {
    let index = this.#inverted.get(partition);
    if (!index) {
      index = new InvertedIndex(partition);
      this.#inverted.set(partition, index);
    }
    return index;
  }
}

/**
 * Similarities from 0 for the least of the nearest to 1 for the most: how far apart cosines lie differs from model to
 * model, and from question to question.
 */
function scaled(similarities: ReadonlyMap<number, number>): Map<number, number> {
  const all = [...similarities.values()];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return new Map(
    [...similarities].map(([id, one]) => [id, most > least ? (one - least) / (most - least) : 1]),
  );
}

/** Of the candidates those of some documents; of few documents all passages, whatever the index named. */
function slotsWithin(
  terms: PartitionTerms,
  only: ReadonlySet<number>,
  candidates: readonly number[],
): number[] {
  const all: number[] = [];
  for (const docId of only) {
    const { first = 0, count = 0 } = terms.slotsOf(docId) ?? {};
    if (all.length + count > scoredOfDocuments)
      return candidates.filter((slot) => only.has(terms.documents[slot]!));
    for (let slot = first; slot < first + count; slot++) all.push(slot);
  }
  return all;
}

/** A name that stands in the titles of so many chunks is the corpus' own: that of its country, its house. */
const ownNameTitles = 2;
