/** The interface of every aggregate: its state is folded from its events, and commands decide the next events. */
import type { DomainEvent } from './events.ts';

export interface Decider<State, Command> {
  initial: State;
  /** Pure. Returns the next state without changing the given one. */
  evolve(state: State, event: DomainEvent): State;
  /** Pure. Returns no events if there is nothing to do. Throws Failure if the command cannot be executed. */
  decide(command: Command, state: State): DomainEvent[];
}
