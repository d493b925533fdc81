import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { Failure, type FailureCode, failureCodes } from '../../src/failures.ts';
import { statusOf } from '../../src/http/errors.ts';
import type { Document } from '../../src/http/openapi.ts';
import { buildServer, type HttpConfig } from '../../src/http/server.ts';
import { eventually } from '../support/eventually.ts';
import { FakeApp, partsOf, patient } from './fake-app.ts';

const config: HttpConfig = { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient };

async function described(app = new FakeApp()) {
  const server = buildServer(app, config);
  const document: Document = (await server.inject('/api/openapi.json')).json();
  return { app, server, document };
}

/** A check of a value against a schema inside the document. */
function checker(document: Document): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  return (pointer) => ajv.compile({ $ref: `api#${pointer}` });
}

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

function replySchema(path: string, method: string, status: number, media: string): string {
  return `/paths/${escaped(path)}/${method}/responses/${status}/content/${escaped(media)}/schema`;
}

test('the document is valid OpenAPI 3.1.0, version 2.0.0', async () => {
  const { server, document } = await described();
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result).toMatchObject({ valid: true });
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '2.0.0']);
  await server.close();
});

test('it names the components of the specification and its security schemes', async () => {
  const { server, document } = await described();
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
  await server.close();
});

test('it documents every operation there is, the two HEADs among them, and no other', async () => {
  const { server, document } = await described();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(operations.filter((operation) => operation.startsWith('head'))).toEqual([
    'head /api/corpora',
    'head /health',
  ]);
  expect(operations).toEqual(
    expect.arrayContaining([
      'get /api/corpora',
      'post /api/source-refs',
      'post /api/ask',
      'post /api/ask/stream',
      'get /health',
      'get /metrics',
    ]),
  );
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const url = path.replace(/\{[a-z_]+\}/g, 'x');
    expect(
      server.hasRoute({ method: method.toUpperCase() as 'GET', url: path.replace(/\{([a-z_]+)\}/g, ':$1') }),
    ).toBe(true);
    const options = await server.inject({ method: 'OPTIONS', url });
    expect(String(options.headers.allow).split(', ')).toContain(method.toUpperCase());
  }
  await server.close();
});

test('each example fits its schema', async () => {
  const { server, document } = await described();
  const check = checker(document);
  let examples = 0;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const contents: [string, Record<string, { example?: unknown }>][] = Object.entries(
        operation.responses,
      ).map(([status, reply]) => [`responses/${status}`, reply.content ?? {}]);
      contents.push(['requestBody', operation.requestBody?.content ?? {}]);
      for (const [place, content] of contents)
        for (const [media, { example }] of Object.entries(content)) {
          if (example === undefined) continue;
          examples++;
          const validate = check(
            `/paths/${escaped(path)}/${method}/${place}/content/${escaped(media)}/schema`,
          );
          expect([path, validate(example), validate.errors]).toEqual([path, true, null]);
        }
    }
  expect(examples).toBeGreaterThan(8);
  await server.close();
});

const requests: Record<string, { url: string; payload?: unknown }> = {
  'get /api/corpora': { url: '/api/corpora' },
  'post /api/source-refs': { url: '/api/source-refs', payload: { query: 'a' } },
  'get /api/graph/stats': { url: '/api/graph/stats' },
  'post /api/ask': { url: '/api/ask', payload: { query: 'a' } },
  'post /api/ask/stream': { url: '/api/ask/stream', payload: { query: 'a' } },
};

/** Holds a reply against what the document says of its operation and status. */
async function holds(
  document: Document,
  operation: string,
  reply: { statusCode: number; body: string; headers: Record<string, unknown> },
) {
  const [method = '', path = ''] = operation.split(' ');
  const media = String(reply.headers['content-type']).split(';')[0] ?? '';
  const documented = document.paths[path]?.[method]?.responses[reply.statusCode];
  expect([operation, reply.statusCode, Object.keys(documented?.content ?? {})]).toEqual([
    operation,
    reply.statusCode,
    [media],
  ]);
  const validate = checker(document)(replySchema(path, method, reply.statusCode, media));
  const value: unknown = media === 'application/json' ? JSON.parse(reply.body) : reply.body;
  expect([operation, validate(value), validate.errors]).toEqual([operation, true, null]);
  for (const name of Object.keys(documented?.headers ?? {}))
    if (!/RateLimit/.test(name))
      expect([name, reply.headers[name.toLowerCase()]]).toEqual([name, expect.anything()]);
}

test.each(Object.keys(requests))('%s: each reply fits what is documented', async (operation) => {
  const { app, server, document } = await described();
  const [method = '', path = ''] = operation.split(' ');
  const send = (over: object = {}) =>
    server.inject({
      method: method.toUpperCase() as 'GET',
      url: path,
      payload: requests[operation]?.payload as object,
      ...over,
    });
  await holds(document, operation, await send());
  if (method !== 'post') return void (await server.close());
  await holds(document, operation, await send({ payload: { query: 5, history: 1, limit: 'x' } }));
  await holds(
    document,
    operation,
    await send({ payload: '{', headers: { 'content-type': 'application/json' } }),
  );
  await holds(document, operation, await send({ payload: 'a', headers: { 'content-type': 'text/plain' } }));
  await holds(document, operation, await send({ payload: { query: 'a'.repeat(3 * 1024 * 1024) } }));
  await holds(document, operation, await send({ payload: { query: 'a', corpus_id: 'none' } }));
  for (const code of Object.keys(failureCodes) as FailureCode[]) {
    const failure = new Failure(code, 'Something specific.');
    app.parts = () => {
      throw failure;
    };
    app.sourceRefs = async () => {
      throw failure;
    };
    const reply = await send();
    expect(reply.statusCode).toBe(statusOf[code]);
    // Nothing that looks a passage up can meet a conflict, or what was answered before.
    if (![409, 410].includes(reply.statusCode) || path !== '/api/source-refs')
      await holds(document, operation, reply);
  }
  app.parts = () => {
    throw new Error('secret');
  };
  app.sourceRefs = async () => {
    throw new Error('secret');
  };
  const broken = await send();
  expect(broken.body).not.toContain('secret');
  await holds(document, operation, broken);
  await server.close();
});

test('the rest of the operations reply as documented', async () => {
  const { app, server, document } = await described();
  const gate = Promise.withResolvers<void>();
  app.parts = async function* (input) {
    yield* partsOf(input).slice(0, 2);
    await gate.promise;
    yield* partsOf(input).slice(2);
  };
  const asked = server
    .inject({ method: 'POST', url: '/api/ask', payload: { query: 'a' } })
    .then((reply) => reply);
  await eventually(() => expect(app.asked).toHaveLength(1));
  const url = `/api/ask/stream/${app.asked[0]?.request_id}`;
  const resumed = server.inject(url).then((reply) => reply);
  const cancelled = await server.inject({ method: 'DELETE', url });
  expect([cancelled.statusCode, cancelled.body]).toEqual([204, '']);
  gate.resolve();
  await asked;
  await holds(document, 'get /api/ask/stream/{request_id}', await resumed);
  await holds(document, 'get /api/ask/stream/{request_id}', await server.inject(url));
  await holds(
    document,
    'delete /api/ask/stream/{request_id}',
    await server.inject({ method: 'DELETE', url }),
  );
  await holds(document, 'get /api/ask/ws', await server.inject('/api/ask/ws'));
  await holds(document, 'get /metrics', await server.inject('/metrics'));
  for (const state of ['ok', 'degraded', 'down'] as const) {
    app.state = state;
    const health = await server.inject('/health');
    expect(health.statusCode).toBe(state === 'down' ? 503 : 200);
    const validate = checker(document)(replySchema('/health', 'get', health.statusCode, 'application/json'));
    expect([validate(health.json()), validate.errors]).toEqual([true, null]);
  }
  await server.close();
});

test('the texts and the consumer contract name every operation', async () => {
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
  await server.close();
});

test('the reference and its assets are served here, under a policy that lets in nothing else', async () => {
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
  await server.close();
});
