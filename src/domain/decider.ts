/** The shape of every aggregate: its state is folded from its events, a command decides which events come next. */
import type { DomainEvent } from './events.ts';

export interface Decider<State, Command> {
  initial: State;
  /** Pure; returns the next state and leaves the one given as it is. */
  evolve(state: State, event: DomainEvent): State;
  /** Pure; no events when there is nothing to do. Throws Failure when the command cannot be carried out. */
  decide(command: Command, state: State): DomainEvent[];
}
