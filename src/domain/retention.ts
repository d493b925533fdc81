/** Retention: up to which day personal data has been erased. Any instance may advance it; it never moves back. */
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

/** The stream of all of it. */
export const retentionStream = 'retention';

export interface RetentionState {
  /** Words of days before this one (UTC, YYYY-MM-DD) are forgotten; null: none have been. */
  before: string | null;
}

/** Nothing happens where that was done for the same day or a later one. */
export type ExpireWords = { type: 'ExpireWords' } & EventTypes['WordsExpired'];

export const retention: Decider<RetentionState, ExpireWords> = {
  initial: { before: null },

  evolve: (state, event) => (event.type === 'WordsExpired' ? { before: event.data.before } : state),

  decide({ type: _, ...data }, { before }) {
    return before !== null && before >= data.before ? [] : [{ type: 'WordsExpired', data }];
  },
};
