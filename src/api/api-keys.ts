/** API keys: of each only its prefix is ever shown again. */
import { type Static, Type } from 'typebox';
import * as sample from './sample.ts';
import { asOf, Count, listOf, NullableText, orNull, record, Time, wholePage } from './schema.ts';

export const KeyIdPath = Type.Object({ key_id: Type.Integer() });
export const ApiKeysQuery = Type.Object({ ...wholePage, ...asOf });

const wanted = {
  name: 'Portal',
  owner_email: 'portal@example.org',
  corpus_ids: ['krk_2026'],
  rate_limit_rpm: 60,
  rate_limit_rph: 1000,
};

export const CreateApiKeyRequest = record(
  'CreateApiKeyRequest',
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What the key is for.' }),
    owner_email: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    corpus_ids: Type.Optional(
      Type.Array(Type.String(), {
        default: [],
        description: 'Corpora the key is scoped to; empty or absent: every active one.',
      }),
    ),
    rate_limit_rpm: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 30,
        description: 'Requests a minute; default 30.',
      }),
    ),
    rate_limit_rph: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 300,
        description: 'Requests an hour; default 300.',
      }),
    ),
  },
  { example: wanted },
);
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

const apiKey = {
  key_id: Type.Integer(),
  name: Type.String(),
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
const example = {
  key_id: 4,
  ...wanted,
  prefix: 'dk_Zx8Qw1p',
  created_at: sample.earlier,
  created_by: 'olga',
  revoked_at: null,
  revoked_by: null,
  last_used_at: sample.now,
  request_count: 128,
};
export const ApiKey = record('ApiKey', apiKey, { example });
export type ApiKey = Static<typeof ApiKey>;
export const ApiKeyList = listOf(ApiKey);

export const CreatedApiKey = record(
  'CreatedApiKey',
  { ...apiKey, key: Type.String({ description: 'The key itself. It is shown only once.' }) },
  {
    example: {
      ...example,
      last_used_at: null,
      request_count: 0,
      key: 'dk_Zx8Qw1pF6m0uR3yT7kV2nB5cL9hJ4gD8sA1eXo-_iWqY',
    },
  },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;
