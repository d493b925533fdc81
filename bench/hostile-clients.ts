/**
 * The hostile clients of bench/hostile.ts, in a process of their own: `node hostile-clients.ts <url,…> <clients>
 * <seconds>` has so many of them at work, each from an address of its own and each of one kind, for so long. It says
 * `ready` to its parent when it is loaded (that takes processor time of the machine that is measured), begins when it is
 * told to, and says at the end what they were answered.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { bodies, filled, fragments, fullHistory, questions, strangeWords } from '../test/hostile/corpus.ts';

const [urls = '', clients = '100', seconds = '60'] = process.argv.slice(2);
const figures: Record<string, Record<string, number>> = {};

function note(kind: string, answer: string | number): void {
  figures[kind] ??= {};
  figures[kind][answer] = (figures[kind][answer] ?? 0) + 1;
}

interface Hostile {
  /** The instance it attacks. */
  url: string;
  address: string;
  /** Counts up with what it sends, so that nothing is sent twice. */
  n: number;
}

async function send(kind: string, client: Hostile, path: string, body: string, headers = {}): Promise<void> {
  const reply = await fetch(`${client.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client.address, ...headers },
    body,
    signal: AbortSignal.timeout(30_000),
  });
  await reply.arrayBuffer();
  note(kind, reply.status);
}

/** Sends raw bytes and waits until the connection ends, or for `ms`. */
function raw(kind: string, client: Hostile, head: string, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { hostname, port } = new URL(client.url);
  const socket = connect(Number(port), hostname, () => socket.write(head));
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.on('data', (bytes) => note(kind, String(bytes).slice(9, 12)));
  socket.on('error', () => note(kind, 'reset'));
  socket.on('close', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
const ask = (query: string, history: unknown[] = []) => JSON.stringify({ query, history });

const kinds: Record<string, (client: Hostile, kind: string) => Promise<void>> = {
  'hostile questions': (client, kind) =>
    send(
      kind,
      client,
      '/api/ask',
      ask(`${pick(Object.values(questions), client.n)} ${client.n}`.slice(-2000)),
    ),
  'strange words': (client, kind) =>
    send(kind, client, '/api/ask', ask(strangeWords(300, client.n * 977).slice(0, 2000))),
  'mixed fragments': (client, kind) => {
    const parts = [0, 1, 2, 3].map((i) => pick(fragments, client.n * 31 + i * 17));
    return send(kind, client, '/api/source-refs', JSON.stringify({ query: filled(parts, 2000), limit: 20 }));
  },
  'full histories': (client, kind) =>
    send(
      kind,
      client,
      '/api/ask',
      ask('а подробнее?', fullHistory(filled([pick(fragments, client.n)], 4000))),
    ),
  'broken bodies': (client, kind) => send(kind, client, '/api/ask', pick(Object.values(bodies), client.n)),
  'streams left at once': async (client, kind) => {
    const leaving = new AbortController();
    const reply = await fetch(`${client.url}/api/ask/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client.address },
      body: ask(`Кто назначает ${strangeWords(40, client.n)}?`),
      signal: leaving.signal,
    });
    note(kind, reply.status);
    leaving.abort();
  },
  'wrong log-ins': async (client, kind) => {
    const credentials = Buffer.from(`olga:${client.n}`).toString('base64');
    const reply = await fetch(`${client.url}/admin/api/config`, {
      headers: { authorization: `Basic ${credentials}`, 'x-forwarded-for': client.address },
      signal: AbortSignal.timeout(30_000),
    });
    await reply.arrayBuffer();
    note(kind, reply.status);
  },
  'bodies that do not come': (client, kind) =>
    raw(
      kind,
      client,
      `POST /api/ask HTTP/1.1\r\nhost: docent\r\nx-forwarded-for: ${client.address}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"quer\r\n',
      12_000,
    ),
  'malformed requests': (client, kind) =>
    raw(kind, client, `G${'E'.repeat(client.n % 50)}T / HTP/9\r\nx: ${'\u0001'.repeat(5)}\r\n\r\n`, 2_000),
  'faulty frames': async (client, kind) => {
    const socket = new WebSocket(`${client.url.replace('http', 'ws')}/api/ask/ws`, {
      headers: { 'x-forwarded-for': client.address },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('open', () => {
      for (let i = 0; i < 200; i++)
        socket.send(pick(['{"query":5}', '[', '{"type":"cancel"}', 'x'.repeat(5000)], i));
    });
    socket.on('unexpected-response', (_request, reply) => note(kind, reply.statusCode ?? 0));
    socket.on('close', (code) => {
      note(kind, code);
      resolve();
    });
    socket.on('error', () => resolve());
    setTimeout(() => socket.terminate(), 5_000).unref();
    await promise;
  },
  'graph questions': (client, kind) => {
    const parts = [0, 1, 2].map((i) => pick(fragments, client.n * 13 + i * 7));
    const query = filled([...parts, strangeWords(20, client.n)], 2000);
    return send(kind, client, '/api/graph/query', JSON.stringify({ query, depth: 3, limit: 200 }));
  },
  'graph figures': async (client, kind) => {
    const reply = await fetch(`${client.url}/api/graph/stats`, {
      headers: { 'x-forwarded-for': client.address },
      signal: AbortSignal.timeout(30_000),
    });
    await reply.arrayBuffer();
    note(kind, reply.status);
  },
  'source pages': async (client, kind) => {
    const reply = await fetch(
      `${client.url}/source/bench/${1 + (client.n % 600)}?part=${1 + (client.n % 3)}&quote=0-99999999`,
      {
        headers: { 'x-forwarded-for': client.address },
        signal: AbortSignal.timeout(30_000),
      },
    );
    await reply.arrayBuffer();
    note(kind, reply.status);
  },
};

const names = Object.keys(kinds);
process.send?.('ready');
await once(process, 'message');
const until = performance.now() + Number(seconds) * 1000;
const instances = urls.split(',');
await Promise.all(
  Array.from({ length: Number(clients) }, async (_, i) => {
    const kind = names[i % names.length]!;
    const client: Hostile = {
      url: instances[i % instances.length]!,
      address: `10.${Math.floor(i / 250)}.${i % 250}.1`,
      n: i * 1_000,
    };
    while (performance.now() < until) {
      client.n++;
      const begun = performance.now();
      await kinds[kind]!(client, kind).catch(() => note(kind, 'failed'));
      // As fast as it is answered, but for what is refused at once: a hundred a second.
      await sleep(Math.max(0, 10 - (performance.now() - begun)));
    }
  }),
);
process.send?.(figures, () => process.exit());
