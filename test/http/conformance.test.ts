import { afterAll, expect, test } from 'vitest';
import { buildServer } from '../../src/http/server.ts';
import { type Case, cases } from './conformance.ts';
import { FakeApp, patient } from './fake-app.ts';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('the table has no duplicate case', () => {
  expect(cases.length).toBeGreaterThanOrEqual(120);
  const names = cases.map((one) => one.name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

const app = new FakeApp();
const server = buildServer(app, { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient });
afterAll(() => server.close());

test.each(cases)('$name', async (one: Case) => {
  app.asked.length = app.lookedUp.length = 0;
  const raw = one.body === undefined || typeof one.body === 'string' || Buffer.isBuffer(one.body);
  const contentType =
    one.contentType === undefined && one.body !== undefined ? 'application/json' : one.contentType;
  const payload = raw ? (one.body as string | Buffer | undefined) : JSON.stringify(one.body);
  const reply = await server.inject({
    method: one.method,
    url: one.path,
    headers: contentType ? { 'content-type': contentType } : {},
    ...(payload !== undefined && { payload: Buffer.from(payload) }),
  });
  expect(reply.statusCode).toBe(one.status);
  expect(reply.headers['x-request-id']).toMatch(uuid7);
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  if (one.method === 'HEAD') expect(reply.body).toBe('');
  if (one.faults) expect(reply.json()).toEqual({ detail: JSON.parse(JSON.stringify(one.faults)) });
  if (one.detail) expect(reply.json()).toEqual({ detail: one.detail });
  for (const [name, value] of Object.entries(one.headers ?? {})) expect(reply.headers[name]).toBe(value);
  const given = [...app.asked, ...app.lookedUp].at(0);
  if (one.status === 422) expect(given).toBeUndefined();
  if (one.passed) expect({ ...given }).toMatchObject(one.passed);
});
