/**
 * The hostile clients of tools/hostile.ts, in a separate process: `node hostile-clients.ts <url> <clients> <seconds>
 * <kind> <network>`; the network is the first number of their addresses. Each client has its own address and four
 * connections, and sends each request as soon as the previous one is answered; `all` alternates between the kinds. The
 * process sends `ready` to its parent when it is loaded, begins on request, and finally reports the replies that its
 * clients received.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { bodies, filled, fragments, fullHistory, questions, strangeWords } from '../test/hostile/corpus.ts';

interface Hostile {
  address: string;
  /** Incremented with every request, so that nothing is sent twice. */
  n: number;
}

const connectionsEach = 4;
/** hostile.ts also imports this file, for the names of the kinds. */
const args = process.send ? process.argv.slice(2) : [];
const [url = 'http://127.0.0.1:1', clients = '100', seconds = '20', wanted = 'all', network = '10'] = args;
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true });
const figures: Record<string, number> = {};
const note = (answer: string | number): void => {
  figures[answer] = (figures[answer] ?? 0) + 1;
};

/** Sends a request, and resolves when its reply has ended, or with `leaves` as soon as the reply has begun. */
async function send(
  { address }: Hostile,
  path: string,
  { body, leaves = false, headers = {} }: { body?: string; leaves?: boolean; headers?: object } = {},
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = request(`${url}${path}`, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    timeout: 30_000,
  });
  sent.on('response', (reply) => {
    note(reply.statusCode ?? 0);
    if (leaves) sent.destroy();
    reply.resume();
  });
  sent.on('timeout', () => sent.destroy());
  sent.on('error', (error: NodeJS.ErrnoException) => leaves || note(error.code ?? 'error'));
  sent.on('close', () => resolve());
  sent.end(body);
  await promise;
}

/** Sends raw bytes and waits until the connection ends, or for `ms`. */
async function raw(head: string, ms: number): Promise<void> {
  const socket = connect(Number(port), hostname, () => socket.write(head));
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.on('data', (bytes) => note(String(bytes).slice(9, 12)));
  socket.on('error', () => note('reset'));
  await once(socket, 'close').catch(() => {});
  clearTimeout(timer);
}

async function talk({ address }: Hostile): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ask/ws`, {
    headers: { 'x-forwarded-for': address },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('open', () => {
    for (let i = 0; i < 200; i++)
      socket.send(pick(['{"query":5}', '[', '{"type":"cancel"}', 'x'.repeat(5000)], i));
  });
  socket.on('unexpected-response', (_request, reply) => note(reply.statusCode ?? 0));
  socket.on('close', (code) => {
    note(code);
    resolve();
  });
  socket.on('error', () => resolve());
  const timer = setTimeout(() => socket.terminate(), 5_000);
  await promise;
  clearTimeout(timer);
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
const ask = (query: string, history: unknown[] = []) => JSON.stringify({ query, history });
const mixed = (n: number) =>
  filled(
    [0, 1, 2, 3].map((i) => pick(fragments, n * 31 + i * 17)),
    2000,
  );
/** Paths whose replies are the same for all clients. */
const documents = ['/metrics', '/docs/json', '/api/openapi.json', '/llms-full.txt', '/docs/static/index.css'];

export const kinds: Record<string, (client: Hostile) => Promise<void>> = {
  questions: (client) =>
    send(client, '/api/ask', {
      body: ask(`${pick(Object.values(questions), client.n)} ${client.n}`.slice(-2000)),
    }),
  'strange words': (client) =>
    send(client, '/api/ask', { body: ask(strangeWords(300, client.n * 977).slice(0, 2000)) }),
  'source lookups': (client) =>
    send(client, '/api/source-refs', { body: JSON.stringify({ query: mixed(client.n), limit: 20 }) }),
  histories: (client) =>
    send(client, '/api/ask', {
      body: ask('а подробнее?', fullHistory(filled([pick(fragments, client.n)], 4000))),
    }),
  'unreadable bodies': (client) =>
    send(client, '/api/ask', {
      body: pick([...Object.values(bodies), `[${'1,'.repeat(500_000)}`], client.n),
    }),
  'streams left': (client) =>
    send(client, '/api/ask/stream', {
      body: ask(`Кто назначает ${strangeWords(40, client.n)}?`),
      leaves: true,
    }),
  logins: (client) =>
    send(client, '/admin/api/config', {
      headers: { authorization: `Basic ${Buffer.from(`olga:${client.n}`).toString('base64')}` },
    }),
  'wrong keys': (client) =>
    send(client, '/api/ask', { body: ask('a'), headers: { 'x-api-key': `dk_${client.n}` } }),
  'stalled bodies': ({ address }) =>
    raw(
      `POST /api/ask HTTP/1.1\r\nhost: docent\r\nx-forwarded-for: ${address}\r\n` +
        `content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"query":"${'a'.repeat(500_000)}`,
      12_000,
    ),
  'malformed requests': ({ n }) => raw(`G${'E'.repeat(n % 50)}T / HTP/9\r\nx: \u0001\r\n\r\n`, 2_000),
  frames: talk,
  'graph questions': (client) =>
    send(client, '/api/graph/query', {
      body: JSON.stringify({ query: mixed(client.n), depth: 3, limit: 200 }),
    }),
  pages: (client) =>
    send(
      client,
      pick(['/', '/graph', '/api/graph/stats', `/source/bench/${1 + (client.n % 600)}`], client.n),
    ),
  documents: (client) => send(client, pick(documents, client.n)),
  'unknown paths': (client) => send(client, `/api/${client.n}`, { body: '{}' }),
};

if (process.send) {
  process.send('ready');
  await once(process, 'message');
  const until = performance.now() + Number(seconds) * 1000;
  const names = wanted === 'all' ? Object.keys(kinds) : [wanted];
  await Promise.all(
    Array.from({ length: Number(clients) * connectionsEach }, async (_, i) => {
      const nth = i % Number(clients);
      const kind = kinds[pick(names, nth)]!;
      const client = { address: `${network}.${Math.floor(nth / 250)}.${nth % 250}.1`, n: i * 10_000 };
      while (performance.now() < until) {
        client.n++;
        await kind(client);
      }
    }),
  );
  process.send(figures, () => process.exit());
}
