/**
 * `given(decider, events).when(command).then(events)` checks the exact events in order; `.fails(code)` checks an error.
 * Both also check that the decider is pure: neither evolving nor deciding may change the given state.
 */
import { inspect } from 'node:util';
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
  const state = events.reduce((s, e) => untouched(s, () => decider.evolve(s, e)), decider.initial);
  const decide = (command: Command) => untouched(state, () => decider.decide(command, state));
  return {
    state,
    when: (command) => ({
      // biome-ignore lint/suspicious/noThenProperty: the names follow the given-when-then style of tests.
      then: (...expected) => expect(decide(command)).toEqual(expected),
      fails: (code) => {
        let thrown: unknown = null;
        try {
          decide(command);
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(Failure);
        expect((thrown as Failure).code).toBe(code);
      },
    }),
  };
}

/** The result of `work`; fails if `work` changes the state. */
function untouched<T>(state: unknown, work: () => T): T {
  const print = () => inspect(state, { depth: null, maxArrayLength: null });
  const before = print();
  try {
    return work();
  } finally {
    expect(print()).toBe(before);
  }
}
