/**
 * The entries of the FAQ cache in memory, by the keys of their questions: nearly every question is none of them, and
 * to find that out must cost nothing. Read anew when the read model says that entries have changed; whether an entry
 * still holds is asked of the stores, never of this copy.
 */
import type { FaqRecord } from '../../projections/faq.ts';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { pages } from '../reads/pages.ts';
import type { Reads } from '../reads/reads.ts';
import { StampedCache } from '../reads/stamped-cache.ts';
import { type AnalysedQuestion, analyse } from '../text/paraphrase/same-question.ts';

/** An entry with its question as it is compared. */
export interface HeldEntry {
  record: FaqRecord;
  analysed: AnalysedQuestion;
}

/** Keys of a question whose entries are looked at: the rarest find it, two in case one is misspelt. */
const rarestKeys = 2;
/** Entries read at once: few enough that analysing them does not hold up the event loop. */
const pageSize = 100;
/** Where there are many entries, those that have just changed are seen this much later at the most. */
const freshMs = 500;
const many = 500;

const groupOf = (corpusId: string, lang: string) => `${lang} ${corpusId}`;

type ByKey = Map<string, HeldEntry[]>;

export class FaqEntries {
  readonly #reads: Pick<Reads, 'find'>;
  readonly #progress: Pick<ProjectionProgress, 'changes'>;
  readonly #held: StampedCache<'all', Map<string, ByKey>>;
  /** The questions of the entries read last: most are the same at the next reading, and analysing one takes longer. */
  #analysed = new Map<string, AnalysedQuestion>();
  #count = 0;
  #stamp = -1;
  #stampedAt = Number.NEGATIVE_INFINITY;

  constructor(reads: Pick<Reads, 'find'>, progress: Pick<ProjectionProgress, 'changes'>) {
    this.#reads = reads;
    this.#progress = progress;
    this.#held = new StampedCache(
      () => this.#freshStamp(),
      () => this.#read(),
    );
  }

  /** Entries that share one of the question's rarest keys, so many of these. Failure `unavailable`. */
  async under(
    corpusId: string,
    lang: string,
    keys: readonly string[],
    keysMax = rarestKeys,
  ): Promise<HeldEntry[]> {
    const held = (await this.#held.get('all')).get(groupOf(corpusId, lang));
    if (!held) return [];
    const rarest = keys
      .map((key) => held.get(key) ?? [])
      .filter((entries) => entries.length > 0)
      .sort((a, b) => a.length - b.length)
      .slice(0, keysMax);
    return [...new Set(rarest.flat())];
  }

  /** The next look-up reads the entries again: this process has just changed them. */
  changed(): void {
    this.#stampedAt = Number.NEGATIVE_INFINITY;
    this.#held.clear();
  }

  /** The stamp of the read model; of many entries one that was seen a moment ago. */
  #freshStamp(): number {
    const now = performance.now();
    if (this.#count <= many || now - this.#stampedAt >= freshMs) {
      this.#stamp = this.#progress.changes('faq');
      this.#stampedAt = now;
    }
    return this.#stamp;
  }

  async #read(): Promise<Map<string, ByKey>> {
    const held = new Map<string, ByKey>();
    const analysed = new Map<string, AnalysedQuestion>();
    let count = 0;
    for await (const items of pages((page) => this.#reads.find('faq', page), pageSize)) {
      for (const doc of items) {
        const record = doc as FaqRecord & typeof doc;
        const group = groupOf(record.corpus_id, record.lang);
        const keys = held.get(group) ?? new Map<string, HeldEntry[]>();
        held.set(group, keys);
        const name = `${record.lang} ${record.question}`;
        const question = this.#analysed.get(name) ?? analyse(record.question, record.lang);
        analysed.set(name, question);
        const entry = { record, analysed: question };
        for (const key of record.keys.split(' ')) {
          const under = keys.get(key);
          if (under) under.push(entry);
          else keys.set(key, [entry]);
        }
      }
      count += items.length;
    }
    this.#count = count;
    this.#analysed = analysed;
    return held;
  }
}
