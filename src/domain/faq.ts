/**
 * What administrators put into the FAQ cache, and what they take out of it. Curated entries are numbered from 1; an
 * entry of another origin has a number of its own (see projections/faq.ts) and is known here only by its removal.
 */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { CuratedEntry, EventTypes } from './events.ts';

export interface FaqState {
  lastId: number;
}

export type FaqCommand =
  | { type: 'Add'; entry: Omit<CuratedEntry, 'entry_id'> }
  | { type: 'Remove'; entry: EventTypes['FaqEntryRemoved'] };

export const faq: Decider<FaqState, FaqCommand> = {
  initial: { lastId: 0 },

  evolve(state, event) {
    return event.type === 'FaqEntryAdded' ? { lastId: event.data.entry_id } : state;
  },

  decide(command, state) {
    if (command.type === 'Remove') return [{ type: 'FaqEntryRemoved', data: command.entry }];
    if (command.entry.question.trim() === '' || command.entry.answer.trim() === '')
      throw new Failure('invalid', 'An entry needs a question and an answer.');
    return [{ type: 'FaqEntryAdded', data: { entry_id: state.lastId + 1, ...command.entry } }];
  },
};
