import { describe, expect, it } from 'vitest';
import { apiKeys } from '../../src/domain/api-keys.ts';
import type { ApiKeyFacts, DomainEvent } from '../../src/domain/events.ts';
import { given } from './decider-spec.ts';

const key = (name: string): Omit<ApiKeyFacts, 'key_id'> => ({
  name,
  owner_email: null,
  prefix: 'dk_1234567',
  hash: 'ab'.repeat(32),
  corpus_ids: ['charter'],
  rate_limit_rpm: 30,
  rate_limit_rph: 300,
  created_at: '2026-01-01T10:00:00.000Z',
  created_by: 'olga',
});
const created = (key_id: number, name = 'portal'): DomainEvent => ({
  type: 'ApiKeyCreated',
  data: { key_id, ...key(name) },
});
const revocation = { revoked_at: '2026-01-02T10:00:00.000Z', revoked_by: 'aidar' };
const revoked = (key_id: number): DomainEvent => ({ type: 'ApiKeyRevoked', data: { key_id, ...revocation } });

describe('API keys', () => {
  it('get integer ids from 1, which are never reused', () => {
    given(apiKeys)
      .when({ type: 'Create', key: key('portal') })
      .then(created(1));
    given(apiKeys, created(1), created(2), revoked(2))
      .when({ type: 'Create', key: key('bot') })
      .then(created(3, 'bot'));
  });

  it('keep their data when they are revoked', () => {
    const { state } = given(apiKeys, created(1), created(2, 'bot'), revoked(1));
    expect([...state.keys.values()]).toEqual([
      { key_id: 1, ...key('portal'), ...revocation },
      { key_id: 2, ...key('bot'), revoked_at: null, revoked_by: null },
    ]);
  });
});
