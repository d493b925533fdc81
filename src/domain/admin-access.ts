/** What the history keeps of how administrators come in and read: counted, so that nobody can fill it. */
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

export interface AdminAccessState {
  lastFailureAt: string | null;
  /** When each administrator was last recorded as reading people's questions. */
  lastReadAt: ReadonlyMap<string, string>;
}

export type AdminAccessCommand =
  /** Nothing happens within a minute after the last one, unless `final`: the process ends and would forget them. */
  | ({ type: 'CountFailures'; final?: boolean } & EventTypes['AdminLoginFailed'])
  /** Nothing happens within a minute after the administrator's last one. */
  | ({ type: 'Read' } & EventTypes['AdminRead']);

const minuteMs = 60_000;
const within = (at: string | null | undefined, now: string) =>
  at != null && Date.parse(now) - Date.parse(at) < minuteMs;

export const adminAccess: Decider<AdminAccessState, AdminAccessCommand> = {
  initial: { lastFailureAt: null, lastReadAt: new Map() },

  evolve(state, event) {
    switch (event.type) {
      case 'AdminLoginFailed':
        return { ...state, lastFailureAt: event.data.at };
      case 'AdminRead':
        return { ...state, lastReadAt: new Map(state.lastReadAt).set(event.data.name, event.data.at) };
      default:
        return state;
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'CountFailures': {
        const { count, names, at, final = false } = command;
        if (count === 0 || (within(state.lastFailureAt, at) && !final)) return [];
        return [{ type: 'AdminLoginFailed', data: { count, names, at } }];
      }
      case 'Read': {
        const { name, what, at } = command;
        if (within(state.lastReadAt.get(name), at)) return [];
        return [{ type: 'AdminRead', data: { name, what, at } }];
      }
    }
  },
};
