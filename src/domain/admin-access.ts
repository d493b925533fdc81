/**
 * Failed logins, reads and trials by administrators, as recorded in the history. Repeated ones are combined, so that
 * nobody can fill the history with them.
 */
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

export interface AdminAccessState {
  /** The times of the failures recorded within the minute before the last one. */
  failedAt: readonly string[];
  /** When each read of people's questions in the last minute was recorded, by reader, kind and filter. */
  readAt: ReadonlyMap<string, string>;
}

export type AdminAccessCommand =
  /**
   * Does nothing while `recordedMax` failures from the last minute are recorded, unless `final` is set because the
   * process is stopping and would lose the count.
   */
  | ({ type: 'CountFailures'; final?: boolean } & EventTypes['AdminLoginFailed'])
  /** Does nothing within a minute of the administrator's last identical read. */
  | ({ type: 'Read' } & EventTypes['AdminRead'])
  | ({ type: 'Try' } & EventTypes['TrialMade']);

/**
 * Maximum number of failures recorded individually within a minute. Further failures wait and are recorded together.
 */
const recordedMax = 20;
const minuteMs = 60_000;
const within = (at: string | null | undefined, now: string) =>
  at != null && Date.parse(now) - Date.parse(at) < minuteMs;

const readingOf = ({ name, what, filter }: Omit<EventTypes['AdminRead'], 'at'>): string =>
  JSON.stringify([name, what, Object.entries(filter ?? {})]);

const recent = ({ failedAt }: AdminAccessState, now: string) => failedAt.filter((at) => within(at, now));

export const adminAccess: Decider<AdminAccessState, AdminAccessCommand> = {
  initial: { failedAt: [], readAt: new Map() },

  evolve(state, event) {
    switch (event.type) {
      case 'AdminLoginFailed':
        return { ...state, failedAt: [...recent(state, event.data.at), event.data.at] };
      case 'AdminRead':
        return {
          ...state,
          readAt: new Map([
            ...[...state.readAt].filter(([, at]) => within(at, event.data.at)),
            [readingOf(event.data), event.data.at],
          ]),
        };
      default:
        return state;
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'CountFailures': {
        const { count, names, at, final = false } = command;
        if (count === 0 || (recent(state, at).length >= recordedMax && !final)) return [];
        return [{ type: 'AdminLoginFailed', data: { count, names, at } }];
      }
      case 'Try': {
        const { type: _, ...data } = command;
        return [{ type: 'TrialMade', data }];
      }
      case 'Read': {
        const { name, what, filter, at } = command;
        if (within(state.readAt.get(readingOf(command)), at)) return [];
        return [{ type: 'AdminRead', data: { name, what, ...(filter && { filter }), at } }];
      }
    }
  },
};
