/** The open console sessions. They share one stream, so that an instance gets all of them with a single read. */
import type { Decider } from './decider.ts';
import type { AdminSessionFacts } from './events.ts';

export interface AdminSessionsState {
  /** The sessions that had not expired when the last one was opened, keyed by `session`. */
  open: ReadonlyMap<string, AdminSessionFacts>;
}

export type AdminSessionsCommand =
  | { type: 'Open'; facts: AdminSessionFacts }
  /** Does nothing if the session is not open. */
  | { type: 'Close'; session: string; closed_at: string };

export const adminSessions: Decider<AdminSessionsState, AdminSessionsCommand> = {
  initial: { open: new Map() },

  evolve({ open }, event) {
    switch (event.type) {
      case 'AdminSessionOpened': {
        const { session, opened_at } = event.data;
        const unexpired = [...open].filter(([, { expires_at }]) => expires_at > opened_at);
        return { open: new Map(unexpired).set(session, event.data) };
      }
      case 'AdminSessionClosed':
        return { open: new Map([...open].filter(([session]) => session !== event.data.session)) };
      default:
        return { open };
    }
  },

  decide(command, { open }) {
    if (command.type === 'Open') return [{ type: 'AdminSessionOpened', data: command.facts }];
    const { session, closed_at } = command;
    return open.has(session) ? [{ type: 'AdminSessionClosed', data: { session, closed_at } }] : [];
  },
};
