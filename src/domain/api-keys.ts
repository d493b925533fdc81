/** The API keys. They share one stream, so that ids are unique and an instance gets all keys with a single read. */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { ApiKeyFacts } from './events.ts';

export interface ApiKey extends ApiKeyFacts {
  revoked_at: string | null;
  revoked_by: string | null;
}

export interface ApiKeysState {
  /** The keys by id, in order of creation. */
  keys: ReadonlyMap<number, ApiKey>;
}

export type ApiKeysCommand =
  | { type: 'Create'; key: Omit<ApiKeyFacts, 'key_id'> }
  /** Does nothing if the key is already revoked. */
  | { type: 'Revoke'; key_id: number; revoked_at: string; revoked_by: string };

export const apiKeys: Decider<ApiKeysState, ApiKeysCommand> = {
  initial: { keys: new Map() },

  evolve(state, event) {
    switch (event.type) {
      case 'ApiKeyCreated': {
        const key = { ...event.data, revoked_at: null, revoked_by: null };
        return { keys: new Map(state.keys).set(key.key_id, key) };
      }
      case 'ApiKeyRevoked': {
        const { key_id, revoked_at, revoked_by } = event.data;
        const key = state.keys.get(key_id);
        return key === undefined
          ? state
          : { keys: new Map(state.keys).set(key_id, { ...key, revoked_at, revoked_by }) };
      }
      default:
        return state;
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'Create': {
        const key_id = Math.max(0, ...state.keys.keys()) + 1;
        return [{ type: 'ApiKeyCreated', data: { key_id, ...command.key } }];
      }
      case 'Revoke': {
        const { key_id, revoked_at, revoked_by } = command;
        const key = state.keys.get(key_id);
        if (key === undefined) throw new Failure('not_found', `There is no API key ${key_id}.`);
        return key.revoked_at === null
          ? [{ type: 'ApiKeyRevoked', data: { key_id, revoked_at, revoked_by } }]
          : [];
      }
    }
  },
};
