import {
  ApiKey,
  ApiKeyList,
  ApiKeysQuery,
  CreateApiKeyRequest,
  CreatedApiKey,
  KeyIdPath,
} from '../../api/api-keys.ts';
import { exampleOf, pageOf } from '../../api/schema.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { ValidationFailure } from '../validation.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basic, basicOrNone, operation } from './operation.ts';

const example = exampleOf(ApiKey) as ApiKey;
const revoked = { ...example, revoked_at: example.last_used_at, revoked_by: 'olga' };

export function apiKeyRoutes(door: AdminDoor): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/api-keys',
    schema: {
      ...operation('admin_api_keys', 'API keys, each with its prefix only'),
      querystring: ApiKeysQuery,
      response: { 200: reply('Keys, newest first, revoked ones too.', ApiKeyList) },
    },
    config: basicOrNone,
    handler: async (request, reply) => (await adminAt(door, request, reply)).apiKeys(pageOf(request.query)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/api-keys',
    schema: {
      ...operation('admin_create_api_key', 'Create an API key'),
      body: CreateApiKeyRequest,
      response: { 201: reply('The key. It is shown only once.', CreatedApiKey) },
    },
    config: basic,
    handler: async (request, reply) => {
      const {
        name,
        owner_email = null,
        corpus_ids = [],
        rate_limit_rpm = 30,
        rate_limit_rph = 300,
      } = request.body;
      await refuseUnknown(corpus_ids);
      const wanted = {
        name,
        owner_email,
        corpus_ids: [...new Set(corpus_ids)],
        rate_limit_rpm,
        rate_limit_rph,
      };
      return reply.code(201).send(await admin.createApiKey(wanted, actingIn(request)));
    },
  });

  async function refuseUnknown(corpusIds: readonly string[]): Promise<void> {
    const unknown = new Set(await admin.unknownCorpora(corpusIds));
    const faults = corpusIds.flatMap((input, i) =>
      unknown.has(input)
        ? [
            {
              type: 'value_error',
              loc: ['body', 'corpus_ids', i],
              msg: 'Value error, there is no corpus of this name',
              input,
            },
          ]
        : [],
    );
    if (faults.length > 0) throw new ValidationFailure(faults.slice(0, 100));
  }

  server.route({
    method: 'POST',
    url: '/admin/api/api-keys/:key_id/revoke',
    schema: {
      ...operation('admin_revoke_api_key', 'Revoke an API key'),
      params: KeyIdPath,
      response: { 200: reply('The key, revoked.', ApiKey, { example: revoked }) },
    },
    config: basicOrNone,
    handler: (request) => admin.revokeApiKey(request.params.key_id, actingIn(request)),
  });
}
