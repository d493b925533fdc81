/**
 * Finds the passages for a question: what its words may mean in this index, candidates by full text and by vectors,
 * then the ranking of rank.ts.
 *
 * The index is asked for stems and prefixes of the content words; everything after that runs over what is held in
 * memory (terms.ts), which first takes in what the store has changed. Corrections happen only to words the index
 * does not know: the same keys in another layout, a name in the other script, a near spelling.
 */
import type { ChunkSearch, Generation, Language, Models, Passage } from '../ports.ts';
import { otherLayouts } from '../text/variants.ts';
import { grams, isStopWord, prefix, stem, words } from '../text/words.ts';
import { Corrections } from './corrections.ts';
import { type Features, type RankedQuestion, Ranker, type WeightedTerm } from './rank.ts';
import { SpaceTerms, Vocabulary } from './terms.ts';

export interface RetrieveRequest {
  corpus_id: string;
  query: string;
  /** Passages of this language are preferred a little; null: no preference. */
  lang: Language | null;
  /** `restricted` finds nothing. */
  generations: readonly Generation[];
  /** Passages wanted. */
  limit: number;
  /** Layer names, the leading one first; between passages equally good the leading layer wins. */
  layers?: readonly string[];
}

export interface Hit extends Passage, Features {
  generation: Generation;
  /** 0 to about 1.6; comparable within one question only. */
  score: number;
  /** Cosine with the question's vector, 0 where vectors did not find the passage. */
  similarity: number;
}

export interface Retrieved {
  /** Best first. */
  hits: Hit[];
  /** The question as it was understood: with words typed in the wrong keyboard layout put right. */
  query: string;
  /** Stems of the question the index does not know, with the known stems that stood in for them. */
  corrections: { stem: string; known: string[] }[];
}

/** Chunks that are scored in full. */
const candidateCount = 100;
/**
 * `vector`: for embeddings of a language model; not measured, there being none here. Those of the offline embedder
 * do not reorder what text has found (any weight from .005 on cost .1 to 1 point on five of seven sets): they only
 * bring in further candidates, so that fusion is never worse than text alone.
 */
const weights = { stop: 0.2, correction: 0.7, vector: 0.3, lang: 0.1, layer: 0.02 };
/** Documents taken in at a time. */
const changesAtOnce = 2000;

interface Space {
  terms: SpaceTerms;
  ranker: Ranker;
}

/** Retrieval over one store. Keeps the terms of all its spaces; one for each thread that answers questions. */
export class Retriever {
  readonly #search: ChunkSearch;
  readonly #models: Models | null;
  readonly #vocabulary = new Vocabulary();
  readonly #corrections = new Corrections(this.#vocabulary.stems);
  readonly #spaces = new Map<string, Space>();
  readonly #spaceOf = new Map<number, SpaceTerms>();
  #stamp = 0;
  #refreshing: Promise<void> | null = null;

  /** `models`: embeds the question where the index holds vectors of the same embedder; null: text alone. */
  constructor(search: ChunkSearch, models: Models | null) {
    this.#search = search;
    this.#models = models;
  }

  /** Takes in what has changed; called by every retrieval, and once ahead of the first to have it quick. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#takeChanges().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** How many visible chunks a space has, and in how many of them each stem stands. */
  async frequencies(
    corpusId: string,
    generation: Generation,
    stems: readonly string[],
  ): Promise<{ documents: number; df: Map<string, number> }> {
    await this.refresh();
    const terms = this.#spaces.get(spaceKey(corpusId, generation))?.terms;
    const df = (name: string) => terms?.stemDf[this.#vocabulary.stems.find(name)] ?? 0;
    return { documents: terms?.chunks ?? 0, df: new Map(stems.map((name) => [name, df(name)])) };
  }

  /** The best passages for a question; none where nothing matches. */
  async retrieve(request: RetrieveRequest, signal?: AbortSignal): Promise<Retrieved> {
    await this.refresh();
    let vector: Float32Array | null = null;
    const embedder = this.#models?.embedder;
    const found: { id: number; hit: Omit<Hit, keyof Passage> }[] = [];
    const corrections = new Map<string, string[]>();
    let query = request.query;
    for (const generation of request.generations) {
      const space = this.#spaces.get(spaceKey(request.corpus_id, generation));
      if (!space || space.terms.chunks === 0) continue;
      const understood = this.#understand(request.query, space.terms);
      query = understood.query;
      for (const { stem: unknown, known } of understood.corrections) corrections.set(unknown, known);
      const ids = await this.#candidates(request.corpus_id, generation, space, understood);
      const similarities = new Map<number, number>();
      const { terms } = space;
      const vectorWeight = embedder?.deterministic === false ? weights.vector : 0;
      if (embedder && (vectorWeight > 0 || ids.length < candidateCount)) {
        vector ??= (await this.#models!.embed([query], 'query', signal))[0] ?? null;
        if (vector) {
          const at = { corpus_id: request.corpus_id, generation };
          for (const { id, similarity } of await this.#search.nearest(
            at,
            embedder.name,
            vector,
            candidateCount / 2,
          )) {
            similarities.set(id, similarity);
          }
        }
      }
      // From here on nothing is awaited: slots hold only until the next change is taken in.
      const slots = [...new Set([...ids, ...similarities.keys()])]
        .map((id) => terms.slot(id))
        .filter((n) => n >= 0);
      const mostSimilar = Math.max(0, ...similarities.values()) || 1;
      for (const { slot, score, ...features } of space.ranker.rank(understood.question, slots)) {
        if (features.bm25 === 0 && vectorWeight === 0) continue;
        const id = terms.ids[slot]!;
        const similarity = similarities.get(id) ?? 0;
        const layer = request.layers?.indexOf(terms.layers[slot]!) ?? -1;
        found.push({
          id,
          hit: {
            ...features,
            generation,
            similarity,
            score:
              score +
              (vectorWeight * Math.max(0, similarity)) / mostSimilar +
              (terms.langs[slot] === request.lang ? weights.lang : 0) +
              (layer < 0 ? 0 : weights.layer * (1 - layer / request.layers!.length)),
          },
        });
      }
    }
    found.sort((a, b) => b.hit.score - a.hit.score || a.id - b.id);
    const top = new Map(found.slice(0, request.limit).map(({ id, hit }) => [id, hit]));
    const passages = await this.#search.passages([...top.keys()]);
    return {
      hits: passages.map((passage) => ({ ...passage, ...top.get(passage.id)! })),
      query,
      corrections: [...corrections].map(([unknown, known]) => ({ stem: unknown, known })),
    };
  }

  async #takeChanges(): Promise<void> {
    for (;;) {
      const since = { stamp: this.#stamp, words: this.#vocabulary.words.length - 1 };
      const changes = await this.#search.changes(since, changesAtOnce);
      if (changes.stamp === this.#stamp) return;
      this.#vocabulary.add(changes.words);
      for (const { doc_id, document } of changes.changed) {
        this.#spaceOf.get(doc_id)?.remove(doc_id);
        this.#spaceOf.delete(doc_id);
        if (!document) continue;
        const { terms } = this.#space(document.corpus_id, document.generation);
        terms.put(document);
        this.#spaceOf.set(doc_id, terms);
      }
      this.#stamp = changes.stamp;
    }
  }

  #space(corpusId: string, generation: Generation): Space {
    const key = spaceKey(corpusId, generation);
    let space = this.#spaces.get(key);
    if (!space) {
      const terms = new SpaceTerms(this.#vocabulary);
      space = { terms, ranker: new Ranker(terms) };
      this.#spaces.set(key, space);
    }
    return space;
  }

  /** The question in the terms of a space. */
  #understand(
    typed: string,
    space: SpaceTerms,
  ): {
    question: RankedQuestion;
    query: string;
    corrections: { stem: string; known: string[] }[];
    stems: string[];
    prefixes: string[];
  } {
    const { stems, prefixes, grams: pieces } = this.#vocabulary;
    const knows = (word: string): boolean => (space.stemDf[stems.find(stem(word))] ?? 0) > 0;
    const query = inKnownLayout(typed, knows);
    const all = words(query);
    let content = all.filter((word) => !isStopWord(word));
    if (content.length === 0) content = all;
    const contentWords = new Set(content);

    const stemWeights = new Map<number, number>();
    const prefixWeights = new Map<number, number>();
    const gramWeights = new Map<number, number>();
    const order: number[] = [];
    const ftsStems: string[] = [];
    const ftsPrefixes: string[] = [];
    const corrections: { stem: string; known: string[] }[] = [];
    const add = (to: Map<number, number>, id: number, weight: number) => {
      if (id !== 0) to.set(id, (to.get(id) ?? 0) + weight);
    };
    const addPieces = (word: string) => {
      const prefixId = prefixes.find(prefix(word));
      if ((space.prefixDf[prefixId] ?? 0) > 0) {
        add(prefixWeights, prefixId, 1);
        ftsPrefixes.push(prefix(word));
      }
      for (const piece of grams(word)) {
        const id = pieces.find(piece);
        if ((space.gramDf[id] ?? 0) > 0) add(gramWeights, id, 1);
      }
    };
    for (const word of all) {
      const root = stem(word);
      const id = stems.find(root);
      const known = (space.stemDf[id] ?? 0) > 0;
      if (!contentWords.has(word)) {
        if (known) add(stemWeights, id, weights.stop);
        continue;
      }
      addPieces(word);
      if (known) {
        add(stemWeights, id, 1);
        order.push(id);
        ftsStems.push(root);
        continue;
      }
      const alikes = this.#corrections.soundAlikes(root, space);
      const near = alikes.length > 0 ? 0 : this.#corrections.nearest(root, space);
      const instead = near > 0 ? [near] : alikes;
      for (const other of instead) {
        const name = stems.list[other]!;
        add(stemWeights, other, weights.correction);
        ftsStems.push(name);
        if (near === 0) addPieces(name);
      }
      if (instead.length > 0)
        corrections.push({ stem: root, known: instead.map((other) => stems.list[other]!) });
    }
    const weighted = (terms: Map<number, number>): WeightedTerm[] =>
      [...terms].map(([id, weight]) => ({ id, weight }));
    return {
      query,
      corrections,
      stems: ftsStems,
      prefixes: ftsPrefixes,
      question: {
        stems: weighted(stemWeights),
        content: order,
        prefixes: weighted(prefixWeights),
        grams: weighted(gramWeights),
      },
    };
  }

  /** Ids of the candidates by full text; asks for more while too many are of revisions not visible. */
  async #candidates(
    corpusId: string,
    generation: Generation,
    space: Space,
    terms: { stems: string[]; prefixes: string[] },
  ): Promise<number[]> {
    for (let asked = candidateCount; ; asked *= 4) {
      const ids = await this.#search.candidates({ corpus_id: corpusId, generation }, terms, asked);
      const visible = ids.filter((id) => space.terms.slot(id) >= 0);
      if (visible.length >= candidateCount || ids.length < asked) return visible.slice(0, candidateCount);
    }
  }
}

const spaceKey = (corpusId: string, generation: Generation): string => `${generation} ${corpusId}`;

/** Shorter words are too easily words of another layout by chance. */
const sureLetters = 4;

/**
 * The question with those stretches typed anew in another keyboard layout whose words the index does not know as
 * they stand, and knows then. Stretches of short words follow only where a longer one has shown the layout.
 */
function inKnownLayout(typed: string, knows: (word: string) => boolean): string {
  const better = (stretch: string, sure: boolean): string => {
    const own = words(stretch);
    if (own.length === 0 || own.some((word) => isStopWord(word) || knows(word))) return stretch;
    const found = otherLayouts(stretch).find((other) => {
      const list = words(other);
      if (sure && !list.some((word) => word.length >= sureLetters && knows(word))) return false;
      return list.length > 0 && list.every((word) => isStopWord(word) || knows(word));
    });
    return found ?? stretch;
  };
  const certain = typed.replace(/\S+/g, (stretch) => better(stretch, true));
  return certain === typed ? typed : certain.replace(/\S+/g, (stretch) => better(stretch, false));
}
