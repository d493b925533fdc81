import type { NewApiKey } from '../access/keys.ts';
import type { ApiKey, CreatedApiKey } from '../api/api-keys.ts';
import type { Listed, Page } from '../api/schema.ts';
import type { ApiKey as StoredKey } from '../domain/api-keys.ts';
import type { Doc } from '../ports/read-models.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';

export interface ApiKeys {
  /** All keys, revoked ones too, newest first. */
  apiKeys(page: Page): Promise<Listed<ApiKey>>;
  /** Those of the corpora that there are none of. */
  unknownCorpora(corpusIds: readonly string[]): Promise<string[]>;
  /** `key`: the key itself, shown only here. */
  createApiKey(wanted: NewApiKey, acting: Acting): Promise<CreatedApiKey>;
  /** One that is revoked already stays as it is. Failure `not_found` for an unknown key. */
  revokeApiKey(keyId: number, acting: Acting): Promise<ApiKey>;
}

export function apiKeys(deps: Pick<AdministrationDeps, 'commands' | 'reads' | 'progress' | 'keys'>): ApiKeys {
  const { commands, reads, keys } = deps;

  const recordOf = async (key: StoredKey): Promise<ApiKey> =>
    shownKey(key, await reads.get('api_keys', String(key.key_id)));

  return {
    async apiKeys({ limit, offset }) {
      await commands.apiKeys.load();
      const known = keys.list();
      const listed = known.slice(offset, offset + limit);
      const used = await reads.getMany(
        'api_keys',
        listed.map(({ key_id }) => String(key_id)),
      );
      const items = listed.map((key, i) => shownKey(key, used[i] ?? null));
      return { items, total: known.length, limit, offset };
    },

    async unknownCorpora(corpusIds) {
      const { corpora } = await commands.catalog.load();
      return corpusIds.filter((id) => !corpora.has(id));
    },

    async createApiKey(wanted, acting) {
      const { key, text, position } = await keys.create(wanted, acting.name, causeOf(acting));
      await shown(deps, position);
      return { ...(await recordOf(key)), key: text };
    },

    async revokeApiKey(keyId, acting) {
      const { key, position } = await keys.revoke(keyId, acting.name, causeOf(acting));
      await shown(deps, position);
      return recordOf(key);
    },
  };
}

function shownKey({ hash: _, ...key }: StoredKey, usage: Doc | null): ApiKey {
  return {
    ...key,
    last_used_at: usage === null ? null : String(usage.last_used_at),
    request_count: Number(usage?.request_count ?? 0),
  };
}
