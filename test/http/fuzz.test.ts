/**
 * Sends generated requests, valid and invalid. No reply may be a 5xx, and each must match its operation in the OpenAPI
 * document. FUZZ_RUNS sets the number of requests (20,000 for the long run).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildServer } from '../../src/http/server.ts';
import { documented } from './documented.ts';
import { FakeApp, patient } from './fake-app.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 1500);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    'krk_2026',
    'reestr_texts',
    'brief',
    'user',
    'a'.repeat(101),
    '😀'.repeat(2001),
    'x'.repeat(40_000),
  ),
);
const anything = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false, '5', ' 5 ', '5.0', '1e3', Number.MAX_VALUE, -0),
  fc
    .anything({ maxDepth: 3, withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify(value) ?? 'null')),
);
const turn = fc.record(
  { role: fc.oneof(fc.constantFrom('user', 'assistant'), anything), content: fc.oneof(text, anything) },
  { requiredKeys: [] },
);
const fields = fc.record(
  {
    query: fc.oneof(text, anything),
    question: fc.oneof(text, anything),
    corpus_id: fc.oneof(text, anything),
    style: fc.oneof(text, anything),
    limit: anything,
    history: fc.oneof(fc.array(fc.oneof(turn, anything), { maxLength: 23 }), anything),
    __proto__: anything,
    constructor: anything,
  },
  { requiredKeys: [] },
);
/** Mostly valid, so that many requests pass validation. */
const valid = fc.record(
  {
    query: fc.string({ minLength: 1, maxLength: 2000, unit: 'grapheme' }),
    corpus_id: fc.constantFrom(null, 'krk_2026', 'reestr_texts', 'none'),
    style: fc.constantFrom(null, 'brief', 'quotes', 'compare', 'analytic'),
    limit: fc.integer({ min: 1, max: 20 }),
    history: fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string({ maxLength: 50 }) }),
      { maxLength: 20 },
    ),
  },
  { requiredKeys: ['query'] },
);
const json = fc
  .oneof({ weight: 4, arbitrary: fields }, { weight: 2, arbitrary: valid }, anything)
  .map((value) => JSON.stringify(value) ?? '');
/** JSON with a piece removed, inserted or changed, and random text. */
const body = fc.oneof(
  { weight: 5, arbitrary: json.map((whole) => Buffer.from(whole)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(json, fc.nat(), fc.nat(5), fc.string({ unit: 'binary', maxLength: 4 }))
      .map(([whole, at, cut, put]) => {
        const from = at % (whole.length + 1);
        return Buffer.from(whole.slice(0, from) + put + whole.slice(from + cut));
      }),
  },
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
const segment = fc.oneof(
  fc.constantFrom('api', 'ask', 'stream', 'corpora', 'admin', 'health', '..', '%00', '%zz', ''),
  fc.string({ unit: 'binary', maxLength: 8 }).map((s) => (s.isWellFormed() ? encodeURIComponent(s) : 'x')),
);
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/api/ask', '/api/ask/stream', '/api/source-refs') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/api/corpora',
      '/health',
      '/metrics',
      '/api/ask/ws',
      '/api/openapi.json',
      '/docs',
      '/llms.txt',
    ),
  },
  { weight: 2, arbitrary: segment.map((id) => `/api/ask/stream/${id}`) },
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.string({ maxLength: 12 }).map((s) => `?${encodeURIComponent(s)}&limit=%zz&limit=2`),
);
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'nonsense',
      'application/x+json',
    ),
    'idempotency-key': fc.constantFrom('', 'k', 'l'.repeat(500)),
    'last-event-id': fc.constantFrom('x', 'x:1', ':', '9'.repeat(40)),
    accept: fc.constantFrom('*/*', 'text/event-stream', 'image/png'),
    origin: fc.constantFrom('null', 'https://a.example'),
    'access-control-request-method': fc.constantFrom('POST', 'BREW'),
    'x-api-key': fc.constantFrom('', 'dk_x'),
  },
  { requiredKeys: ['content-type'] },
);

test(`${runs} generated requests get no 5xx and no reply that violates its schema`, async () => {
  const server = buildServer(new FakeApp(), {
    corsOrigins: '*',
    trustProxy: false,
    loopDelayMsMax: patient,
  });
  const { operationOf, misfit } = documented((await server.inject('/api/openapi.json')).json());
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(method, path, query, headers, body, async (verb, url, search, sent, payload) => {
      const bodiless = verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS';
      const reply = await server.inject({
        method: verb,
        url: url + search,
        headers: sent,
        ...(!bodiless && { payload }),
      });
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1);
      expect(reply.statusCode).toBeLessThan(500);
      expect(reply.headers['x-request-id']).toEqual(expect.any(String));
      const operation = operationOf(url, verb.toLowerCase());
      const media = String(reply.headers['content-type']).split(';')[0] ?? '';
      if (operation === null) {
        // The reply for a page is HTML.
        if (reply.statusCode >= 400 && verb !== 'HEAD' && media !== 'text/html')
          expect(reply.json()).toEqual({ detail: expect.any(String) });
        return;
      }
      expect([operation.name, reply.statusCode, misfit(operation, reply)]).toEqual([
        ...[operation.name, reply.statusCode, null],
      ]);
    }),
    { numRuns: runs },
  );
  // The run is useful only if some requests passed validation and some failed.
  for (const status of [200, 404, 405, 415, 422]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  await server.close();
});
