/**
 * The entries of the FAQ cache in memory, by the keys of their questions: nearly every question is none of them, and
 * to find that out must cost nothing. Read anew when the read model says that entries have changed; whether an entry
 * still holds is asked of the stores, never of this copy.
 */
import type { FaqRecord } from '../../projections/faq.ts';
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { Reads } from '../retrieval/reads.ts';
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

const placeOf = (corpusId: string, lang: string) => `${lang} ${corpusId}`;

export class FaqEntries {
  readonly #reads: Pick<Reads, 'find'>;
  readonly #progress: Pick<ProjectionProgress, 'changes'>;
  #byKey = new Map<string, Map<string, HeldEntry[]>>();
  #stamp = -1;
  #count = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(reads: Pick<Reads, 'find'>, progress: Pick<ProjectionProgress, 'changes'>) {
    this.#reads = reads;
    this.#progress = progress;
  }

  /** Entries that share one of the question's rarest keys. Failure `unavailable`. */
  async under(corpusId: string, lang: string, keys: readonly string[]): Promise<HeldEntry[]> {
    await this.#refresh();
    const held = this.#byKey.get(placeOf(corpusId, lang));
    if (!held) return [];
    const rarest = keys
      .map((key) => held.get(key) ?? [])
      .filter((entries) => entries.length > 0)
      .sort((a, b) => a.length - b.length)
      .slice(0, rarestKeys);
    return [...new Set(rarest.flat())];
  }

  /** The next look-up reads the entries anew: this process has just changed them. */
  changed(): void {
    this.#stamp = -1;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #refresh(): Promise<void> {
    const stamp = this.#progress.changes('faq');
    if (stamp === this.#stamp) return;
    if (this.#count > many && performance.now() - this.#readAt < freshMs) return;
    this.#reading ??= this.#read(stamp).finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #read(stamp: number): Promise<void> {
    const byKey = new Map<string, Map<string, HeldEntry[]>>();
    let count = 0;
    for (let offset = 0; ; offset += pageSize) {
      const { items } = await this.#reads.find('faq', { limit: pageSize, offset });
      for (const doc of items) {
        const record = doc as FaqRecord & typeof doc;
        const place = placeOf(record.corpus_id, record.lang);
        const keys = byKey.get(place) ?? new Map<string, HeldEntry[]>();
        byKey.set(place, keys);
        const entry = { record, analysed: analyse(record.question, record.lang) };
        for (const key of record.keys.split(' ')) {
          const under = keys.get(key);
          if (under) under.push(entry);
          else keys.set(key, [entry]);
        }
      }
      count += items.length;
      if (items.length < pageSize) break;
    }
    this.#byKey = byKey;
    this.#count = count;
    this.#stamp = stamp;
    this.#readAt = performance.now();
  }
}
