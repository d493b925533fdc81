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
    'get /admin/api/audit-log',
    'post /admin/api/backfill-embeddings',
    'get /admin/api/backfills/{job_id}',
    'get /admin/api/config',
    'get /admin/api/corpora',
    'post /admin/api/corpora',
    'patch /admin/api/corpora/{corpus_id}',
    'get /admin/api/documents',
    'post /admin/api/documents',
    'delete /admin/api/documents/{doc_id}',
    'get /admin/api/documents/{doc_id}/chunks',
    'get /admin/api/embeddings/status',
    'get /admin/api/faq-cache',
    'post /admin/api/faq-cache',
    'delete /admin/api/faq-cache/{entry_id}',
    'get /admin/api/queries',
    'get /admin/api/stats',
    'get /admin/api/system-prompt',
    'put /admin/api/system-prompt',
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
    expect([name, contents.length > 0]).toEqual([name, true]);
    if (operation.requestBody && !operation.requestBody.content['multipart/form-data'])
      contents.push(['requestBody', operation.requestBody.content]);
    for (const [place, content] of contents)
      for (const [media, { example }] of Object.entries(content)) {
        expect([name, place, typeof example]).toEqual([name, place, 'object']);
        const pointer = `/paths/${escaped(path)}/${method}/${place}/content/${escaped(media)}/schema`;
        expect([name, misfit(pointer, example)]).toEqual([name, null]);
      }
  }
});

test('each real reply, good or bad, fits what is documented', async () => {
  const asked = await door.call('POST', '/api/ask', { query: 'When does the fish market open?' });
  const made = await door.call('POST', '/admin/api/api-keys', { name: 'x' });
  const job = await door.call('POST', '/admin/api/backfill-embeddings');
  const pair = { corpus_id: 'krk_2026', question: 'When is high tide?', answer: 'At noon.' };
  const entry = await door.call('POST', '/admin/api/faq-cache', pair);
  await door.app.caughtUp();
  type Tried = [status: number, url: string, body?: unknown, headers?: Record<string, string>];
  const tried: Record<string, Tried[]> = {
    'get /admin/api/api-keys': [[200, '/admin/api/api-keys']],
    'post /admin/api/api-keys': [
      [201, '/admin/api/api-keys', { name: 'y', owner_email: 'a@example.org' }],
      [422, '/admin/api/api-keys', {}],
      [422, '/admin/api/api-keys', { name: 'y', corpus_ids: ['none'] }],
    ],
    'post /admin/api/api-keys/{key_id}/revoke': [
      [200, `/admin/api/api-keys/${made.body.key_id}/revoke`],
      [404, '/admin/api/api-keys/99/revoke'],
      [422, '/admin/api/api-keys/x/revoke'],
    ],
    'get /admin/api/audit-log': [
      [200, '/admin/api/audit-log'],
      [422, '/admin/api/audit-log?limit=0'],
    ],
    'post /admin/api/backfill-embeddings': [[404, '/admin/api/backfill-embeddings?doc_key=none']],
    'get /admin/api/backfills/{job_id}': [
      [200, `/admin/api/backfills/${job.body.job_id}`],
      [404, '/admin/api/backfills/none'],
    ],
    'get /admin/api/config': [[200, '/admin/api/config']],
    'get /admin/api/corpora': [[200, '/admin/api/corpora']],
    'post /admin/api/corpora': [
      [201, '/admin/api/corpora', { corpus_id: 'side', title: 'Side' }],
      [409, '/admin/api/corpora', { corpus_id: 'side', title: 'Side' }],
    ],
    'patch /admin/api/corpora/{corpus_id}': [
      [200, '/admin/api/corpora/side', { is_active: false }],
      [404, '/admin/api/corpora/none', {}],
      [422, '/admin/api/corpora/side', { layers: [] }],
    ],
    'get /admin/api/documents': [[200, '/admin/api/documents']],
    'post /admin/api/documents': [[415, '/admin/api/documents', {}]],
    'delete /admin/api/documents/{doc_id}': [
      [200, '/admin/api/documents/2'],
      [404, '/admin/api/documents/99'],
    ],
    'get /admin/api/documents/{doc_id}/chunks': [
      [200, '/admin/api/documents/1/chunks'],
      [404, '/admin/api/documents/99/chunks'],
    ],
    'get /admin/api/embeddings/status': [[200, '/admin/api/embeddings/status']],
    'get /admin/api/faq-cache': [[200, '/admin/api/faq-cache']],
    'post /admin/api/faq-cache': [
      [201, '/admin/api/faq-cache', { ...pair, question: 'When is it noon?' }],
      [404, '/admin/api/faq-cache', { ...pair, corpus_id: 'none' }],
      [422, '/admin/api/faq-cache', { ...pair, question: ' ' }],
    ],
    'delete /admin/api/faq-cache/{entry_id}': [
      [204, `/admin/api/faq-cache/${entry.body.entry_id}`],
      [404, '/admin/api/faq-cache/999'],
    ],
    'get /admin/api/queries': [[200, '/admin/api/queries']],
    'get /admin/api/stats': [[200, '/admin/api/stats']],
    'get /admin/api/system-prompt': [[200, '/admin/api/system-prompt']],
    'put /admin/api/system-prompt': [
      [200, '/admin/api/system-prompt', { content: 'Be brief.' }],
      [422, '/admin/api/system-prompt', { content: '' }],
    ],
    'post /api/asks/{request_id}/rating': [
      [200, `/api/asks/${asked.body.request_id}/rating`, { rating: 'up' }],
      [404, '/api/asks/none/rating', { rating: 'up' }],
      [401, '/api/asks/none/rating', { rating: 'up' }, { 'x-api-key': '' }],
    ],
  };
  expect(Object.keys(tried)).toEqual(operations.map(([name]) => name));
  for (const [name, path, method] of operations) {
    const url = path.replace(/\{[a-z_]+\}/g, '1');
    const strangers: Tried[] = path.startsWith('/admin/')
      ? [[401, url, undefined, { authorization: '' }]]
      : [];
    for (const [status, at, body, headers] of [...strangers, ...(tried[name] ?? [])]) {
      const reply = await door.call(method.toUpperCase(), at, body, headers);
      if (status === 204) {
        expect([name, reply.status, reply.body]).toEqual([name, 204, '']);
        continue;
      }
      const pointer = `/paths/${escaped(path)}/${method}/responses/${status}/content/application~1json/schema`;
      expect([name, at, reply.status, misfit(pointer, reply.body)]).toEqual([name, at, status, null]);
    }
  }
});
