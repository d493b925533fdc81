/**
 * Retention: the day before which personal data has been erased. Any instance may advance it, but it never moves back.
 */
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

/** The stream of all retention events. */
export const retentionStream = 'retention';

export interface RetentionState {
  /** Personal text from days before this one (UTC, YYYY-MM-DD) has been erased; null if none has been. */
  before: string | null;
}

/** Does nothing if this was already done for the same day or a later one. */
export type ExpireWords = { type: 'ExpireWords' } & EventTypes['WordsExpired'];

export const retention: Decider<RetentionState, ExpireWords> = {
  initial: { before: null },

  evolve: (state, event) => (event.type === 'WordsExpired' ? { before: event.data.before } : state),

  decide({ type: _, ...data }, { before }) {
    return before !== null && before >= data.before ? [] : [{ type: 'WordsExpired', data }];
  },
};
