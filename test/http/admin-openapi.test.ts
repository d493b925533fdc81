import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Document, Operation } from '../../src/http/openapi.ts';
import { type OpenedDoor, openDoor } from './admin-door.ts';

let door: OpenedDoor;
let document: Document;
let operations: [name: string, path: string, method: string, operation: Operation][];
beforeAll(async () => {
  door = await openDoor();
  document = (await door.call('GET', '/api/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => path.startsWith('/admin/') || path.startsWith('/api/asks/'))
      .map(([method, operation]): [string, string, string, Operation] => [
        `${method} ${path}`,
        path,
        method,
        operation,
      ]),
  );
});
afterAll(() => door.close());

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Why a value does not fit the schema at a place of the document; null when it does. */
function misfit(pointer: string, value: unknown) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const validate = ajv.compile({ $ref: `api#${pointer}` });
  return validate(value) ? null : validate.errors;
}

test('the document is valid with the administration in it', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result).toMatchObject({ valid: true });
  expect(document.components.schemas.CreateApiKeyRequest).toMatchObject({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 200 },
      owner_email: { anyOf: [{ type: 'string', maxLength: 200 }, { type: 'null' }] },
      corpus_ids: { type: 'array', items: { type: 'string' } },
      rate_limit_rpm: { type: 'integer', minimum: 1, maximum: 1000, default: 30 },
      rate_limit_rph: { type: 'integer', minimum: 1, maximum: 10_000, default: 300 },
    },
  });
});

test('it holds every operation of the administration, each with its credentials and refusals', () => {
  expect(operations.map(([name]) => name)).toEqual([
    'get /admin/api/api-keys',
    'post /admin/api/api-keys',
    'post /admin/api/api-keys/{key_id}/revoke',
    'get /admin/api/asks/{request_id}',
    'get /admin/api/audit-log',
    'post /admin/api/backfill-embeddings',
    'get /admin/api/backfills/{job_id}',
    'get /admin/api/config',
    'get /admin/api/corpora',
    'post /admin/api/corpora',
    'patch /admin/api/corpora/{corpus_id}',
    'get /admin/api/diff',
    'get /admin/api/documents',
    'post /admin/api/documents',
    'delete /admin/api/documents/{doc_id}',
    'get /admin/api/documents/{doc_id}/chunks',
    'post /admin/api/documents/{doc_id}/restore',
    'get /admin/api/embeddings/status',
    'get /admin/api/events',
    'get /admin/api/events/live',
    'get /admin/api/faq-cache',
    'post /admin/api/faq-cache',
    'delete /admin/api/faq-cache/{entry_id}',
    'get /admin/api/moments',
    'get /admin/api/queries',
    'get /admin/api/stats',
    'get /admin/api/streams/{stream}',
    'delete /admin/api/subjects/{subject}',
    'get /admin/api/system-prompt',
    'put /admin/api/system-prompt',
    'get /admin/api/system-prompt/versions',
    'post /admin/api/system-prompt/versions/{version}/restore',
    'get /admin/api/unanswered',
    'post /api/asks/{request_id}/rating',
  ]);
  for (const [name, path, , operation] of operations) {
    const inside = path.startsWith('/admin/');
    expect([name, operation.security]).toEqual([name, inside ? [{ Basic: [] }] : [{}, { ApiKey: [] }]]);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '429', '500', '503']));
    if (inside) expect(operation.responses['401']?.headers).toHaveProperty('WWW-Authenticate');
  }
});

test('each success has an example that fits its schema', () => {
  for (const [name, path, method, operation] of operations) {
    const contents: [string, Record<string, { example?: unknown }>][] = Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, reply]) => [`responses/${status}`, reply.content ?? {}]);
    if (!('101' in operation.responses)) expect([name, contents.length > 0]).toEqual([name, true]);
    if (operation.requestBody && !operation.requestBody.content['multipart/form-data'])
      contents.push(['requestBody', operation.requestBody.content]);
    for (const [place, content] of contents)
      for (const [media, { example }] of Object.entries(content)) {
        const kind = media.startsWith('text/') ? 'string' : 'object';
        expect([name, place, typeof example]).toEqual([name, place, kind]);
        const pointer = `/paths/${escaped(path)}/${method}/${place}/content/${escaped(media)}/schema`;
        expect([name, misfit(pointer, example)]).toEqual([name, null]);
      }
  }
});
