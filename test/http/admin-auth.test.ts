import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { aidar, basic, type OpenedDoor, olga, openDoor, send } from './admin-door.ts';

let door: OpenedDoor;
beforeAll(async () => {
  door = await openDoor({}, { library: false });
});
afterAll(() => door.close());

const challenge = 'Basic realm="docent", charset="UTF-8"';
const as = (authorization: string) => ({ authorization });

test('reveals nothing without valid credentials, regardless of path and method', async () => {
  for (const [method, url] of [
    ['GET', '/admin/api/stats'],
    ['GET', '/%61dmin/api/stats'],
    ['GET', '/admin/api/nowhere'],
    ['GET', '/admin/api'],
    ['HEAD', '/admin/api/stats'],
    ['POST', '/admin/api/stats'],
    ['POST', '/admin/api/api-keys'],
    ['GET', '/admin/api/queries?limit=0'],
  ] as const) {
    const reply = await send(door.server, { method, url });
    expect([url, reply.status]).toEqual([url, 401]);
    expect(reply.headers['www-authenticate']).toBe(challenge);
  }
  for (const header of ['', 'Basic', 'Basic !', 'Bearer abc', basic('olga', ''), 'Basic b2xnYQ=='])
    expect((await door.call('GET', '/admin/api/stats', undefined, as(header))).status).toBe(401);
  expect((await door.call('GET', '/admin/api/stats', undefined, as('Basic'))).body).toEqual({
    detail: expect.any(String),
  });
});

test('checks authenticated requests in a fixed order', async () => {
  const status = async (method: string, url: string, body?: unknown, authorization = olga) =>
    (await door.call(method, url, body, as(authorization))).status;
  expect(await status('POST', '/admin/api/nowhere', {}, aidar)).toBe(403);
  expect(await status('POST', '/admin/api/nowhere', {})).toBe(404);
  expect(await status('GET', '/admin/api/nowhere', undefined, aidar)).toBe(404);
  expect(await status('DELETE', '/admin/api/stats')).toBe(405);
  expect(await status('HEAD', '/admin/api/stats')).toBe(405);
  expect(await status('POST', '/admin/api/api-keys')).toBe(422);
  expect(await status('POST', '/admin/api/api-keys/7/revoke')).toBe(404);
  const text = { ...as(olga), 'content-type': 'text/plain' };
  expect((await door.call('POST', '/admin/api/api-keys', 'x', text)).status).toBe(415);
});

test('sends no CORS headers to foreign origins', async () => {
  const reply = await door.call('GET', '/admin/api/config', undefined, { origin: 'https://a.example' });
  expect(reply.status).toBe(200);
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
});

test('rejects cross-site changes from a browser, and allows reads and other clients', async () => {
  const host = { host: 'docent.example:8080' };
  const from = async (headers: Record<string, string>, method = 'POST', url = '/admin/api/corpora') =>
    (await door.call(method, url, undefined, { ...host, ...headers })).status;
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://docent.example:8080' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://docent.example' },
    { origin: 'http://docent.example:8081' },
    { origin: 'http://docent.example:8080.evil.example' },
    { origin: 'http://docent.example:8080, http://evil.example' },
  ];
  const changes = [
    ['POST', '/admin/api/api-keys/1/revoke'],
    ['POST', '/admin/api/backfill-embeddings'],
    ['POST', '/admin/api/documents'],
    ['POST', '/admin/api/corpora'],
    ['PUT', '/admin/api/system-prompt'],
    ['PATCH', '/admin/api/corpora/krk_2026'],
    ['DELETE', '/admin/api/documents/1'],
    ['POST', '/admin/api/nowhere'],
  ] as const;
  for (const headers of foreign) {
    for (const [method, url] of changes)
      expect([headers, url, await from(headers, method, url)]).toEqual([headers, url, 403]);
    expect(await from(headers, 'GET')).toBe(200);
  }
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://docent.example:8080' },
    { origin: 'http://DOCENT.example:8080' },
    { host: 'docent.example:443', origin: 'https://docent.example' },
  ] as Record<string, string>[])
    expect([headers, await from(headers)]).toEqual([headers, 422]);
  expect(await from({ 'sec-fetch-site': 'cross-site', ...as('') })).toBe(401);
});

test('rejects media types other than JSON even if no body is expected', async () => {
  const send = async (type: string | null, payload?: string, method = 'POST', url = 'api-keys/7/revoke') =>
    (
      await door.call(method, `/admin/api/${url}`, payload, {
        ...(type !== null && { 'content-type': type }),
      })
    ).status;
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
    for (const payload of ['', 'a=b', '{}']) {
      expect([type, payload, await send(type, payload)]).toEqual([type, payload, 415]);
      expect(await send(type, payload, 'DELETE', 'documents/7')).toBe(415);
      expect(await send(type, payload, 'POST', 'backfill-embeddings?doc_key=none')).toBe(415);
    }
  expect(await send(null)).toBe(404);
  expect(await send('application/json', '{}')).toBe(404);
  expect(await send('application/json', '')).toBe(404);
});

test('limits failed logins by name and address, and records them in the audit log', async () => {
  await door.close();
  door = await openDoor({}, { library: false });
  const log = async (name: string, remoteAddress: string, password = 'wrong') =>
    send(door.server, {
      url: '/admin/api/stats',
      remoteAddress,
      headers: as(name === 'right' ? olga : basic(name, password)),
    });
  const before = await Promise.all(
    Array.from({ length: 12 }, (_, i) => log('olga', '10.0.0.1', `guess ${i}`)),
  );
  // Only a few logins may wait at a time. After ten failures, replies no longer say whether the password was wrong.
  const told = before.filter(({ status }) => status === 401).length;
  expect([told > 0, told <= 10]).toEqual([true, true]);
  expect(before.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
  const limited = before.find(({ status }) => status === 429);
  expect(Number(limited?.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await log('right', '10.0.0.1')).status).toBe(200);
  expect((await log('right', '10.0.0.2')).status).toBe(200);
  for (let i = 0; i < 2; i++) expect((await log(`secret ${i}`, '10.0.0.1')).status).toBe(401);
  await door.server.close();
  await door.app.close();

  const config = { ...readConfig({}, '/none'), DOCENT_DATA: `${door.folder}/data` };
  const app = await openApp(config, { asksSoon: false });
  await app.caughtUp();
  const { items } = await app.admin.auditLog({ limit: 50, offset: 0, action: 'admin.login_failed' });
  await app.close();
  const total = items.reduce((sum, { detail }) => sum + Number(detail.count), 0);
  expect(total).toBe(14);
  expect(new Set(items.flatMap(({ detail }) => detail.names))).toEqual(new Set(['olga']));
  expect(items.length).toBe(14);
  expect(items.every(({ actor }) => actor === 'public')).toBe(true);
  expect(JSON.stringify(items)).not.toContain('secret');
});
