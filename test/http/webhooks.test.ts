import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Webhook } from '../../src/http/context.ts';
import { buildServer } from '../../src/http/server.ts';
import { openWebhookDoor } from '../../src/http/webhooks.ts';
import { FakeApp, patient } from './fake-app.ts';

const received: string[] = [];
const hook: Webhook = {
  path: '/slack/events',
  receive: async (headers, body) => {
    received.push(`${headers['content-type']} ${body.toString('utf8')}`);
    return { status: 200, type: 'application/json', body: '{"ok":1}' };
  },
};
const post = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
} as const;

it('hands a body on as it came, of whatever type, and is no part of the interface', async () => {
  const config = { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient, webhooks: [hook] } as const;
  const server = buildServer(new FakeApp(), config);
  const reply = await server.inject({ ...post, url: '/slack/events', payload: 'a=%20b' });
  expect([reply.statusCode, reply.body]).toEqual([200, '{"ok":1}']);
  expect(received.pop()).toBe('application/x-www-form-urlencoded a=%20b');
  expect((await server.inject('/slack/events')).statusCode).toBe(405);
  const large = await server.inject({ ...post, url: '/slack/events', payload: 'x'.repeat(3 * 1024 * 1024) });
  expect(large.statusCode).toBe(413);
  expect((await server.inject('/api/openapi.json')).body).not.toContain('slack');
  expect((await server.inject({ method: 'POST', url: '/api/ask', payload: { query: 'q' } })).statusCode).toBe(
    200,
  );
  await server.close();
});

it('has a door of its own where there is no other', async () => {
  const server = await openWebhookDoor({ host: '127.0.0.1', port: 0 }, [hook]);
  const { port } = server.address() as { port: number };
  const reply = await fetch(`http://127.0.0.1:${port}/slack/events?x=1`, { ...post, body: 'c=d' });
  expect([reply.status, await reply.text(), received.pop()]).toEqual([
    200,
    '{"ok":1}',
    'application/x-www-form-urlencoded c=d',
  ]);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});
