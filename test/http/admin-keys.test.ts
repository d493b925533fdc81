import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { buildServer } from '../../src/http/server.ts';
import { eventually } from '../support/eventually.ts';
import { type OpenedDoor, openDoor, send } from './admin-door.ts';
import { patient } from './fake-app.ts';

let door: OpenedDoor;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.close());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const create = async (body: Record<string, unknown> = {}): Promise<{ key: string; key_id: number }> =>
  (await door.call('POST', '/admin/api/api-keys', { name: 'Portal', ...body })).body;
const ask = (key: string | undefined, body: Record<string, unknown> = {}) =>
  door.call(
    'POST',
    '/api/source-refs',
    { query: 'fish', ...body },
    key === undefined ? {} : { 'x-api-key': key },
  );

test('a key is shown once, listed by its prefix, used, and revoked', async () => {
  const { status, body: made } = await door.call('POST', '/admin/api/api-keys', { name: 'Portal' });
  expect(status).toBe(201);
  const record = {
    key_id: 1,
    name: 'Portal',
    owner_email: null,
    prefix: made.key.slice(0, 10),
    corpus_ids: [],
    rate_limit_rpm: 30,
    rate_limit_rph: 300,
    created_at: time,
    created_by: 'olga',
    revoked_at: null,
    revoked_by: null,
    last_used_at: null,
    request_count: 0,
  };
  expect(made).toEqual({ ...record, key: expect.stringMatching(/^dk_[\w-]{43}$/) });
  const second = await create({
    name: 'Bot',
    owner_email: 'bot@example.org',
    corpus_ids: ['krk_2026', 'krk_2026'],
    rate_limit_rpm: 1000,
    rate_limit_rph: 10_000,
  });
  expect(second).toMatchObject({ key_id: 2, owner_email: 'bot@example.org', corpus_ids: ['krk_2026'] });

  expect((await ask(made.key)).status).toBe(200);
  await door.call(
    'POST',
    '/api/ask',
    { query: 'When does the fish market open?' },
    { 'x-api-key': made.key },
  );
  const list = (await door.call('GET', '/admin/api/api-keys')).body;
  expect(list).toMatchObject({ total: 2, items: [{ key_id: 2 }, { key_id: 1 }] });
  expect(list.items[1]).toEqual({ ...record, last_used_at: time, request_count: 2 });
  expect(JSON.stringify(list)).not.toContain(made.key.slice(0, 11));

  const revoke = (id: unknown) => door.call('POST', `/admin/api/api-keys/${id}/revoke`);
  const revoked = await revoke(1);
  expect(revoked).toMatchObject({
    status: 200,
    body: { key_id: 1, revoked_at: time, revoked_by: 'olga', request_count: 2 },
  });
  expect(await ask(made.key)).toMatchObject({ status: 401, body: { detail: 'The API key is not valid.' } });
  expect((await revoke(1)).body).toEqual(revoked.body);
  const { items } = (await door.call('GET', '/admin/api/audit-log')).body;
  expect(
    items.map((entry: { action: string; target: string }) => [entry.action, entry.target]).slice(0, 3),
  ).toEqual([
    ['api_key.revoke', '1'],
    ['api_key.create', '2'],
    ['api_key.create', '1'],
  ]);
  expect(JSON.stringify(items)).not.toContain(made.key);
});

test('rejects a key for an unknown corpus and gives the reason', async () => {
  const msg = 'Value error, there is no corpus with this name';
  expect(await door.call('POST', '/admin/api/api-keys', { name: 'x', corpus_ids: ['none'] })).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'value_error', loc: ['body', 'corpus_ids', 0], msg, input: 'none' }] },
  });
});

test('a key works only within its scope, and its requests are checked in a fixed order', async () => {
  await door.call('POST', '/admin/api/corpora', { corpus_id: 'side', title: 'Side' });
  const { key } = await create({ corpus_ids: ['side'], rate_limit_rpm: 1 });
  expect((await ask(key, { corpus_id: 'krk_2026' })).status).toBe(403);
  expect((await ask(key, { corpus_id: 'none' })).status).toBe(403);
  expect((await ask(key, { corpus_id: 'krk_2026', limit: 0 })).status).toBe(422);
  expect((await ask('dk_wrong', { limit: 0 })).status).toBe(401);
  expect((await ask('', {})).status).toBe(401);
  expect((await ask(undefined, { corpus_id: 'none' })).status).toBe(404);
  // None of these requests counted. Without a corpus_id, the key's only corpus is used.
  const first = await ask(key);
  expect(first).toMatchObject({
    status: 200,
    headers: { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' },
  });
  expect(await ask(key)).toMatchObject({
    status: 429,
    headers: { 'ratelimit-remaining': '0', 'retry-after': expect.stringMatching(/^(?:59|60)$/) },
    body: { detail: expect.any(String) },
  });
  expect((await ask(key, { corpus_id: 'krk_2026' })).status).toBe(403);
});

test('admits exactly 30 of a thousand simultaneous requests with a key limited to 30 a minute', async () => {
  const { key } = await create();
  const replies = await Promise.all(Array.from({ length: 1000 }, () => ask(key)));
  const counted = Object.groupBy(replies, ({ status }) => String(status));
  expect(Object.keys(counted).sort()).toEqual(['200', '429']);
  expect(counted['200']).toHaveLength(30);
});

test('stops answering on a connection once its key is revoked', async () => {
  const { key, key_id } = await create();
  await door.server.ready();
  const codes: unknown[] = [];
  const socket = await door.server.injectWS('/api/ask/ws', { headers: { 'x-api-key': key } });
  socket.on('message', (data) => {
    const { type, code } = JSON.parse(String(data));
    if (type === 'done' || type === 'error') codes.push(code ?? type);
  });
  socket.send('{"query":"fish market"}');
  await eventually(() => expect(codes).toEqual(['done']));
  await door.call('POST', `/admin/api/api-keys/${key_id}/revoke`);
  socket.send('{"query":"fish market"}');
  await eventually(() => expect(codes).toEqual(['done', 'unauthorized']));
  socket.terminate();
});

test('an answer to a request with a key can be rated only with that key', async () => {
  const [mine, other] = [await create(), await create()];
  const asked = await door.call('POST', '/api/ask', { query: 'fish market' }, { 'x-api-key': mine.key });
  const rate = async (headers: Record<string, string>) =>
    (await door.call('POST', `/api/asks/${asked.body.request_id}/rating`, { rating: 'up' }, headers)).status;
  expect(await rate({})).toBe(404);
  expect(await rate({ 'x-api-key': other.key })).toBe(404);
  expect(await rate({ 'x-api-key': 'dk_no' })).toBe(401);
  expect(await rate({ 'x-api-key': mine.key })).toBe(200);
});

test('without a key, limits apply per client address; only trusted proxies may forward addresses', async () => {
  const limits = { DOCENT_PUBLIC_RPM: 2, DOCENT_PUBLIC_RPH: 100 };
  const limited = await openDoor(limits);
  const from = (remoteAddress: string, forwarded?: string, server = limited.server) =>
    send(server, {
      method: 'POST',
      url: '/api/source-refs',
      payload: { query: 'fish' },
      remoteAddress,
      ...(forwarded && { headers: { 'x-forwarded-for': forwarded } }),
    }).then(({ status }) => status);
  expect([await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.1', '9.9.9.9')]).toEqual([
    200, 200, 429,
  ]);
  expect(await from('10.0.0.2')).toBe(200);

  const trusting = buildServer(limited.app, {
    corsOrigins: '*',
    trustProxy: '10.0.0.1',
    loopDelayMsMax: patient,
  });
  const forwarded = (client: string) => from('10.0.0.1', client, trusting);
  expect([await forwarded('9.9.9.9'), await forwarded('9.9.9.9'), await forwarded('9.9.9.9')]).toEqual([
    200, 200, 429,
  ]);
  expect(await forwarded('9.9.9.8')).toBe(200);
  expect(await from('10.0.0.2', '9.9.9.7', trusting)).toBe(200);
  expect(await from('10.0.0.2', '9.9.9.6', trusting)).toBe(429);
  // Proxies write the client address in several ways.
  const spelt = ['9.9.9.5:4711', '::ffff:9.9.9.5', '[::ffff:9.9.9.5]:443'];
  expect([await forwarded(spelt[0]!), await forwarded(spelt[1]!), await forwarded(spelt[2]!)]).toEqual([
    200, 200, 429,
  ]);
  const repeated = (client: string) =>
    trusting.inject({
      method: 'POST',
      url: '/api/ask',
      payload: { query: 'fish' },
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': client, 'idempotency-key': 'once' },
    });
  const first = await repeated('9.9.9.4:1');
  expect(first.statusCode).toBe(200);
  expect((await repeated('9.9.9.4:2')).json().request_id).toBe(first.json().request_id);
  expect((await repeated('9.9.9.3:1')).json().request_id).not.toBe(first.json().request_id);
  await trusting.close();
  await limited.close();
});

test('applies keys that another instance on the same history created or revoked', async () => {
  const other = await openApp(
    { ...readConfig({}, '/none'), DOCENT_DATA: `${door.folder}/data` },
    { asksSoon: false },
  );
  const { key, key_id } = await create();
  const known = () => {
    try {
      return other.access.authenticate(key)?.key_id ?? null;
    } catch {
      return null;
    }
  };
  const until = (wanted: number | null) => eventually(() => expect(known()).toBe(wanted));
  await until(key_id);
  await door.call('POST', `/admin/api/api-keys/${key_id}/revoke`);
  await until(null);
  expect(() => door.app.access.authenticate(key)).toThrow('not valid');
  await other.close();
});
