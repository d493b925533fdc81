import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/context.ts';
import { openWebhookDoor } from '../../src/http/webhooks.ts';
import type { Webhook } from '../../src/ports/webhook.ts';
import { serve } from './fake-app.ts';

const received: string[] = [];
const hook: Webhook = {
  path: '/slack/events',
  isPlausible: (headers) => headers['x-signature'] !== 'none',
  receive: ({ headers, rawBody }, response) => {
    received.push(`${headers['content-type']} ${rawBody}`);
    response.end('{"ok":1}');
  },
};
const post = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } } as const;

it('a webhook passes on a body of any type unchanged, and is not in the documented interface', async () => {
  const { server } = serve({ webhooks: [hook] });
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
});

describe('a separate webhook server', () => {
  let server: HttpServer;
  let url: string;
  beforeEach(async () => {
    server = await openWebhookDoor({ host: '127.0.0.1', port: 0 }, [hook]);
    const { port } = server.server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(() => server.close());

  it('passes on posts to its webhooks, and accepts nothing else', async () => {
    const reply = await fetch(`${url}/slack/events?x=1`, { ...post, body: 'c=d' });
    expect([reply.status, await reply.text(), received.pop()]).toEqual([
      200,
      '{"ok":1}',
      'application/x-www-form-urlencoded c=d',
    ]);
    expect((await fetch(`${url}/`)).status).toBe(404);
  });

  it('limits the memory for unverified bodies', async () => {
    const large = await server.inject({ ...post, url: '/slack/events', payload: 'x'.repeat(513 * 1024) });
    expect(large.statusCode).toBe(413);
  });

  it('rejects requests that cannot come from a platform by their headers, before the body arrives', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /slack/events HTTP/1.1\r\nhost: d\r\nx-signature: none\r\ncontent-length: 500000\r\n\r\n',
    );
    const [reply] = await once(socket, 'data');
    expect(String(reply)).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
    const before = received.length;
    const headers = { ...post.headers, 'x-signature': 'none' };
    expect((await server.inject({ ...post, url: '/slack/events', headers, payload: 'x' })).statusCode).toBe(
      401,
    );
    expect(received).toHaveLength(before);
  });

  it('reports an address that cannot be bound', async () => {
    const { port } = server.server.address() as AddressInfo;
    await expect(openWebhookDoor({ host: '127.0.0.1', port }, [hook])).rejects.toMatchObject({
      code: 'unavailable',
      detail: `Cannot listen on 127.0.0.1:${port} (EADDRINUSE).`,
    });
  });
});
