import { expect, it } from 'vitest';
import { adminSessions } from '../../src/domain/admin-sessions.ts';
import type { AdminSessionFacts, DomainEvent } from '../../src/domain/events.ts';
import { given } from './decider-spec.ts';

const facts = (session: string, hour: number): AdminSessionFacts => ({
  session,
  name: 'olga',
  role: 'admin',
  credential: 'c',
  opened_at: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
  expires_at: new Date(Date.UTC(2026, 0, 1, hour + 12)).toISOString(),
});
const opened = (session: string, hour = 8): DomainEvent => ({
  type: 'AdminSessionOpened',
  data: facts(session, hour),
});
const closed = (session: string): DomainEvent => ({
  type: 'AdminSessionClosed',
  data: { session, closed_at: '2026-01-01T09:00:00.000Z' },
});
const close = { type: 'Close', session: 'a', closed_at: '2026-01-01T09:00:00.000Z' } as const;

it('sessions can be opened, and closed once', () => {
  given(adminSessions)
    .when({ type: 'Open', facts: facts('a', 8) })
    .then(opened('a'));
  given(adminSessions, opened('a')).when(close).then(closed('a'));
  given(adminSessions, opened('a'), closed('a')).when(close).then();
  given(adminSessions).when(close).then();
});

it('expired sessions are dropped when another one opens', () => {
  const { state } = given(adminSessions, opened('a', 0), opened('b', 11), opened('c', 12));
  expect([...state.open.keys()]).toEqual(['b', 'c']);
});
