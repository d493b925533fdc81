import type { FaqEntry, FaqPairRequest } from '../api/faq.ts';
import type { Listed, Page } from '../api/schema.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, causeOf } from './context.ts';

export interface Faq {
  /** The entries that hold now, newest first. */
  faqEntries(page: Page, acting: Acting): Promise<Listed<FaqEntry>>;
  /** Failure `not_found` for an unknown corpus; `invalid` for a pair that cannot be an entry. */
  addFaqEntry(pair: FaqPairRequest, acting: Acting): Promise<FaqEntry>;
  /** Failure `not_found` for an unknown entry. */
  removeFaqEntry(entryId: number, acting: Acting): Promise<void>;
}

export function faq({ faq: answers, audit }: Pick<AdministrationDeps, 'faq' | 'audit'>): Faq {
  return {
    async faqEntries(page, acting) {
      await audit.read(acting, 'faq_cache', {});
      return { ...(await answers.list(page)), ...page };
    },
    addFaqEntry: (pair, acting) => answers.add(pair, causeOf(acting)),
    removeFaqEntry: (entryId, acting) => answers.remove(entryId, causeOf(acting)),
  };
}
