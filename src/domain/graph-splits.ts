/**
 * What administrators part in the knowledge graph: forms of a name that were taken for one entity and are not. A form that
 * is parted is an entity of its own; undone, it is what its texts make of it again.
 */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

export type GraphSplit = EventTypes['GraphEntitySplit'];

export interface GraphSplitsState {
  lastId: number;
  /** Those that hold, in the order they were made. */
  splits: readonly GraphSplit[];
}

/** Nothing happens when the form is parted already. */
export type GraphSplitsCommand =
  | { type: 'Split'; split: Omit<GraphSplit, 'split_id'> }
  /** Failure `not_found`: there is no such split. */
  | { type: 'Undo'; split_id: number; undone_at: string; undone_by: string };

/** Of one corpus: each is looked up at every change of its graph. */
export const splitsMax = 1_000;

export const graphSplits: Decider<GraphSplitsState, GraphSplitsCommand> = {
  initial: { lastId: 0, splits: [] },

  evolve(state, event) {
    switch (event.type) {
      case 'GraphEntitySplit':
        return { lastId: event.data.split_id, splits: [...state.splits, event.data] };
      case 'GraphSplitUndone':
        return { ...state, splits: state.splits.filter(({ split_id }) => split_id !== event.data.split_id) };
      default:
        return state;
    }
  },

  decide(command, { lastId, splits }) {
    if (command.type === 'Undo') {
      const { type: _, ...undone } = command;
      const split = splits.find(({ split_id }) => split_id === undone.split_id);
      if (split === undefined) throw new Failure('not_found', `There is no split ${undone.split_id}.`);
      const { corpus_id, key } = split;
      return [{ type: 'GraphSplitUndone', data: { ...undone, corpus_id, key } }];
    }
    const { corpus_id, key } = command.split;
    const known = splits.filter((split) => split.corpus_id === corpus_id);
    if (known.some((split) => split.key === key)) return [];
    if (known.length >= splitsMax)
      throw new Failure('conflict', `A corpus has ${splitsMax} splits at most; undo some first.`);
    return [{ type: 'GraphEntitySplit', data: { split_id: lastId + 1, ...command.split } }];
  },
};

/** The forms of a corpus that are entities of their own, sorted. */
export const apartIn = ({ splits }: GraphSplitsState, corpusId: string): string[] =>
  splits
    .filter(({ corpus_id }) => corpus_id === corpusId)
    .map(({ key }) => key)
    .sort();
