import { afterEach, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { aidar, basic, type OpenedDoor, olga, openDoor, send } from './admin-door.ts';

let door: OpenedDoor;
afterEach(() => door.close());

const challenge = 'Basic realm="docent", charset="UTF-8"';
const as = (authorization: string) => ({ authorization });

test('without right credentials nothing is said, whatever the path or the request', async () => {
  door = await openDoor({}, { library: false });
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

test('with them refusals come in their order', async () => {
  door = await openDoor({}, { library: false });
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

test('no origin is let in by a browser', async () => {
  door = await openDoor({}, { library: false });
  const reply = await door.call('GET', '/admin/api/config', undefined, { origin: 'https://a.example' });
  expect(reply.status).toBe(200);
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
});

test('failed log-ins are limited by address and counted in the audit log', async () => {
  door = await openDoor({}, { library: false });
  const log = async (name: string, remoteAddress: string, password = 'wrong') =>
    send(door.server, {
      url: '/admin/api/stats',
      remoteAddress,
      headers: as(name === 'right' ? olga : basic(name, password)),
    });
  const before = await Promise.all(
    Array.from({ length: 12 }, (_, i) => log(i % 2 ? 'olga' : `secret ${i}`, '10.0.0.1', `guess ${i}`)),
  );
  expect(before.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
  const limited = await log('right', '10.0.0.1');
  expect(limited.status).toBe(429);
  expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await log('right', '10.0.0.2')).status).toBe(200);
  await door.server.close();
  await door.app.close();

  const config = { ...readConfig({}, '/none'), DOCENT_DATA: `${door.folder}/data` };
  const app = await openApp(config);
  await app.caughtUp();
  const { items } = await app.administration.use.auditLog({
    limit: 50,
    offset: 0,
    action: 'admin.login_failed',
  });
  await app.close();
  const total = items.reduce((sum, { detail }) => sum + Number(detail.count), 0);
  expect(total).toBe(13);
  expect(new Set(items.flatMap(({ detail }) => detail.names))).toEqual(new Set(['olga']));
  expect(items.length).toBe(13);
  expect(items.every(({ actor }) => actor === 'public')).toBe(true);
  expect(JSON.stringify(items)).not.toContain('secret');
});
