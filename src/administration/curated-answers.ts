import type { FaqEntry, FaqPairRequest } from '../api/faq.ts';
import type { Page } from '../api/schema.ts';
import type { Cause } from '../event-sourcing/commands.ts';

/** The FAQ cache as administrators work with it. */
export interface CuratedAnswers {
  /** The entries that hold now, newest first. */
  list(page: Page): Promise<{ items: FaqEntry[]; total: number }>;
  /** Failure `not_found` for an unknown corpus; `invalid` for a pair that cannot be an entry. */
  add(pair: FaqPairRequest, cause: Cause): Promise<FaqEntry>;
  /** Failure `not_found` for an unknown entry. */
  remove(entryId: number, cause: Cause): Promise<void>;
}
