/**
 * Sends generated requests, valid and invalid, to the public interface and to all operations of the real service. No
 * reply may be a 5xx, and each must match its operation in the OpenAPI document. FUZZ_RUNS sets the number of requests
 * (20,000 for the long run).
 */
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { buildServer } from '../../src/http/server.ts';
import { aidar, olga, openDoor } from './admin-door.ts';
import { documented } from './documented.ts';
import { FakeApp, patient } from './fake-app.ts';

const runs = (usual: number) => Number(process.env.FUZZ_RUNS ?? usual);
const [publicRuns, serviceRuns] = [runs(1500), runs(600)];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', 'krk_2026', 'reestr_texts', 'main', 'berths', 'brief', 'user'],
    ...['-', '../..', '$all', '"*', 'a'.repeat(101), 'a'.repeat(201)],
  ),
);
const number = fc.oneof(
  fc.integer({ min: -2, max: 600 }),
  fc.constantFrom(1, 2, 1e15, -1e15, 2 ** 53, 0.5, -0, Number.MAX_VALUE),
);
const anything = fc.oneof(
  { weight: 3, arbitrary: text },
  ...[number, fc.integer(), fc.double()],
  fc.constantFrom(null, true, false, '5', ' 5 ', '5.0', '1e3', [], {}, [[]], ['krk_2026']),
  fc
    .anything({ maxDepth: 3, withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify(value) ?? 'null')),
);
const headers = {
  'idempotency-key': fc.constantFrom('', 'k', 'l'.repeat(500)),
  'last-event-id': fc.constantFrom('x', 'x:1', ':', '9'.repeat(40)),
  'x-api-key': fc.constantFrom('', 'dk_x'),
};

/** The public interface rejects long text before it does anything else. */
const long = fc.constantFrom('😀'.repeat(2001), 'x'.repeat(40_000));
const value = fc.oneof({ weight: 9, arbitrary: anything }, long);
const turn = fc.record(
  { role: fc.oneof(fc.constantFrom('user', 'assistant'), anything), content: value },
  { requiredKeys: [] },
);
const question = fc.record(
  {
    query: value,
    question: value,
    corpus_id: value,
    style: value,
    limit: value,
    history: fc.oneof(fc.array(fc.oneof(turn, anything), { maxLength: 23 }), anything),
    __proto__: anything,
    constructor: anything,
  },
  { requiredKeys: [] },
);
/** Mostly valid, so that many requests pass validation. */
const validQuestion = fc.record(
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
  .oneof({ weight: 4, arbitrary: question }, { weight: 2, arbitrary: validQuestion }, anything)
  .map((value) => JSON.stringify(value) ?? '');
/** JSON with a piece removed, inserted or changed, and random text. */
const bytes = fc.oneof(
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
const segment = fc.oneof(
  fc.constantFrom('api', 'ask', 'stream', 'corpora', 'admin', 'health', '..', '%00', '%zz', ''),
  fc.string({ unit: 'binary', maxLength: 8 }).map((s) => (s.isWellFormed() ? encodeURIComponent(s) : 'x')),
);
const publicRequest = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
  path: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('/api/ask', '/api/ask/stream', '/api/source-refs') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...['/api/corpora', '/health', '/metrics', '/api/ask/ws', '/api/openapi.json', '/docs', '/llms.txt'],
      ),
    },
    { weight: 2, arbitrary: segment.map((id) => `/api/ask/stream/${id}`) },
    fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  ),
  search: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.string({ maxLength: 12 }).map((s) => `?${encodeURIComponent(s)}&limit=%zz&limit=2`),
  ),
  headers: fc.record(
    {
      ...headers,
      'content-type': fc.constantFrom(
        ...['application/json', 'application/json', 'application/json; charset=utf-8'],
        ...['text/plain', 'nonsense', 'application/x+json'],
      ),
      accept: fc.constantFrom('*/*', 'text/event-stream', 'image/png'),
      origin: fc.constantFrom('null', 'https://a.example'),
      'access-control-request-method': fc.constantFrom('POST', 'BREW'),
    },
    { requiredKeys: ['content-type'] },
  ),
  payload: bytes,
});

test(`${publicRuns} generated public requests get no 5xx and no reply that violates its schema`, async () => {
  const server = buildServer(new FakeApp(), { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient });
  const { operationOf, misfit } = documented((await server.inject('/api/openapi.json')).json());
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(publicRequest, async ({ method, path, search, headers, payload }) => {
      const bodiless = ['GET', 'HEAD', 'OPTIONS'].includes(method);
      const reply = await server.inject({
        method: method as 'GET',
        url: path + search,
        headers,
        ...(!bodiless && { payload }),
      });
      seen.add(reply.statusCode);
      expect(reply.statusCode).toBeLessThan(500);
      expect(reply.headers['x-request-id']).toEqual(expect.any(String));
      const operation = operationOf(path, method.toLowerCase());
      const media = String(reply.headers['content-type']).split(';')[0] ?? '';
      if (operation === null) {
        // The reply for a page is HTML.
        if (reply.statusCode >= 400 && method !== 'HEAD' && media !== 'text/html')
          expect(reply.json()).toEqual({ detail: expect.any(String) });
        return;
      }
      expect([operation.name, reply.statusCode, misfit(operation, reply)]).toEqual([
        ...[operation.name, reply.statusCode, null],
      ]);
    }),
    { numRuns: publicRuns },
  );
  // The run is useful only if some requests passed validation and some failed.
  for (const status of [200, 404, 405, 415, 422]) expect([status, seen.has(status)]).toEqual([status, true]);
  await server.close();
});

const parameter = fc
  .oneof(text, number.map(String), fc.constantFrom('true', 'no', '1_0', ' 5 ', '5.0'))
  .map((value) => encodeURIComponent(value.toWellFormed()));
const parameters = fc
  .dictionary(
    fc.constantFrom(
      ...['limit', 'offset', 'mode', 'lang', 'has_error', 'search', 'corpus_id', 'action', 'doc_key'],
      'batch_size',
    ),
    parameter,
    { maxKeys: 4 },
  )
  .map((given) => Object.entries(given).map(([name, value]) => `${name}=${value}`));
/** Mostly one of these values. */
const or = (...values: unknown[]) => fc.oneof(fc.constantFrom(...values), anything);
const fields = fc.record(
  {
    name: or('A key'),
    owner_email: anything,
    corpus_ids: anything,
    is_active: anything,
    rate_limit_rpm: anything,
    rate_limit_rph: anything,
    limit: anything,
    comment: anything,
    content: or('Be brief.'),
    corpus_id: or('side', 'other'),
    title: or('Side'),
    languages: or(['en']),
    layers: fc.oneof(
      fc.array(fc.record({ name: text, kind: fc.constantFrom('faq', 'x') }), { maxLength: 3 }),
      anything,
    ),
    rating: or('up', 'down'),
    query: or('fish market', 'Article 2', 'Кто?'),
    style: or(null, 'brief'),
    question: or('When does the market open?'),
    answer: or('At five.'),
    history: or([{ role: 'user', content: 'The market?' }]),
  },
  { requiredKeys: [] },
);
/** A form with some of its fields, possibly truncated. */
const form = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom('corpus_id', 'layer', 'doc_key', 'title', 'lang', 'event_date'),
      fc.oneof(fc.constantFrom('krk_2026', 'rules', 'en', '2026-01'), text),
      { maxKeys: 3 },
    ),
    fc.constantFrom(null, 'a.md', '..', 'b.docx', 'c.jsonl'),
    fc.nat(40),
  )
  .map(([fields, filename, cut]) => {
    const part = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}\r\n\r\n${value}\r\n`;
    const parts = Object.entries(fields).map(([name, value]) => part(`${name}"`, value));
    if (filename !== null) parts.push(part(`file"; filename="${filename}"`, '# One\n\nTwo.'));
    const whole = `${parts.join('')}--x--\r\n`;
    return cut > 8 ? whole : whole.slice(0, whole.length - cut);
  });
const credentials = fc.oneof(
  { weight: 8, arbitrary: fc.constant(olga) },
  { weight: 2, arbitrary: fc.constant(aidar) },
  fc.constantFrom('', 'Basic', 'Basic =', 'Bearer x'),
);

test(`${serviceRuns} generated requests to all operations get no 5xx and no reply that violates its schema`, async () => {
  const door = await openDoor();
  const { operations, misfit } = documented((await door.call('GET', '/api/openapi.json')).body);
  const asked = (await door.call('POST', '/api/ask', { query: 'fish market' })).body.request_id;
  // Forgetting a subject waits until all read models are rebuilt.
  const isLong = ({ name }: (typeof operations)[number]) => name.startsWith('delete /admin/api/subjects');
  const request = fc.record({
    operation: fc.oneof(
      { weight: 300, arbitrary: fc.constantFrom(...operations.filter((one) => !isLong(one))) },
      { weight: 1, arbitrary: fc.constantFrom(...operations.filter(isLong)) },
    ),
    // A segment that is empty or consists of dots would change the path.
    segment: fc
      .oneof(fc.constantFrom('1', '2', 'krk_2026', asked), parameter)
      .map((value) => (/^\.*$/.test(value) ? '1' : value)),
    search: parameters,
    payload: fc.option(fc.oneof({ weight: 9, arbitrary: fields }, form)),
    sent: fc.record(headers, { requiredKeys: [] }),
    authorization: credentials,
  });
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, segment, search, payload, sent, authorization }) => {
      const { path, method } = operation;
      const hasBody = method !== 'get' && method !== 'head' && payload !== null;
      const type = typeof payload === 'string' ? 'multipart/form-data; boundary=x' : 'application/json';
      const reply = await door.server.inject({
        method: method.toUpperCase() as NonNullable<InjectOptions['method']>,
        url: `${path.replace(/\{[a-z_]+\}/, segment)}?${search.join('&')}`,
        headers: { ...sent, authorization, ...(hasBody && { 'content-type': type }) },
        ...(hasBody && { payload }),
      });
      const { statusCode: status } = reply;
      seen.add(status);
      expect([path, status < 500]).toEqual([path, true]);
      expect([path, method, status, misfit({ path, method }, reply)]).toEqual([path, method, status, null]);
    }),
    { numRuns: serviceRuns },
  );
  for (const status of [200, 401, 403, 404, 422]) expect([status, seen.has(status)]).toEqual([status, true]);
  await door.close();
});
