/**
 * The FAQ cache entries that administrators add and remove. Curated entries are numbered from 1. Entries of other
 * origins are numbered separately (see projections/faq.ts) and appear here only when they are removed.
 */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { CuratedEntry, EventOf, EventTypes, FaqProposal } from './events.ts';

export interface FaqState {
  lastId: number;
  lastProposal: number;
  /** The numbers of the undecided proposals. */
  proposals: ReadonlySet<number>;
}

export type FaqCommand =
  | { type: 'Add'; entry: Omit<CuratedEntry, 'entry_id'> }
  | { type: 'Remove'; entry: EventTypes['FaqEntryRemoved'] }
  | { type: 'Propose'; proposal: Omit<FaqProposal, 'proposal_id'> }
  /**
   * Turns a proposal into an entry. Fails with `not_found` if there is no proposal with this number or it was already
   * decided.
   */
  | { type: 'Accept'; proposal_id: number; entry: Omit<CuratedEntry, 'entry_id'> }
  /** Fails like `Accept`. */
  | { type: 'Reject'; proposal_id: number; at: string; by: string };

/** Maximum number of waiting proposals; further ones are rejected. */
const proposalsMax = 500;

export const faq: Decider<FaqState, FaqCommand> = {
  initial: { lastId: 0, lastProposal: 0, proposals: new Set() },

  evolve(state, event) {
    switch (event.type) {
      case 'FaqEntryAdded':
        return { ...state, lastId: event.data.entry_id };
      case 'FaqEntryProposed': {
        const { proposal_id, forgotten } = event.data;
        const proposals = new Set(state.proposals);
        if (!forgotten) proposals.add(proposal_id);
        return { ...state, lastProposal: proposal_id, proposals };
      }
      case 'FaqProposalDecided': {
        const proposals = new Set(state.proposals);
        proposals.delete(event.data.proposal_id);
        return { ...state, proposals };
      }
      default:
        return state;
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'Remove':
        return [{ type: 'FaqEntryRemoved', data: command.entry }];
      case 'Add':
        return [added(state, command.entry)];
      case 'Propose':
        if (state.proposals.size >= proposalsMax)
          throw new Failure('rate_limited', 'Too many proposals are waiting for an administrator.');
        return [
          { type: 'FaqEntryProposed', data: { proposal_id: state.lastProposal + 1, ...command.proposal } },
        ];
      case 'Accept': {
        refuseDecided(state, command.proposal_id);
        const entry = added(state, command.entry);
        const { entry_id, added_at: decided_at, added_by: decided_by } = entry.data;
        const { proposal_id } = command;
        return [
          entry,
          { type: 'FaqProposalDecided', data: { proposal_id, entry_id, decided_at, decided_by } },
        ];
      }
      case 'Reject': {
        const { proposal_id, at: decided_at, by: decided_by } = command;
        refuseDecided(state, proposal_id);
        return [
          { type: 'FaqProposalDecided', data: { proposal_id, entry_id: null, decided_at, decided_by } },
        ];
      }
    }
  },
};

function added({ lastId }: FaqState, entry: Omit<CuratedEntry, 'entry_id'>): EventOf<'FaqEntryAdded'> {
  if (entry.question.trim() === '' || entry.answer.trim() === '')
    throw new Failure('invalid', 'An entry needs a question and an answer.');
  return { type: 'FaqEntryAdded', data: { entry_id: lastId + 1, ...entry } };
}

function refuseDecided({ proposals }: FaqState, proposalId: number): void {
  if (!proposals.has(proposalId))
    throw new Failure('not_found', `There is no pending proposal ${proposalId}.`);
}
