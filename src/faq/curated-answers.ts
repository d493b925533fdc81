import type { Language } from '../domain/events.ts';
import type { Cause } from '../event-sourcing/commands.ts';

export interface FaqPair {
  corpus_id: string;
  question: string;
  answer: string;
}

export interface FaqEntry extends FaqPair {
  entry_id: number;
  lang: Language;
  /** A FAQ layer, an administrator, or an answer that was given several times. */
  origin: 'layer' | 'curated' | 'repeated';
  source_refs: string[];
  hits: number;
  last_hit_at: string | null;
  created_at: string;
}

/** The FAQ cache as administrators work with it. */
export interface CuratedAnswers {
  /** The entries that hold now, newest first. */
  list(page: { limit: number; offset: number }): Promise<{ items: FaqEntry[]; total: number }>;
  /**
   * `proposal`: the number of the proposal that it decides. Failure `not_found` for an unknown corpus, or a proposal
   * that is unknown or decided; `invalid` for a pair that cannot be an entry.
   */
  add(pair: FaqPair, cause: Cause, proposal?: number): Promise<FaqEntry>;
  /** Failure `not_found` for a proposal that is unknown or decided. */
  reject(proposal: number, cause: Cause): Promise<void>;
  /** Failure `not_found` for an unknown entry. */
  remove(entryId: number, cause: Cause): Promise<void>;
}
