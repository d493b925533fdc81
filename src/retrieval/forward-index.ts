/**
 * What ranking knows of the words of the visible chunks, in memory: the words of each chunk as ids in one long
 * array, and how many chunks hold each stem, prefix and 4-gram. It is made from the changes the store tells, and
 * follows them document by document, so that an index that has followed equals one made afresh.
 *
 * About 1 kB a chunk of 100 words; 50,000 such chunks are taken in within a second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Language } from '../domain/events.ts';
import type { ChunkSearch, IndexedDocument, SearchScope } from '../ports/chunk-search.ts';
import { hasSecondStems } from '../text/words.ts';
import { StatedFacts } from './stated-facts.ts';
import { grown, Vocabulary } from './term-dictionary.ts';

/** Marks numbers as seen without clearing between rounds. */
class Seen {
  #rounds = new Uint32Array(1024);
  #round = 0;

  next(size: number): void {
    this.#rounds = grown(this.#rounds, size);
    this.#round++;
  }

  /** True the first time a number comes in a round. */
  first(n: number): boolean {
    if (this.#rounds[n] === this.#round) return false;
    this.#rounds[n] = this.#round;
    return true;
  }
}

/**
 * The visible chunks of layers of one corpus that are searched together. A chunk has a slot; the slots of a document are adjacent and in
 * order. Slots of documents that have gone stay empty until half of all are.
 */
export class PartitionTerms {
  readonly vocabulary: Vocabulary;
  chunks = 0;
  /** Sums over all chunks: words, words of titles and headings, 4-grams. */
  words = 0;
  titled = 0;
  gramCount = 0;
  /** In how many chunks a stem stands (title or body), a stem stands in the title, a prefix, a gram. */
  stemDf = new Uint32Array(1024);
  titleDf = new Uint32Array(1024);
  prefixDf = new Uint32Array(1024);
  gramDf = new Uint32Array(1024);
  /** By language: its chunks, and in how many of them a stem stands. */
  readonly languages = new Map<Language, { chunks: number; stemDf: Uint32Array }>();

  /** The token ids of slot n stand in `tokens` from `from[n]`, `length[n]` of them; the first are the title's. */
  tokens = new Uint32Array(8192);
  from = new Uint32Array(1024);
  length = new Uint32Array(1024);
  titles = new Uint32Array(1024);
  gramLength = new Uint32Array(1024);
  ids = new Uint32Array(1024);
  /** The document of a slot; 0 where the slot is empty. */
  documents = new Uint32Array(1024);
  readonly langs: Language[] = [];
  readonly layers: string[] = [];
  /** What the documents state of themselves. */
  readonly stated = new StatedFacts();
  /** How often slots have got other numbers. */
  compactions = 0;
  #slots = 0;
  #used = 0;
  readonly #slotOf = new Map<number, number>();
  readonly #slotsOf = new Map<number, { first: number; count: number }>();
  readonly #seen = {
    stems: new Seen(),
    titles: new Seen(),
    prefixes: new Seen(),
    grams: new Seen(),
    words: new Seen(),
  };

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Slots in use and emptied, in the order of the arrays. */
  get slots(): number {
    return this.#slots;
  }

  /** The slot of a chunk, -1 when it is not visible. */
  slot(id: number): number {
    return this.#slotOf.get(id) ?? -1;
  }

  /** The slots of a document's chunks. */
  slotsOf(docId: number): { first: number; count: number } | null {
    return this.#slotsOf.get(docId) ?? null;
  }

  /** Takes the chunks of a document instead of those known of it. */
  put(document: IndexedDocument): void {
    this.remove(document.doc_id);
    const first = this.#slots;
    const room = first + document.chunks.length;
    this.from = grown(this.from, room);
    this.length = grown(this.length, room);
    this.titles = grown(this.titles, room);
    this.gramLength = grown(this.gramLength, room);
    this.ids = grown(this.ids, room);
    this.documents = grown(this.documents, room);
    for (const chunk of document.chunks) {
      const slot = this.#slots++;
      this.tokens = grown(this.tokens, this.#used + chunk.tokens.length);
      this.tokens.set(chunk.tokens, this.#used);
      this.from[slot] = this.#used;
      this.#used += chunk.tokens.length;
      this.length[slot] = chunk.tokens.length;
      this.titles[slot] = chunk.titled;
      this.ids[slot] = chunk.id;
      this.documents[slot] = document.doc_id;
      this.langs[slot] = chunk.lang;
      this.layers[slot] = document.layer;
      this.#slotOf.set(chunk.id, slot);
      this.#count(slot, 1);
    }
    this.#slotsOf.set(document.doc_id, { first, count: document.chunks.length });
    this.stated.put(document);
  }

  /** Forgets a document's chunks, if there are any. */
  remove(docId: number): void {
    const range = this.#slotsOf.get(docId);
    if (!range) return;
    this.#slotsOf.delete(docId);
    this.stated.remove(docId);
    for (let slot = range.first; slot < range.first + range.count; slot++) {
      this.#count(slot, -1);
      this.#slotOf.delete(this.ids[slot]!);
      this.documents[slot] = 0;
    }
    if (this.#slots > 1024 && this.chunks * 2 < this.#slots) this.#compact();
  }

  /** The documents of a layer, as they were put. */
  *ofLayer(corpusId: string, layer: string): Generator<IndexedDocument> {
    for (const [doc_id, { first, count }] of this.#slotsOf) {
      if (count === 0 || this.layers[first] !== layer) continue;
      const chunks = Array.from({ length: count }, (_, n) => {
        const slot = first + n;
        const from = this.from[slot]!;
        return {
          id: this.ids[slot]!,
          lang: this.langs[slot]!,
          titled: this.titles[slot]!,
          tokens: this.tokens.slice(from, from + this.length[slot]!),
        };
      });
      const { title, event_date, stated } = this.stated.get(doc_id)!;
      yield { doc_id, corpus_id: corpusId, layer, title, event_date, stated, chunks };
    }
  }

  /** Adds a chunk's words to all counts, or takes them away. */
  #count(slot: number, by: 1 | -1): void {
    const v = this.vocabulary;
    const { stems, titles, prefixes, grams: pieces, words } = this.#seen;
    this.stemDf = grown(this.stemDf, v.stems.list.length);
    this.titleDf = grown(this.titleDf, v.stems.list.length);
    this.prefixDf = grown(this.prefixDf, v.prefixes.list.length);
    this.gramDf = grown(this.gramDf, v.grams.list.length);
    stems.next(v.stems.list.length);
    titles.next(v.stems.list.length);
    prefixes.next(v.prefixes.list.length);
    pieces.next(v.grams.list.length);
    words.next(v.words.length);
    const from = this.from[slot]!;
    const length = this.length[slot]!;
    const titled = this.titles[slot]!;
    const lang = this.langs[slot];
    const seconds = lang != null && hasSecondStems(lang);
    const own = this.#language(lang!);
    own.chunks += by;
    let gramLength = 0;
    for (let n = 0; n < length; n++) {
      const word = this.tokens[from + n]!;
      const first = v.gramsFrom[word]!;
      const end = v.gramsFrom[word + 1]!;
      gramLength += end - first;
      const stemId = v.stemOf[word]!;
      const second = seconds ? v.secondOf[word]! : 0;
      if (n < titled) {
        if (titles.first(stemId)) this.titleDf[stemId]! += by;
        if (second !== 0 && titles.first(second)) this.titleDf[second]! += by;
      }
      if (!words.first(word)) continue;
      for (const id of [stemId, second]) {
        if (id === 0 || !stems.first(id)) continue;
        this.stemDf[id]! += by;
        own.stemDf[id]! += by;
      }
      const prefixId = v.prefixOf[word]!;
      if (prefixes.first(prefixId)) this.prefixDf[prefixId]! += by;
      for (let g = first; g < end; g++) {
        const gram = v.gramIds[g]!;
        if (pieces.first(gram)) this.gramDf[gram]! += by;
      }
    }
    this.gramLength[slot] = gramLength;
    this.chunks += by;
    this.words += by * length;
    this.titled += by * titled;
    this.gramCount += by * gramLength;
  }

  /** What is known of a language, with room for every stem. */
  #language(lang: Language): { chunks: number; stemDf: Uint32Array } {
    const own = this.languages.get(lang) ?? { chunks: 0, stemDf: new Uint32Array(1024) };
    own.stemDf = grown(own.stemDf, this.vocabulary.stems.list.length);
    this.languages.set(lang, own);
    return own;
  }

  /** Moves the slots in use together; documents keep their order. */
  #compact(): void {
    this.compactions++;
    let to = 0;
    let used = 0;
    for (let slot = 0; slot < this.#slots; slot++) {
      const docId = this.documents[slot]!;
      if (docId === 0) continue;
      const length = this.length[slot]!;
      const from = this.from[slot]!;
      this.tokens.copyWithin(used, from, from + length);
      this.from[to] = used;
      this.length[to] = length;
      this.titles[to] = this.titles[slot]!;
      this.gramLength[to] = this.gramLength[slot]!;
      this.ids[to] = this.ids[slot]!;
      this.documents[to] = docId;
      this.langs[to] = this.langs[slot]!;
      this.layers[to] = this.layers[slot]!;
      this.#slotOf.set(this.ids[to]!, to);
      const range = this.#slotsOf.get(docId)!;
      if (range.first === slot) range.first = to;
      to++;
      used += length;
    }
    this.documents.fill(0, to);
    this.langs.length = to;
    this.layers.length = to;
    this.#slots = to;
    this.#used = used;
  }
}

/** Documents taken in at a time, and where others are to have the processor between. */
const changesAtOnce = { swiftly: 200, gently: 20 };
/** Between two portions it rests so many times as long as the last took. */
const rests = 2;

/**
 * The terms of all layers of a store, following its changes. Layers that are searched together share their statistics
 * (document frequencies of mixed corpora cost quality, those of one layer alone are of too little text), so they are
 * held together: which ones, the first question for them says, and again the first after the settings have changed.
 */
export class StoreTerms {
  readonly vocabulary = new Vocabulary();
  readonly #search: ChunkSearch;
  /** By corpus, then by layer. */
  readonly #partitions = new Map<string, Map<string, PartitionTerms>>();
  readonly #partitionOf = new Map<number, PartitionTerms>();
  #stamp = 0;
  #refreshing: Promise<void> | null = null;

  constructor(search: ChunkSearch) {
    this.#search = search;
  }

  /** The terms of exactly these layers as of the last refresh; null where no chunk of them has ever been visible. */
  partition({ corpus_id, layers }: SearchScope): PartitionTerms | null {
    const ofCorpus = this.#partitions.get(corpus_id);
    const wanted = layers.filter((layer) => ofCorpus?.has(layer));
    if (!ofCorpus || wanted.length === 0) return null;
    const held = ofCorpus.get(wanted[0]!)!;
    const together = [...ofCorpus].filter(([, partition]) => partition === held).map(([layer]) => layer);
    const isHeld = wanted.every((layer) => ofCorpus.get(layer) === held);
    return isHeld && together.length === wanted.length ? held : this.#gather(corpus_id, ofCorpus, wanted);
  }

  /** Takes layers out of where they were held, into a partition of their own. */
  #gather(
    corpusId: string,
    ofCorpus: Map<string, PartitionTerms>,
    layers: readonly string[],
  ): PartitionTerms {
    const partition = new PartitionTerms(this.vocabulary);
    for (const layer of layers) {
      const before = ofCorpus.get(layer)!;
      for (const document of [...before.ofLayer(corpusId, layer)]) {
        before.remove(document.doc_id);
        partition.put(document);
        this.#partitionOf.set(document.doc_id, partition);
      }
      ofCorpus.set(layer, partition);
    }
    return partition;
  }

  /**
   * Takes in what the store has changed; calls at the same time share one. `gently`: with pauses, so that most of a
   * processor is left to others.
   */
  refresh({ gently } = { gently: false }): Promise<void> {
    this.#refreshing ??= this.#takeChanges(gently).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #takeChanges(gently: boolean): Promise<void> {
    for (;;) {
      const began = performance.now();
      const since = { stamp: this.#stamp, words: this.vocabulary.words.length - 1 };
      const changes = await this.#search.changes(since, changesAtOnce[gently ? 'gently' : 'swiftly']);
      if (changes.stamp === this.#stamp) return;
      this.vocabulary.add(changes.words);
      for (const { doc_id, document } of changes.changed) {
        this.#partitionOf.get(doc_id)?.remove(doc_id);
        this.#partitionOf.delete(doc_id);
        if (!document) continue;
        let ofCorpus = this.#partitions.get(document.corpus_id);
        if (!ofCorpus) {
          ofCorpus = new Map();
          this.#partitions.set(document.corpus_id, ofCorpus);
        }
        let partition = ofCorpus.get(document.layer);
        if (!partition) {
          partition = new PartitionTerms(this.vocabulary);
          ofCorpus.set(document.layer, partition);
        }
        partition.put(document);
        this.#partitionOf.set(doc_id, partition);
      }
      this.#stamp = changes.stamp;
      if (gently) await delay(rests * (performance.now() - began));
    }
  }
}
