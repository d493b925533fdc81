/**
 * `npm run bench -- http`: what the door costs. /api/corpora beside a bare Fastify route with the same body, both
 * servers in processes of their own and measured in turn; and /health while 200 streams are open for a minute.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openApp } from '../src/app.ts';
import { configFor } from './asks.ts';
import { get, percentile, startServer, withFolder } from './speed.ts';

const connections = 32;
const rounds = 5;
const roundMs = 2000;
const streams = 200;
const heldS = 60;
/** An answer takes as long as its stream is held, and what opening all of them takes. */
const answerS = heldS + 5;
const healthEveryMs = 50;

const doors = fileURLToPath(new URL('doors.ts', import.meta.url));
const samples = fileURLToPath(new URL('../samples/', import.meta.url));

export async function http(): Promise<Record<string, unknown>[]> {
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    const app = await openApp(configFor(data));
    for (const name of ['krk_2026', 'reestr_texts']) {
      const path = join(samples, name);
      await app.ingest({ path, corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' });
    }
    await app.close();
    return [await corpora(data), await heldStreams(data)];
  });
}

/** Requests a second of both, the median of rounds taken in turn. */
async function corpora(data: string): Promise<Record<string, unknown>> {
  const server = await startServer(data);
  const body = await get(`${server.url}/api/corpora`);
  const bare = await door('bare', []);
  bare.child.stdin!.end(body);
  const bareUrl = await bare.url;
  const rates: Record<'bare' | 'service', number[]> = { bare: [], service: [] };
  try {
    for (let round = 0; round <= rounds; round++) {
      const pair = [await requestsPerSecond(bareUrl), await requestsPerSecond(server.url)] as const;
      // The first round only warms up.
      if (round === 0) continue;
      rates.bare.push(pair[0]);
      rates.service.push(pair[1]);
    }
  } finally {
    bare.child.kill();
    await server.stop();
  }
  const [reference, measured] = [percentile(rates.bare, 0.5), percentile(rates.service, 0.5)];
  return {
    what: '/api/corpora',
    body_bytes: Buffer.byteLength(body),
    bare_per_s: Math.round(reference),
    per_s: Math.round(measured),
    ratio: measured / reference,
  };
}

/** One request in flight on each connection; replies are counted by their bytes, which are always as many. */
async function requestsPerSecond(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const request = `GET /api/corpora HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`;
  let replies = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      let size = 0;
      let got = 0;
      const ended = Promise.withResolvers<void>();
      socket.on('error', ended.reject);
      socket.on('data', (bytes) => {
        got += bytes.length;
        if (size === 0) size = replySize(bytes);
        if (got < size) return;
        got = 0;
        replies++;
        if (performance.now() - begun < roundMs) socket.write(request);
        else {
          socket.destroy();
          ended.resolve();
        }
      });
      socket.write(request);
      await ended.promise;
    }),
  );
  return replies / ((performance.now() - begun) / 1000);
}

/** Head and body of a reply, of which at least the head has come. */
function replySize(bytes: Buffer): number {
  const head = bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || length === undefined) throw new Error(`not a reply: ${head}`);
  return head.length + 4 + Number(length);
}

/** /health every 50 ms while all streams are open, each of which gets a word a second. */
async function heldStreams(data: string): Promise<Record<string, unknown>> {
  const { child, url } = await door('slow', [data, String(answerS)]);
  try {
    const base = await url;
    let open = 0;
    let events = 0;
    let ended = 0;
    const readers = Array.from({ length: streams }, async () => {
      const reply = await fetch(`${base}/api/ask/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"Article 29"}',
      });
      if (reply.status !== 200 || reply.body === null) throw new Error(`${reply.status}`);
      open++;
      const text = reply.body.pipeThrough(new TextDecoderStream());
      for await (const part of text) {
        events += part.match(/^event: /gm)?.length ?? 0;
        if (/^event: done$/m.test(part)) ended++;
      }
      open--;
    });
    const all = Promise.all(readers);
    while (open < streams) await Promise.race([sleep(10), all]);
    const times: number[] = [];
    const until = performance.now() + heldS * 1000;
    let openAtLeast = open;
    while (performance.now() < until) {
      const start = performance.now();
      await get(`${base}/health`);
      times.push(performance.now() - start);
      openAtLeast = Math.min(openAtLeast, open);
      await sleep(healthEveryMs);
    }
    await all;
    return {
      what: '/health beside streams',
      streams_open: openAtLeast,
      streams_ended_well: ended,
      events,
      held_s: heldS,
      health_p50_ms: percentile(times, 0.5),
      health_p99_ms: percentile(times, 0.99),
      health_max_ms: Math.max(...times),
    };
  } finally {
    child.kill();
  }
}

async function door(kind: string, args: string[]): Promise<{ child: ChildProcess; url: Promise<string> }> {
  const child = spawn(process.execPath, [doors, kind, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = once(child.stdout!, 'data').then(([bytes]) => String(bytes).trim());
  return { child, url };
}
