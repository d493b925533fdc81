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
  /** A FAQ layer, an administrator, or a repeated answer. */
  origin: 'layer' | 'curated' | 'repeated';
  source_refs: string[];
  hits: number;
  last_hit_at: string | null;
  created_at: string;
}

/** The FAQ cache for administrators. */
export interface CuratedAnswers {
  /** The valid entries, newest first. */
  list(page: { limit: number; offset: number }): Promise<{ items: FaqEntry[]; total: number }>;
  /**
   * `proposal`: the number of the proposal it accepts. Failure `not_found` for an unknown corpus, or a proposal that is
   * unknown or already decided; `invalid` for a pair that cannot become an entry.
   */
  add(pair: FaqPair, cause: Cause, proposal?: number): Promise<FaqEntry>;
  /** Failure `not_found` for a proposal that is unknown or already decided. */
  reject(proposal: number, cause: Cause): Promise<void>;
  /** Failure `not_found` for an unknown entry. */
  remove(entryId: number, cause: Cause): Promise<void>;
}
