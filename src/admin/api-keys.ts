/** API keys. After creation, only the prefix of a key is shown. */
import { type Static, Type } from 'typebox';
import type { NewApiKey } from '../access/keys.ts';
import type { Acting } from '../access/logins.ts';
import { mapLimited } from '../async/map-limited.ts';
import type { ApiKey as StoredKey } from '../domain/api-keys.ts';
import { Failure } from '../failures.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import { ValidationFailure } from '../http/validation.ts';
import type { Doc } from '../ports/read-models.ts';
import {
  asOf,
  Count,
  exampleOf,
  filter,
  type Listed,
  listOf,
  NullableText,
  orNull,
  type Page,
  pageOf,
  record,
  sample,
  Time,
  wholePage,
} from '../schema.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';
import { type DayRange, dayAfter, daysOf, lastDays, rangeOf } from './range.ts';

export const KeyIdPath = Type.Object({ key_id: Type.Integer() });
export const ApiKeysQuery = Type.Object({ ...wholePage, ...asOf });

export const CreateApiKeyRequest = record('CreateApiKeyRequest', {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'The purpose of the key.' }),
  owner_email: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
  corpus_ids: Type.Optional(
    Type.Array(Type.String(), {
      default: [],
      description: 'Corpora to which the key is scoped; all active corpora if empty or absent.',
    }),
  ),
  rate_limit_rpm: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 30,
      description: 'Requests per minute. Default: 30.',
    }),
  ),
  rate_limit_rph: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 300,
      description: 'Requests per hour. Default: 300.',
    }),
  ),
});

const apiKey = {
  key_id: Type.Integer(),
  name: Type.String({ examples: ['Town portal'] }),
  owner_email: NullableText,
  prefix: Type.String(),
  corpus_ids: Type.Array(Type.String()),
  rate_limit_rpm: Type.Integer(),
  rate_limit_rph: Type.Integer(),
  created_at: Time,
  created_by: Type.String(),
  revoked_at: orNull(Time),
  revoked_by: NullableText,
  last_used_at: orNull(Time),
  request_count: Count,
};
export const ApiKey = record('ApiKey', apiKey);
export type ApiKey = Static<typeof ApiKey>;
export const ApiKeyList = listOf(ApiKey);

export const CreatedApiKey = record(
  'CreatedApiKey',
  { ...apiKey, key: Type.String({ description: 'The key itself, which is shown only once.' }) },
  {
    example: {
      ...(exampleOf(ApiKey) as ApiKey),
      request_count: 0,
      last_used_at: null,
      key: 'dk_Zx8Qw1pF6m0uR3yT7kV2nB5cL9hJ4gD8sA1eXo-_iWqY',
    },
  },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const KeyUseQuery = Type.Object({
  ...asOf,
  from: filter('The first day (YYYY-MM-DD, UTC). Default: the range covers the 30 days up to `to`.'),
  to: filter('The last day. Default: today. A range has at most 366 days.'),
});

export const KeyUse = record(
  'KeyUse',
  {
    key_id: Type.Integer(),
    from: Type.String(),
    to: Type.String(),
    questions: Count,
    by_day: Type.Array(Type.Object({ date: Type.String(), questions: Count }), {
      description: 'The days (UTC), oldest first, including days without questions.',
    }),
  },
  { description: 'Counted from the query log, including lookups of sources and failed questions.' },
);
export type KeyUse = Static<typeof KeyUse>;

/** Number of days counted concurrently. */
const daysAtOnce = 8;

export function apiKeys(
  deps: Pick<AdministrationDeps, 'commands' | 'reads' | 'progress' | 'keys' | 'audit'>,
) {
  const { commands, reads, keys, audit } = deps;

  const recordOf = async (key: StoredKey): Promise<ApiKey> =>
    shownKey(key, await reads.get('api_keys', String(key.key_id)));

  async function questionsOn(key_id: number, date: string): Promise<number> {
    const between = { field: 'asked_at', from: date, before: dayAfter(date) };
    return (await reads.find('queries', { where: { key_id }, between, limit: 1 })).total;
  }

  return {
    /** The number of questions asked with a key, by day. Fails with `not_found` for an unknown key. */
    async keyUse(key_id: number, range: DayRange, acting: Acting): Promise<KeyUse> {
      await commands.apiKeys.load();
      if (!commands.apiKeys.state.keys.has(key_id))
        throw new Failure('not_found', `There is no key ${key_id}.`);
      await audit.read(acting, 'stats', { ...range, key_id });
      const by_day = await mapLimited([...daysOf(range)], daysAtOnce, async (date) => ({
        date,
        questions: await questionsOn(key_id, date),
      }));
      const questions = by_day.reduce((sum, day) => sum + day.questions, 0);
      return { key_id, ...range, questions, by_day };
    },

    /** All keys, including revoked ones, newest first. */
    async apiKeys({ limit, offset }: Page): Promise<Listed<ApiKey>> {
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

    /**
     * `key` is the key itself, which is returned only here. Throws ValidationFailure if one of its corpora does not
     * exist.
     */
    async createApiKey(wanted: NewApiKey, acting: Acting): Promise<CreatedApiKey> {
      const { corpora } = await commands.catalog.load();
      const faults = [...wanted.corpus_ids.entries()]
        .filter(([, id]) => !corpora.has(id))
        .map(([i, input]) => ({
          type: 'value_error',
          loc: ['body', 'corpus_ids', i],
          msg: 'Value error, there is no corpus with this name',
          input,
        }));
      if (faults.length > 0) throw new ValidationFailure(faults.slice(0, 100));
      const { key, text, position } = await keys.create(
        { ...wanted, corpus_ids: [...new Set(wanted.corpus_ids)] },
        acting.name,
        causeOf(acting),
      );
      await shown(deps, position);
      return { ...(await recordOf(key)), key: text };
    },

    /** A key that is already revoked stays unchanged. Fails with `not_found` for an unknown key. */
    async revokeApiKey(keyId: number, acting: Acting): Promise<ApiKey> {
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

export function apiKeyRoutes(door: AdminDoor<ReturnType<typeof apiKeys>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/api-keys',
    schema: {
      ...operation('admin_api_keys', 'API keys, identified by their prefixes'),
      querystring: ApiKeysQuery,
      response: { 200: reply('Keys, newest first, including revoked ones.', ApiKeyList) },
    },
    handler: async (request, reply) => (await adminAt(door, request, reply)).apiKeys(pageOf(request.query)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/api-keys/:key_id/use',
    schema: {
      ...operation('admin_api_key_use', 'Questions asked with a key, by day'),
      params: KeyIdPath,
      querystring: KeyUseQuery,
      response: { 200: reply('The number of questions on each day.', KeyUse) },
    },
    handler: async (request, reply) => {
      const range = rangeOf(request.query) ?? lastDays();
      return (await adminAt(door, request, reply)).keyUse(request.params.key_id, range, actingIn(request));
    },
  });

  server.route({
    method: 'POST',
    url: '/admin/api/api-keys',
    schema: {
      ...operation('admin_create_api_key', 'Create an API key'),
      body: CreateApiKeyRequest,
      response: { 201: reply('The key. It is shown only once.', CreatedApiKey) },
    },
    config: { errors: [] },
    handler: async (request, reply) => {
      const {
        name,
        owner_email = null,
        corpus_ids = [],
        rate_limit_rpm = 30,
        rate_limit_rph = 300,
      } = request.body;
      const wanted = { name, owner_email, corpus_ids, rate_limit_rpm, rate_limit_rph };
      return reply.code(201).send(await admin.createApiKey(wanted, actingIn(request)));
    },
  });

  server.route({
    method: 'POST',
    url: '/admin/api/api-keys/:key_id/revoke',
    schema: {
      ...operation('admin_revoke_api_key', 'Revoke an API key'),
      params: KeyIdPath,
      response: {
        200: reply('The key, revoked.', ApiKey, {
          example: { ...(exampleOf(ApiKey) as ApiKey), revoked_at: sample.now, revoked_by: sample.actor },
        }),
      },
    },
    handler: (request) => admin.revokeApiKey(request.params.key_id, actingIn(request)),
  });
}
