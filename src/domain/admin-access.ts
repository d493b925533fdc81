/** Failed log-ins and reads of administrators, as recorded in the history: counted, so that nobody can fill it. */
import type { Decider } from './decider.ts';
import type { EventTypes } from './events.ts';

export interface AdminAccessState {
  /** When failures were recorded within the minute before the last one. */
  failedAt: readonly string[];
  /** When each reading of people's questions (by whom, what and how narrowed) of the last minute was recorded. */
  readAt: ReadonlyMap<string, string>;
}

export type AdminAccessCommand =
  /**
   * Nothing happens while `recordedMax` of the last minute are recorded, unless `final`: the process ends and would
   * forget them.
   */
  | ({ type: 'CountFailures'; final?: boolean } & EventTypes['AdminLoginFailed'])
  /** Nothing happens within a minute after the administrator's last one of the same. */
  | ({ type: 'Read' } & EventTypes['AdminRead']);

/** Failures recorded individually within a minute; further ones wait, and are then recorded together. */
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
      case 'Read': {
        const { name, what, filter, at } = command;
        if (within(state.readAt.get(readingOf(command)), at)) return [];
        return [{ type: 'AdminRead', data: { name, what, ...(filter && { filter }), at } }];
      }
    }
  },
};
