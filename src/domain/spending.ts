/** The costs of language models in a month, by day, summed over all processes. */
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

export interface SpendingState {
  /** Millionths of a US dollar, by day. */
  byDay: ReadonlyMap<string, number>;
}

/** Does nothing if no model was called. */
export type SpendingCommand = { type: 'Count' } & EventTypes['ModelsUsed'];

export const spending: Decider<SpendingState, SpendingCommand> = {
  initial: { byDay: new Map() },

  evolve(state, event) {
    if (event.type !== 'ModelsUsed') return state;
    const { day, cost_micro_usd } = event.data;
    return { byDay: new Map(state.byDay).set(day, (state.byDay.get(day) ?? 0) + cost_micro_usd) };
  },

  decide({ type: _, ...data }) {
    return data.chats + data.embeds + data.reranks === 0 ? [] : [{ type: 'ModelsUsed', data }];
  },
};
