import { describe, it } from 'vitest';
import { adminAccess } from '../../src/domain/admin-access.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { given } from './decider-spec.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 10, 0, seconds)).toISOString();

describe('failed logins', () => {
  const failures = (count: number, seconds: number, names: string[] = []) => ({
    count,
    names,
    at: at(seconds),
  });
  const failed = (...args: Parameters<typeof failures>): DomainEvent => ({
    type: 'AdminLoginFailed',
    data: failures(...args),
  });

  const twenty = Array.from({ length: 20 }, (_, i) => failed(1, i));

  it('are recorded individually, up to twenty a minute, then together', () => {
    given(adminAccess)
      .when({ type: 'CountFailures', ...failures(1, 0, ['olga']) })
      .then(failed(1, 0, ['olga']));
    given(adminAccess, ...twenty.slice(1))
      .when({ type: 'CountFailures', ...failures(1, 20) })
      .then(failed(1, 20));
    given(adminAccess, ...twenty)
      .when({ type: 'CountFailures', ...failures(500, 59) })
      .then();
    given(adminAccess, ...twenty)
      .when({ type: 'CountFailures', ...failures(500, 60) })
      .then(failed(500, 60));
  });

  it('are recorded before a process ends', () => {
    given(adminAccess, ...twenty)
      .when({ type: 'CountFailures', ...failures(3, 20), final: true })
      .then(failed(3, 20));
    given(adminAccess, ...twenty)
      .when({ type: 'CountFailures', ...failures(0, 100), final: true })
      .then();
  });
});

describe("reading people's questions", () => {
  const read = (name: string, seconds: number, what: 'queries' | 'stats' = 'queries') => ({
    name,
    what,
    at: at(seconds),
  });
  const done = (...args: Parameters<typeof read>): DomainEvent => ({
    type: 'AdminRead',
    data: read(...args),
  });

  it('is recorded at most once a minute for each administrator and filter', () => {
    given(adminAccess)
      .when({ type: 'Read', ...read('olga', 0) })
      .then(done('olga', 0));
    given(adminAccess, done('olga', 0))
      .when({ type: 'Read', ...read('olga', 59) })
      .then();
    given(adminAccess, done('olga', 0))
      .when({ type: 'Read', ...read('olga', 59, 'stats') })
      .then(done('olga', 59, 'stats'));
    const filter = { search: 'fish' };
    given(adminAccess, done('olga', 0))
      .when({ type: 'Read', ...read('olga', 1), filter })
      .then({ type: 'AdminRead', data: { ...read('olga', 1), filter } });
    given(adminAccess, done('olga', 0))
      .when({ type: 'Read', ...read('aidar', 1) })
      .then(done('aidar', 1));
    given(adminAccess, done('olga', 0), done('aidar', 30))
      .when({ type: 'Read', ...read('olga', 60) })
      .then(done('olga', 60));
  });
});
