import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { CreateApiKeyRequest, KeyIdPath } from '../../src/admin/api-keys.ts';
import { AuditLogQuery } from '../../src/admin/audit-log.ts';
import { ChunksQuery, DocIdPath } from '../../src/admin/documents.ts';
import { BackfillQuery } from '../../src/admin/embeddings.ts';
import { QueryLogQuery } from '../../src/admin/query-log.ts';
import { AskRequest } from '../../src/http/ask-schemas.ts';
import {
  assertWordable,
  type Fault,
  type RequestSchemas,
  ValidationFailure,
  validateRequest,
} from '../../src/http/validation.ts';

type Given = { params?: object; query?: object; body?: unknown };

function check(
  schemas: RequestSchemas,
  { params = {}, query = {}, body }: Given,
): { params: unknown; query: unknown; body: unknown } | Fault[] {
  try {
    return validateRequest(schemas, {
      params,
      query,
      body: body === undefined ? undefined : { ok: true, value: body },
    });
  } catch (error) {
    if (error instanceof ValidationFailure) return error.faults;
    throw error;
  }
}

const messages = (faults: unknown): string[] =>
  (faults as Fault[]).map((fault) => `${fault.loc.join('.')} ${fault.type}`);

test('applies defaults to path, query and body parameters, and converts their text', () => {
  expect(check({ querystring: QueryLogQuery }, {})).toMatchObject({ query: { limit: 50, offset: 0 } });
  expect(
    check(
      { querystring: QueryLogQuery },
      { query: { limit: ' 500 ', offset: '0', has_error: 'On', mode: '', search: 'а' } },
    ),
  ).toMatchObject({ query: { limit: 500, offset: 0, has_error: true, mode: '', search: 'а' } });
  expect(
    check(
      { params: DocIdPath, querystring: ChunksQuery },
      { params: { doc_id: '7' }, query: { limit: '200' } },
    ),
  ).toMatchObject({ params: { doc_id: 7 }, query: { limit: 200, offset: 0 } });
  expect(check({ params: DocIdPath }, { params: { doc_id: '9'.repeat(60) } })).toMatchObject({
    params: { doc_id: Number.MAX_SAFE_INTEGER },
  });
  expect(check({ body: CreateApiKeyRequest }, { body: { name: 'n' } })).toMatchObject({
    body: { name: 'n', corpus_ids: [], rate_limit_rpm: 30, rate_limit_rph: 300 },
  });
});

test('uses the last value of a repeated query parameter', () => {
  expect(check({ querystring: ChunksQuery }, { query: { limit: ['x', '3'] } })).toMatchObject({
    query: { limit: 3 },
  });
  expect(messages(check({ querystring: ChunksQuery }, { query: { limit: ['3', 'x'] } }))).toEqual([
    'query.limit int_parsing',
  ]);
});

test.each([
  [QueryLogQuery, { limit: '0' }, 'query.limit greater_than_equal'],
  [QueryLogQuery, { limit: '501' }, 'query.limit less_than_equal'],
  [QueryLogQuery, { limit: '' }, 'query.limit int_parsing'],
  [QueryLogQuery, { limit: 'true' }, 'query.limit int_parsing'],
  [QueryLogQuery, { offset: '-1' }, 'query.offset greater_than_equal'],
  [QueryLogQuery, { offset: '1.5' }, 'query.offset int_parsing'],
  [ChunksQuery, { limit: '201' }, 'query.limit less_than_equal'],
  [AuditLogQuery, { limit: '501' }, 'query.limit less_than_equal'],
  [BackfillQuery, { batch_size: '0' }, 'query.batch_size greater_than_equal'],
  [BackfillQuery, { batch_size: '201' }, 'query.batch_size less_than_equal'],
  [QueryLogQuery, { has_error: 'maybe' }, 'query.has_error bool_parsing'],
  [QueryLogQuery, { has_error: '' }, 'query.has_error bool_parsing'],
  [QueryLogQuery, { has_error: '2' }, 'query.has_error bool_parsing'],
  [QueryLogQuery, { has_error: ' true' }, 'query.has_error bool_parsing'],
])('rejects a query parameter outside its bounds', (querystring, query, fault) => {
  expect(messages(check({ querystring }, { query }))).toEqual([fault]);
});

test('accepts the same spellings of booleans as pydantic', () => {
  const meant = (has_error: string) => check({ querystring: QueryLogQuery }, { query: { has_error } });
  for (const word of ['true', 'True', '1', 'yes', 'on', 't', 'Y'])
    expect(meant(word)).toMatchObject({ query: { has_error: true } });
  for (const word of ['false', 'FALSE', '0', 'no', 'off', 'f', 'N'])
    expect(meant(word)).toMatchObject({ query: { has_error: false } });
});

test("rejects a non-integer path parameter with pydantic's message", () => {
  expect(check({ params: KeyIdPath }, { params: { key_id: 'abc' } })).toEqual([
    {
      type: 'int_parsing',
      loc: ['path', 'key_id'],
      msg: 'Input should be a valid integer, unable to parse string as an integer',
      input: 'abc',
    },
  ]);
});

test('reports errors in the path, query and body together, in that order', () => {
  const schemas = { params: DocIdPath, querystring: ChunksQuery, body: CreateApiKeyRequest };
  expect(
    messages(
      check(schemas, { params: { doc_id: 'x' }, query: { limit: '0', offset: 'y' }, body: { name: '' } }),
    ),
  ).toEqual([
    'path.doc_id int_parsing',
    'query.limit greater_than_equal',
    'query.offset int_parsing',
    'body.name string_too_short',
  ]);
  expect(messages(check(schemas, { params: { doc_id: 'x' } }))).toEqual([
    'path.doc_id int_parsing',
    'body missing',
  ]);
});

test('reports at most 100 errors', () => {
  const result = check({ body: CreateApiKeyRequest }, { body: { corpus_ids: Array(5000).fill(1) } });
  expect(messages(result)).toHaveLength(100);
});

test('the error for a missing query parameter has no input; for a missing field it has the enclosing object', () => {
  const schema = Type.Object({ a: Type.Integer() });
  expect(check({ querystring: schema, body: schema }, { body: { b: 1 } })).toEqual([
    { type: 'missing', loc: ['query', 'a'], msg: 'Field required', input: null },
    { type: 'missing', loc: ['body', 'a'], msg: 'Field required', input: { b: 1 } },
  ]);
});

test('rejects a schema keyword without an error message when the route is registered', () => {
  for (const schema of [
    Type.Number(),
    Type.String({ format: 'email' }),
    Type.Array(Type.String(), { minItems: 1 }),
    Type.Union([Type.String(), Type.Integer()]),
    Type.Object({ a: Type.Object({ b: Type.Integer({ multipleOf: 2 }) }) }),
    Type.Object({}, { additionalProperties: false }),
  ])
    expect(() => assertWordable(schema)).toThrow(TypeError);
  for (const schema of [AskRequest, CreateApiKeyRequest, QueryLogQuery, DocIdPath]) assertWordable(schema);
});
