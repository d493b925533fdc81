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
  /** Whether the entry comes from a FAQ layer, an administrator, or a repeated answer. */
  origin: 'layer' | 'curated' | 'repeated';
  source_refs: string[];
  hits: number;
  last_hit_at: string | null;
  created_at: string;
}

/** The administrators' view of the FAQ cache. */
export interface CuratedAnswers {
  /** The valid entries, newest first. */
  list(page: { limit: number; offset: number }): Promise<{ items: FaqEntry[]; total: number }>;
  /**
   * Adds an entry. `proposal`: the number of the proposal to accept. Throws Failure `not_found` if the corpus or the
   * proposal is unknown or the proposal is already decided, and `invalid` if the pair cannot become an entry.
   */
  add(pair: FaqPair, cause: Cause, proposal?: number): Promise<FaqEntry>;
  /** Rejects a proposal. Throws Failure `not_found` if it is unknown or already decided. */
  reject(proposal: number, cause: Cause): Promise<void>;
  /** Throws Failure `not_found` if the entry is unknown. */
  remove(entryId: number, cause: Cause): Promise<void>;
}
