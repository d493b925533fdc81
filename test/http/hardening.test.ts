import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { cancellable, FakeApp, serve } from './fake-app.ts';

test('forbids sniffing, framing and loading of resources in every reply, including errors', async () => {
  const { server } = serve();
  for (const url of ['/api/corpora', '/none', '/api/ask', '/health', '/metrics', '/api/%zz', '/docs'])
    expect((await server.inject(url)).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
    });
});

const preflight = (url: string, origin = 'https://a.example') => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  },
});

test('by default allows any origin in the public part, and none in the administration', async () => {
  const { server } = serve();
  const asked = await server.inject({ url: '/api/corpora', headers: { origin: 'https://a.example' } });
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('x-request-id'),
  });
  const before = await server.inject(preflight('/api/ask'));
  expect([before.statusCode, before.body]).toEqual([204, '']);
  expect(before.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, x-api-key, idempotency-key, last-event-id',
  });
  for (const url of ['/admin/api/stats', '/%61dmin/api/stats', '/none']) {
    const refused = await server.inject(preflight(url));
    expect(refused.statusCode).toBe(404);
    expect(refused.headers['access-control-allow-methods']).toBeUndefined();
  }
  // A path is matched in its decoded form.
  for (const url of ['/admin/api/stats', '/%61dmin/api/stats'])
    expect((await server.inject(preflight(url))).headers['access-control-allow-origin']).toBeUndefined();
  expect((await server.inject(preflight('/api/%61sk'))).headers['access-control-allow-methods']).toBe('POST');
  const plain = await server.inject({ method: 'OPTIONS', url: '/api/ask' });
  expect([plain.statusCode, plain.headers.allow]).toEqual([405, 'POST']);
});

test('allows only the configured origins, and varies by origin for caches', async () => {
  const { server } = serve({ corsOrigins: ['https://a.example'] });
  const mine = await server.inject({ url: '/api/corpora', headers: { origin: 'https://a.example' } });
  expect(mine.headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example', vary: 'origin' });
  const other = await server.inject({ url: '/api/corpora', headers: { origin: 'https://b.example' } });
  expect(other.headers['access-control-allow-origin']).toBeUndefined();
  expect(other.headers.vary).toBe('origin');
  expect((await server.inject(preflight('/api/ask', 'https://b.example'))).statusCode).toBe(405);
});

test('rejects too many simultaneous questions with Retry-After, while the health check still replies', async () => {
  const app = new FakeApp({ asksMax: 2 });
  app.parts = cancellable(1);
  const { server } = serve({ app, drainMs: 0 });
  const ask = () =>
    server.inject({ method: 'POST', url: '/api/ask/stream', payload: { query: 'a' } }).then((reply) => reply);
  const held = [ask(), ask()];
  await eventually(() => expect(app.asked).toHaveLength(2));
  const refused = await ask();
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    503,
    '2',
    { detail: 'Too many questions are being answered; try again shortly.' },
  ]);
  expect((await server.inject('/health')).statusCode).toBe(200);
  expect((await server.inject('/metrics')).body).toMatch(/^docent_asks_running 2$/m);
  await server.close();
  await Promise.all(held);
});

/** Sends POST requests whose bodies begin and never end. */
async function openBodies(port: number, count: number, head: string, begun: string) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      const request = `POST /api/ask HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${head}\r\n\r\n${begun}`;
      await new Promise<void>((resolve) => socket.write(request, () => resolve()));
      return socket;
    }),
  );
}

const question = (address: URL) =>
  fetch(new URL('/api/ask', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"a"}',
  });

test.each([
  ['that have barely started', `content-length: ${2 * 1024 * 1024}`, '{"que'],
  ['without a stated length', 'transfer-encoding: chunked', '6\r\n{"quer\r\n'],
])('bodies %s do not use up capacity for other requests', async (_, head, begun) => {
  const { server } = serve();
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
  const sockets = await openBodies(Number(address.port), 100, head, begun);
  expect((await question(address)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('a body that is not read or never arrives affects only its own request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { server } = serve();
    const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
    const [socket] = await openBodies(Number(address.port), 1, 'content-length: 100', '{"query"');
    const answered = new Promise<string>((done) => socket!.once('data', (data) => done(String(data))));
    const arrived = once(server.server, 'request');
    await server.inject({ method: 'POST', url: '/api/asks/none/rating' });
    const question = server.inject({ method: 'POST', url: '/api/ask', payload: { query: 'a' } });
    expect((await question).statusCode).toBe(200);
    await arrived;
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(11_000);
      expect(vi.getTimerCount()).toBeLessThan(100);
    });
    expect(await answered).toMatch(/^HTTP\/1\.1 408 /);
    socket!.destroy();
  } finally {
    vi.useRealTimers();
  }
});

test('limits simultaneous connections from a network, unless it is a proxy', async () => {
  const { server } = serve({ networkConnectionsMax: 2 });
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed')));
    const answered = new Promise<'answered'>((resolve) => socket.once('data', () => resolve('answered')));
    socket.on('error', () => {});
    socket.write('GET /api/corpora HTTP/1.1\r\nhost: a\r\n\r\n');
    return { socket, closed, outcome: await Promise.race([answered, closed]) };
  };
  const first = await open();
  const second = await open();
  const third = await open();
  expect([first, second, third].map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'closed']);
  const ended = new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
  expect(await ended).toBe(2);
  for (const { socket } of [first, second]) socket.destroy();

  const { server: proxied } = serve({ trustProxy: '127.0.0.1', networkConnectionsMax: 1 });
  const address = await proxied.listen({ host: '127.0.0.1', port: 0 });
  const replies = await Promise.all([1, 2, 3].map(() => fetch(`${address}/api/corpora`)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('counts questions by corpus, channel and outcome', async () => {
  const { server } = serve();
  await server.inject({ method: 'POST', url: '/api/ask', payload: { query: 'a' } });
  await server.inject({
    method: 'POST',
    url: '/api/ask/stream',
    payload: { query: 'a', corpus_id: 'reestr_texts' },
  });
  await server.inject({ method: 'POST', url: '/api/ask', payload: { query: '' } });
  const { body, headers } = await server.inject('/metrics');
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(body).toContain(
    'docent_asks_total{corpus="krk_2026",channel="http",outcome="ordinary",cached="false"} 1\n',
  );
  expect(body).toContain(
    'docent_asks_total{corpus="reestr_texts",channel="stream",outcome="ordinary",cached="false"} 1\n',
  );
  expect(body).toContain(
    'docent_http_request_seconds_count{method="POST",route="/api/ask",status="422"} 1\n',
  );
  expect(body).toContain('docent_projection_lag_seconds{projection="chunks"} 0\n');
  expect(body).toContain('docent_component_up{component="event_log"} 1\n');
  expect(body).toContain('process_cpu_seconds_total');
});

test('rejects oversized headers in the common error format', async () => {
  const { server } = serve();
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(`${address}/api/corpora`, { headers: { 'x-filler': 'a'.repeat(20_000) } });
  expect([reply.status, await reply.json()]).toEqual([431, { detail: 'The request headers are too large.' }]);
});

test('logs one line per request at debug level, without its contents', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  try {
    const { server } = serve({ logLevel: 'debug' });
    await server.inject({ method: 'POST', url: '/api/ask?q=secret', payload: { query: 'a secret' } });
    await server.inject('/none/secret');
    await server.close();
  } finally {
    write.mockRestore();
  }
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(logged).toMatchObject([
    {
      level: 20,
      method: 'POST',
      route: '/api/ask',
      status: 200,
      ms: expect.any(Number),
      reqId: expect.any(String),
    },
    { level: 20, method: 'GET', route: 'unknown', status: 404 },
  ]);
  expect(lines.join('')).not.toContain('secret');
});

test("applies each route's body limit while the body arrives", async () => {
  const { server } = serve();
  const send = async (url: string, payload: string | Readable) =>
    (await server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } }))
      .statusCode;
  const large = '"'.padEnd(130 * 1024, 'a');
  for (const body of [large, Readable.from([large])]) expect(await send('/api/source-refs', body)).toBe(413);
  for (const body of [' '.repeat(2 ** 20 + 1), Readable.from([' '.repeat(2 ** 20), ' '])])
    expect(await send('/api/ask', body)).toBe(413);
});

test('serves shared documents from memory, and does not resend them to clients that have them', async () => {
  const { server } = serve();
  for (const url of ['/api/openapi.json', '/docs/json', '/llms.txt', '/llms-full.txt']) {
    const first = await server.inject(url);
    const etag = String(first.headers.etag);
    expect([url, first.statusCode, etag]).toEqual([url, 200, expect.stringMatching(/^"[\w-]{22}"$/)]);
    const again = await server.inject({ url, headers: { 'if-none-match': etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const zipped = await server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(first.body);
  }
  const [figures] = await Promise.all([server.inject('/metrics'), server.inject('/health')]);
  expect((await server.inject('/metrics')).body).toBe(figures.body);
});

test('counts every request against its client, regardless of its path, and health checks separately', async () => {
  const app = new FakeApp();
  const limited = { block: null, share: 0.03 };
  app.access.clientOf = (_key, address) => ({ name: address, ...limited });
  const { server } = serve({ app });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const paths = ['/metrics', '/docs/json', '/llms-full.txt', '/none', '/api/corpora'];
  const options = { method: 'OPTIONS', headers: { origin: 'https://a.example' } };
  const replies = await Promise.all([
    ...paths.map((path) => fetch(`${address}${path}`)),
    fetch(`${address}/api/ask`, options),
  ]);
  expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(2);
  const refused = replies.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(`${address}/health`)).status).toBe(200);
});

test('counts opened pages against the limit for sources', async () => {
  const app = new FakeApp();
  const counted: string[] = [];
  let allowed = true;
  app.access.count = async (purpose, _, address) => {
    counted.push(`${purpose} ${address}`);
    return { allowed, limit: 2, remaining: 0, resetS: 9, retryAfterS: 9 };
  };
  const { server } = serve({ app });
  const open = (url: string) => server.inject({ url, remoteAddress: '10.0.0.9' });
  for (const url of ['/', '/graph']) expect((await open(url)).statusCode).toBe(200);
  expect(counted).toEqual(Array(2).fill('source 10.0.0.9'));
  allowed = false;
  for (const url of ['/', '/graph']) {
    const { statusCode, headers } = await open(url);
    expect([url, statusCode, headers['retry-after']]).toEqual([url, 429, '9']);
  }
});
