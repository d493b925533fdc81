/**
 * Like fuzz.test.ts, over the real stores and all operations, including the administration: no reply may be a 5xx, and
 * each must match its operation in the OpenAPI document. FUZZ_RUNS sets the number of requests (20,000 for the long
 * run).
 */
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { aidar, olga, openDoor } from './admin-door.ts';
import { documented } from './documented.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 600);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'krk_2026',
    'main',
    'berths',
    'a'.repeat(201),
    '-',
    '../..',
    '$all',
    '"*',
  ),
);
const number = fc.oneof(
  fc.integer({ min: -2, max: 600 }),
  fc.constantFrom(1, 2, 1e15, -1e15, 2 ** 53, 0.5, Number.MAX_VALUE),
);
const anything = fc.oneof(text, number, fc.constantFrom(null, true, [], {}, [[]], ['krk_2026']));
const parameter = fc.oneof(text, number.map(String), fc.constantFrom('true', 'no', '1_0', ' 5 ', '5.0'));
const encoded = parameter.map((value) => encodeURIComponent(value.toWellFormed()));
const search = fc
  .dictionary(
    fc.constantFrom(
      'limit',
      'offset',
      'mode',
      'lang',
      'has_error',
      'search',
      'corpus_id',
      'action',
      'doc_key',
      'batch_size',
    ),
    encoded,
    { maxKeys: 4 },
  )
  .map((given) => Object.entries(given).map(([name, value]) => `${name}=${value}`));
const body = fc.record(
  {
    name: fc.oneof(fc.constant('A key'), anything),
    owner_email: anything,
    corpus_ids: anything,
    rate_limit_rpm: anything,
    rate_limit_rph: anything,
    content: fc.oneof(fc.constant('Be brief.'), anything),
    corpus_id: fc.oneof(fc.constantFrom('side', 'other'), anything),
    title: fc.oneof(fc.constant('Side'), anything),
    languages: fc.oneof(fc.constant(['en']), anything),
    layers: fc.oneof(
      fc.array(fc.record({ name: text, kind: fc.constantFrom('faq', 'x') }), { maxLength: 3 }),
      anything,
    ),
    is_active: anything,
    rating: fc.oneof(fc.constantFrom('up', 'down'), anything),
    comment: anything,
    query: fc.oneof(fc.constantFrom('fish market', 'Article 2', 'Кто?'), anything),
    question: fc.oneof(fc.constant('When does the market open?'), anything),
    answer: fc.oneof(fc.constant('At five.'), anything),
    style: fc.oneof(fc.constantFrom(null, 'brief'), anything),
    history: fc.oneof(fc.constant([{ role: 'user', content: 'The market?' }]), anything),
    limit: anything,
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
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    if (filename !== null)
      parts.push(
        `--x\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n# One\n\nTwo.\r\n`,
      );
    const whole = `${parts.join('')}--x--\r\n`;
    return cut > 8 ? whole : whole.slice(0, whole.length - cut);
  });
const headers = fc.record(
  {
    'x-api-key': fc.constantFrom('', 'dk_x'),
    'idempotency-key': fc.constantFrom('', 'k', 'l'.repeat(500)),
    'last-event-id': fc.constantFrom('x', 'x:1', ':', '9'.repeat(40)),
  },
  { requiredKeys: [] },
);
const credentials = fc.oneof(
  { weight: 8, arbitrary: fc.constant(olga) },
  { weight: 2, arbitrary: fc.constant(aidar) },
  fc.constantFrom('', 'Basic', 'Basic =', 'Bearer x'),
);

test(`${runs} generated requests get no 5xx and no reply that violates its schema`, async () => {
  const door = await openDoor();
  const { operations, misfit } = documented((await door.call('GET', '/api/openapi.json')).body);
  const asked = (await door.call('POST', '/api/ask', { query: 'fish market' })).body.request_id;
  // Forgetting a subject waits until all read models are rebuilt.
  const isLong = ({ name }: (typeof operations)[number]) => name.startsWith('delete /admin/api/subjects');
  const operation = fc.oneof(
    { weight: 300, arbitrary: fc.constantFrom(...operations.filter((one) => !isLong(one))) },
    { weight: 1, arbitrary: fc.constantFrom(...operations.filter(isLong)) },
  );
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      operation,
      fc.array(fc.oneof(fc.constantFrom('1', '2', 'krk_2026', asked), encoded), {
        minLength: 1,
        maxLength: 1,
      }),
      search,
      fc.option(fc.oneof({ weight: 9, arbitrary: body }, form)),
      headers,
      credentials,
      async ({ path, method }, [segment = '1'], parameters, payload, sent, authorization) => {
        // A segment that is empty or consists of dots would change the path.
        const value = /^\.*$/.test(segment) ? '1' : segment;
        const bodiless = method === 'get' || method === 'head';
        const type = typeof payload === 'string' ? 'multipart/form-data; boundary=x' : 'application/json';
        const reply = await door.server.inject({
          method: method.toUpperCase() as NonNullable<InjectOptions['method']>,
          url: `${path.replace(/\{[a-z_]+\}/, value)}?${parameters.join('&')}`,
          headers: { ...sent, authorization, ...(!bodiless && payload !== null && { 'content-type': type }) },
          ...(!bodiless && payload !== null && { payload }),
        });
        const { statusCode: status } = reply;
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect([path, status < 500]).toEqual([path, true]);
        expect([path, method, status, misfit({ path, method }, reply)]).toEqual([path, method, status, null]);
      },
    ),
    { numRuns: runs },
  );
  for (const status of [200, 401, 403, 404, 422]) expect([status, seen.has(status)]).toEqual([status, true]);
  await door.close();
});
