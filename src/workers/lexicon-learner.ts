/**
 * Learns the lexicon of each corpus whose documents have changed, in the thread that runs the projections and whenever
 * that has nothing else to do, some milliseconds at a time. What it writes is committed as a projection's records are:
 * of two processes that learned the same one commits, and a build that was lost is filled again.
 */

import type { Language } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { ChunkSearch } from '../ports/chunk-search.ts';
import type { Position } from '../ports/event-log.ts';
import { type LearnedRecord, lexiconCollections, lexiconProjection } from '../ports/lexicon.ts';
import type { Doc, Query, ReadModels, Write } from '../ports/read-models.ts';
import { compileLexicon, type LexiconRecord } from '../retrieval/lexicon/compile.ts';
import { type SectionedDocument, sectionsOf } from '../retrieval/lexicon/sections.ts';

/** What it learns from. */
export interface LearnerReads {
  find(collection: string, query: Query): Promise<{ items: Doc[]; total: number }>;
  liveIndex(): Promise<string>;
  openIndex(build: string): Pick<ChunkSearch, 'list'>;
}

export interface LearnerOptions {
  reads: LearnerReads;
  models: Pick<ReadModels, 'builds' | 'commit' | 'commitBudget'>;
  /** Up to where the lexicon's build has passed the log; null where this process does not run it, or nothing is there. */
  passed: () => Position | null;
  /** Milliseconds, rising. */
  now: () => number;
  /** How long nothing may have changed before it learns. */
  settleMs: number;
}

interface CorpusRecord {
  corpus_id: string;
  is_active: boolean;
  changed_at: string;
  layers: { name: string; visibility: string }[];
}

interface DocumentRecord {
  doc_id: number;
  doc_key: string;
  corpus_id: string;
  status: string;
  revision: number;
  lang: Language;
  layer: string;
  chunk_count: number;
}

const pageMax = 500;
/** How long a piece of work takes: the projections wait for it. */
const sliceMs = 20;
/** Chunks of a corpus that it is learned from; documents beyond them are left out, in the order of their keys. */
const chunksMax = 50_000;

/** The documents read here are others than the index holds: it is behind, or has gone ahead. */
class Moved extends Error {}

export class LexiconLearner {
  readonly #options: LearnerOptions;
  #due = true;
  #changedAt: number;
  #work: AsyncGenerator<undefined, void> | null = null;

  constructor(options: LearnerOptions) {
    this.#options = options;
    this.#changedAt = options.now();
  }

  /** Documents or settings may have changed: it learns when they have been left alone for a while. */
  changed(): void {
    this.#due = true;
    this.#changedAt = this.#options.now();
    this.#work = null;
  }

  /** Learns without waiting for documents to settle. */
  hurry(): void {
    this.#changedAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether something may be left to learn. */
  get due(): boolean {
    return this.#due || this.#work !== null;
  }

  /** A piece of work of some 20 ms. False: there is none, or none yet. Rejects as the stores do. */
  async step(): Promise<boolean> {
    const { now, settleMs } = this.#options;
    if (this.#work === null) {
      if (!this.#due || now() - this.#changedAt < settleMs) return false;
      this.#due = false;
      this.#work = this.#learnAll();
    }
    const work = this.#work;
    const until = now() + sliceMs;
    try {
      // A change that comes meanwhile makes the work void.
      while (this.#work === work && now() < until) if ((await work.next()).done) this.#work = null;
      return true;
    } catch (error) {
      if (this.#work === work) this.#work = null;
      if (!(error instanceof Moved || (error instanceof Failure && error.retryable))) throw error;
      this.changed();
      return false;
    }
  }

  async #all<T>(collection: string, where?: Query['where']): Promise<T[]> {
    const found: Doc[] = [];
    for (;;) {
      const { items, total } = await this.#options.reads.find(collection, {
        ...(where && { where }),
        limit: pageMax,
        offset: found.length,
      });
      found.push(...items);
      if (items.length === 0 || found.length >= total) return found as unknown as T[];
    }
  }

  async *#learnAll(): AsyncGenerator<undefined, void> {
    const learned = new Map(
      (await this.#all<LearnedRecord>(lexiconCollections.learned)).map((one) => [one.corpus_id, one]),
    );
    for (const corpus of await this.#all<CorpusRecord>('corpora')) {
      const before = learned.get(corpus.corpus_id) ?? null;
      if (before?.at === corpus.changed_at) continue;
      const records: LexiconRecord[] = [];
      const documents = yield* this.#documents(corpus);
      const making = compileLexicon(corpus.corpus_id, documents);
      for (;;) {
        const { done, value } = making.next();
        if (done) {
          records.push(...value);
          break;
        }
        yield;
      }
      await this.#commit(corpus, before, records);
    }
  }

  /** What a corpus shows in more than one language. */
  async *#documents(corpus: CorpusRecord): AsyncGenerator<undefined, SectionedDocument[]> {
    const { corpus_id, is_active, layers } = corpus;
    if (!is_active) return [];
    const shown = new Set(layers.filter(({ visibility }) => visibility === 'public').map(({ name }) => name));
    const all = (await this.#all<DocumentRecord>('documents', { corpus_id, status: 'published' }))
      .filter(({ layer }) => shown.has(layer))
      .sort((a, b) => (a.doc_key < b.doc_key ? -1 : 1));
    const languages = (layer: string) =>
      new Set(all.filter((one) => one.layer === layer).map(({ lang }) => lang)).size;
    const layersOfMany = new Set([...shown].filter((layer) => languages(layer) > 1));
    const { reads } = this.#options;
    const search = reads.openIndex(await reads.liveIndex());
    const documents: SectionedDocument[] = [];
    let chunks = 0;
    for (const { doc_id, doc_key, revision, lang, layer, chunk_count } of all) {
      if (!layersOfMany.has(layer)) continue;
      chunks += chunk_count;
      if (chunks > chunksMax) break;
      const passages = [];
      for (let offset = 0; ; offset += pageMax) {
        const { items, total } = await search.list(doc_id, pageMax, offset);
        if (items.some(({ facts }) => facts.revision !== revision)) throw new Moved();
        passages.push(...items);
        if (offset + items.length >= total || items.length === 0) break;
        yield;
      }
      if (passages.length !== chunk_count) throw new Moved();
      documents.push({ doc_id, doc_key, revision, lang, layer, sections: sectionsOf(passages) });
      yield;
    }
    return documents;
  }

  /** Puts what was learned in place of what was there. Void where another process has been faster. */
  async #commit(
    { corpus_id, changed_at }: CorpusRecord,
    before: LearnedRecord | null,
    records: readonly LexiconRecord[],
  ): Promise<void> {
    const { models, passed } = this.#options;
    const at = passed();
    const build = (await models.builds()).find(({ name, live }) => name === lexiconProjection && live);
    if (at === null || build === undefined) throw new Moved();
    const keysOf = (collection: string) =>
      records.filter((one) => one.collection === collection).map(({ key }) => key);
    const learned: LearnedRecord = {
      corpus_id,
      at: changed_at,
      words: keysOf(lexiconCollections.words),
      twins: keysOf(lexiconCollections.twins),
    };
    const gone = (['words', 'twins'] as const).flatMap((kind) =>
      (before?.[kind] ?? [])
        .filter((key) => !learned[kind].includes(key))
        .map((key): Write => ({ op: 'delete', collection: lexiconCollections[kind], key })),
    );
    const writes: Write[] = [
      ...records.map(({ collection, key, doc }): Write => ({ op: 'put', collection, key, doc })),
      ...gone,
      // Last, so that what was broken off is learned again.
      { op: 'put', collection: lexiconCollections.learned, key: corpus_id, doc: { ...learned } },
    ];
    let expected = build.checkpoint;
    for (const part of this.#portions(writes)) {
      if (!(await models.commit({ ...build, checkpoint: expected }, at, part))) throw new Moved();
      expected = at;
    }
  }

  #portions(writes: readonly Write[]): Write[][] {
    const { models } = this.#options;
    const portions: Write[][] = [];
    let full = models.commitBudget?.();
    for (const write of writes) {
      const last = portions.at(-1);
      if (last !== undefined && (full?.([write]) ?? 0) <= 1) {
        last.push(write);
        continue;
      }
      portions.push([write]);
      full = models.commitBudget?.();
      full?.([write]);
    }
    return portions;
  }
}
