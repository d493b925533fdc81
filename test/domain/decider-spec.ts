/** `given(decider, events).when(command).then(events)`: exact and in order; or `.fails(code)`. */
import { expect } from 'vitest';
import type { Decider } from '../../src/domain/decider.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { Failure, type FailureCode } from '../../src/failures.ts';

export interface Outcome {
  then(...events: DomainEvent[]): void;
  fails(code: FailureCode): void;
}

export function given<State, Command>(
  decider: Decider<State, Command>,
  ...events: DomainEvent[]
): { when(command: Command): Outcome; state: State } {
  const state = events.reduce((s, e) => decider.evolve(s, e), decider.initial);
  return {
    state,
    when: (command) => ({
      // biome-ignore lint/suspicious/noThenProperty: given, when, then is how such a test reads.
      then: (...expected) => expect(decider.decide(command, state)).toEqual(expected),
      fails: (code) => {
        let thrown: unknown = null;
        try {
          decider.decide(command, state);
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(Failure);
        expect((thrown as Failure).code).toBe(code);
      },
    }),
  };
}
