import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, expect, test } from 'vitest';
import type { Document } from '../../src/http/openapi.ts';
import { openDoor } from './admin-door.ts';
import { documented } from './documented.ts';
import { serve } from './fake-app.ts';

const door = await openDoor({}, { library: false });
const document: Document = (await door.call('GET', '/api/openapi.json')).body;
const { operations, faults } = documented(document);
afterAll(() => door.close());

/** An HTTP server without the administration. */
async function described() {
  const { server } = serve();
  const document: Document = (await server.inject('/api/openapi.json')).json();
  return { server, document };
}

test('is valid OpenAPI 3.1.0, version 2.0.0', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result).toMatchObject({ valid: true });
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '2.0.0']);
});

test('names the components of the specification and its security schemes', () => {
  const names = [
    'AskRequest',
    'AskResponse',
    'HTTPValidationError',
    'HistoryMessage',
    'SourceRef',
    'SourceRefsRequest',
    'SourceRefsResponse',
    'ValidationError',
  ];
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
  expect(document.components.securitySchemes).toMatchObject({
    ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    Basic: { type: 'http', scheme: 'basic' },
    Session: { type: 'apiKey', in: 'cookie', name: 'docent_session' },
  });
  expect(document.components.schemas.AskRequest).toMatchObject({
    type: 'object',
    required: ['query'],
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 2000 },
      style: { anyOf: [{ type: 'string', pattern: '^(brief|quotes|compare|analytic)$' }, { type: 'null' }] },
      corpus_id: { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }] },
      history: { type: 'array', maxItems: 20, items: { $ref: '#/components/schemas/HistoryMessage' } },
    },
  });
  expect(document.components.schemas.AskResponse?.required).toEqual([
    'request_id',
    'query',
    'mode',
    'lang',
    'answer',
    'latency_ms',
  ]);
  expect(document.components.schemas.Mode?.enum).toEqual([
    'exact',
    'ordinary',
    'comparison',
    'historical',
    'faq',
    'greeting',
    'meta',
    'no_answer',
  ]);
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

/** replies.test.ts lists all operations. */
test('lists only existing operations, including the two HEAD operations', async () => {
  const names = operations.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('head'))).toEqual(['head /api/corpora', 'head /health']);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(names.length);
  for (const { path, method } of operations) {
    const [verb, url] = [method.toUpperCase() as 'GET', path.replace(/\{([a-z_]+)\}/g, ':$1')];
    expect(door.server.hasRoute({ method: verb, url })).toBe(true);
    if (path.startsWith('/admin/')) continue;
    const options = await door.server.inject({ method: 'OPTIONS', url: path.replace(/\{[a-z_]+\}/g, 'x') });
    expect(String(options.headers.allow).split(', ')).toContain(verb);
  }
});

test('documents every administration operation with its credentials and error replies', () => {
  const those = operations.filter(({ path }) => path.startsWith('/admin/') || path.startsWith('/api/asks/'));
  expect(those.length).toBeGreaterThan(40);
  for (const { name, path, method, operation } of those) {
    const inside = path.startsWith('/admin/');
    expect([name, operation.security]).toEqual([
      name,
      inside ? [{ Basic: [] }, { Session: [] }] : [{}, { ApiKey: [] }],
    ]);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '429', '500', '503']));
    // Only administrators may make changes.
    if (inside && method !== 'get') expect([name, operation.responses['403']]).not.toContain(undefined);
    if (inside) expect(operation.responses['401']?.headers).toHaveProperty('WWW-Authenticate');
  }
});

test('has an example for each success and each request, and all examples match their schemas', () => {
  for (const one of operations) {
    const { name, operation } = one;
    const contents = Object.entries(operation.responses).map(
      ([status, reply]): [place: string, content: Record<string, { example?: unknown }>, needed: boolean] => [
        ...([`responses/${status}`, reply.content ?? {}, status.startsWith('2')] as const),
      ],
    );
    if (!('101' in operation.responses) && one.method !== 'head')
      expect([name, contents.some(([, , isSuccess]) => isSuccess)]).toEqual([name, true]);
    const request = operation.requestBody?.content ?? {};
    contents.push(['requestBody', request, !request['multipart/form-data']]);
    for (const [place, content, needed] of contents)
      for (const [media, { example }] of Object.entries(content)) {
        if (needed || example !== undefined)
          expect([name, place, faults(one, place, media, example)]).toEqual([name, place, null]);
        if (needed) expect([name, place, example]).toEqual([name, place, expect.anything()]);
      }
  }
});

test('names every operation in the text documents and the consumer contract', async () => {
  const { server, document } = await described();
  const short = await server.inject('/llms.txt');
  const full = await server.inject('/llms-full.txt');
  const contract = await server.inject('/.well-known/docent-consumer.json');
  expect(short.headers['content-type']).toBe('text/plain; charset=utf-8');
  for (const path of Object.keys(document.paths)) {
    expect(short.body).toContain(path);
    expect(full.body).toContain(path);
    expect(contract.json().operations).toContainEqual(expect.objectContaining({ path }));
  }
  for (const name of Object.keys(document.components.schemas)) expect(full.body).toContain(`### ${name}\n`);
  expect(contract.json()).toMatchObject({ name: 'Docent', version: '2.0.0', openapi: '/api/openapi.json' });
  expect(contract.json().authentication.api_key_required).toBe(false);
});

test('serves the reference and its assets locally, under a policy that allows nothing else', async () => {
  const { server } = await described();
  const page = await server.inject('/docs');
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
  expect(loaded).toContain('/docs/static/swagger-ui-bundle.js');
  expect(page.body).not.toMatch(/<script>|<style|\son\w+=|style=/);
  for (const url of ['/docs', '/docs/json', ...loaded]) {
    const reply = await server.inject(url);
    expect([url, reply.statusCode]).toEqual([url, 200]);
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  }
  expect((await server.inject('/docs/json')).json()).toEqual(
    (await server.inject('/api/openapi.json')).json(),
  );
  const missing = await server.inject('/docs/static/none.js');
  expect([missing.statusCode, missing.json()]).toEqual([404, { detail: expect.any(String) }]);
  const head = await server.inject({ method: 'HEAD', url: '/docs/static/swagger-ui.css' });
  expect([head.statusCode, head.headers.allow]).toEqual([405, 'GET']);
});
