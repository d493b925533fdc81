/**
 * Sealing: signed checkpoints of the history, each covering more events than the previous one. Any instance may seal.
 * Because all instances append to the same stream, two of them cannot seal the same events.
 */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

/** The stream of all sealing events. */
export const sealingStream = 'sealing';

type Sealed = EventTypes['HistorySealed'];

export interface SealingState {
  /** The last checkpoint; null if there is none yet. */
  last: Sealed | null;
}

/** `change` is the previous key's statement that this key replaces it, if there was a previous key. */
export interface SealHistory extends Sealed {
  type: 'SealHistory';
  change: EventTypes['SealingKeyChanged'] | null;
}

export const sealing: Decider<SealingState, SealHistory> = {
  initial: { last: null },

  evolve: (state, event) => (event.type === 'HistorySealed' ? { last: event.data } : state),

  decide({ size, checkpoint, key, change }, { last }) {
    if (last !== null && size <= last.size) return [];
    const sealed = { type: 'HistorySealed' as const, data: { size, checkpoint, key } };
    if (last === null || last.key === key) return [sealed];
    if (change === null || change.from !== last.key || change.to !== key)
      throw new Failure(
        'invalid',
        'The history was sealed with another key: set DOCENT_SEAL_KEY_BEFORE to that key, so that both keys sign the change.',
      );
    return [{ type: 'SealingKeyChanged', data: change }, sealed];
  },
};
