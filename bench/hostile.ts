/**
 * `npm run bench -- hostile`: how long a single hostile request holds the main loop, and what a hundred hostile clients
 * of all kinds leave to honest ones. `npm run bench -- memory`: what 50,000 honest asks leave behind.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hashPassword } from '../src/access/admins.ts';
import { bodies, filled, fragments, fullHistory, questions, strangeWords } from '../test/hostile/corpus.ts';
import { startEventStore, startRedis } from '../test/support/own-server.ts';
import { makeLibrary } from './library.ts';
import { get, percentile, type RunningServer, startServer, withFolder } from './speed.ts';

const hostileClients = 100;
const honestClients = 10;

const clientsEntry = fileURLToPath(new URL('hostile-clients.ts', import.meta.url));
const entry = fileURLToPath(new URL('../src/docent.js', import.meta.url));

const load = () => loadavg()[0]!;

/** The number behind an option. */
function given(args: readonly string[], option: string, otherwise: number): number {
  const at = args.indexOf(option);
  return at < 0 ? otherwise : Number(args[at + 1]);
}

/** Sends a question from an address of its own, and resolves with the status and the time it took. */
async function ask(url: string, address: string, body: string, path = '/api/ask') {
  const begun = performance.now();
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body,
  });
  await reply.arrayBuffer();
  return { status: reply.status, ms: performance.now() - begun };
}

/**
 * `--chunks <number>`: how large the corpus is (26,000). `--servers`: two instances over an EventStoreDB and a Redis of their own, the clients of both kinds shared among them.
 * `--together`: the minute without the kinds by themselves; `--alone`: these without the minute. `--seconds <number>`:
 * how long the minute is (60).
 */
export async function hostile(args: readonly string[]): Promise<Record<string, unknown>[]> {
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const library = await makeLibrary(data, given(args, '--chunks', 26_000));
    const settings = {
      DOCENT_DEFAULT_CORPUS: library.corpus_id,
      DOCENT_TRUST_PROXY: '127.0.0.1',
      DOCENT_PUBLIC_RPM: '30',
      DOCENT_PUBLIC_RPH: '300',
      DOCENT_ADMINS: `olga:admin:${await hashPassword('a long password of the bench')}`,
    };
    const measure = async (servers: readonly RunningServer[]) => {
      for (const server of servers)
        for (const question of library.questions.slice(0, 50))
          await ask(server.url, '192.0.2.1', body(question));
      const alone = args.includes('--together') ? [] : await single(servers[0]!);
      const seconds = given(args, '--seconds', 60);
      return args.includes('--alone')
        ? alone
        : [...alone, ...(await together(servers, library.questions, seconds))];
    };
    if (args.includes('--servers')) return overServers(folder, data, settings, measure);
    const server = await startServer(data, settings, { probed: true });
    try {
      return await measure([server]);
    } finally {
      await server.stop();
    }
  });
}

/** Copies the history of a data folder to an EventStoreDB, and starts two instances over it and a Redis. */
async function overServers<T>(
  folder: string,
  data: string,
  settings: Record<string, string>,
  work: (servers: readonly RunningServer[]) => Promise<T>,
): Promise<T> {
  const running: { stop(): Promise<void> }[] = [];
  try {
    const eventStore = await startEventStore();
    running.push(eventStore);
    const redis = await startRedis();
    running.push(redis);
    await promisify(execFile)(process.execPath, [
      entry,
      'copy-history',
      '--from',
      data,
      '--to',
      eventStore.url,
    ]);
    const instances: RunningServer[] = [];
    for (const name of ['a', 'b']) {
      const own = join(folder, name);
      mkdirSync(own);
      const env = { ...settings, EVENTSTOREDB_URL: eventStore.url, REDIS_URL: redis.url };
      instances.push(await startServer(own, env, { probed: true }));
      running.push(instances.at(-1)!);
    }
    for (const { url } of instances) await caughtUp(url);
    return await work(instances);
  } finally {
    for (const one of running.toReversed()) await one.stop();
  }
}

/** Waits until the read models show the whole history. */
async function caughtUp(url: string): Promise<void> {
  for (;;) {
    // Down until the read models are there.
    const { projections } = JSON.parse(await get(`${url}/health`).catch(() => '{}'));
    if (projections && Object.values<{ lag_ms: number }>(projections).every(({ lag_ms }) => lag_ms === 0))
      return;
    await sleep(500);
  }
}

const body = (query: string, history: unknown[] = []) => JSON.stringify({ query, history });

/** Each kind of request by itself, the worst of five. */
async function single(server: RunningServer): Promise<Record<string, unknown>[]> {
  const requests: [kind: string, body: string, path?: string][] = [
    ...Object.entries(questions).map(([kind, query]): [string, string] => [kind, body(query)]),
    ['strange words', body(strangeWords(300).slice(0, 2000))],
    ...fragments.map((one): [string, string] => ['a fragment, repeated', body(filled([one], 2000))]),
    ...fragments.map((one): [string, string] => [
      'a full history of a fragment',
      body('а подробнее?', fullHistory(filled([one], 4000))),
    ]),
    ...Object.entries(bodies),
    ...fragments.map((one): [string, string, string] => [
      'a graph question of a fragment, repeated',
      JSON.stringify({ query: filled([one], 2000), depth: 3, limit: 200 }),
      '/api/graph/query',
    ]),
  ];
  const rows = new Map<string, Record<string, number | string>>();
  let address = 0;
  // What is compiled while it first runs is no request's own.
  for (const counted of [false, true])
    for (const [kind, sent, path] of requests) {
      await server.loop();
      const { status, ms } = await ask(
        server.url,
        `198.51.${(address >> 8) & 255}.${address++ & 255}`,
        sent,
        path,
      );
      const { heldCpuMs, heldWallMs } = await server.loop();
      if (!counted) continue;
      const row = rows.get(kind);
      const worst = (name: string, value: number) => Math.max(Number(row?.[name] ?? 0), value);
      rows.set(kind, {
        kind,
        status,
        ms: worst('ms', ms),
        held_cpu_ms: worst('held_cpu_ms', heldCpuMs),
        held_wall_ms: worst('held_wall_ms', heldWallMs),
      });
    }
  return [...rows.values(), { kind: 'load of the machine', ms: load() }];
}

/** So many seconds of all kinds at once. */
async function together(
  servers: readonly RunningServer[],
  asked: readonly string[],
  seconds: number,
): Promise<Record<string, unknown>[]> {
  for (const server of servers) await server.loop();
  const urls = servers.map(({ url }) => url);
  const clients = fork(clientsEntry, [urls.join(','), String(hostileClients), String(seconds)]);
  await once(clients, 'message');
  const answered = once(clients, 'message');
  clients.send('begin');
  const times: { at: number; ms: number }[] = [];
  const statuses: Record<string, number> = {};
  const memory = servers.map(() => 0);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: honestClients }, async (_, i) => {
      // Within the limit of an address.
      await sleep(i * 210);
      for (let n = 0; performance.now() < begun + seconds * 1000; n++) {
        const at = performance.now() - begun;
        const url = urls[i % urls.length]!;
        const { status, ms } = await ask(
          url,
          `203.0.113.${i}`,
          body(`${asked[(i * 40 + n) % asked.length]}`),
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        times.push({ at, ms });
        for (const [k, server] of servers.entries()) memory[k] = Math.max(memory[k]!, server.memoryMb());
        await sleep(Math.max(0, 2_100 - ms));
      }
    }),
  );
  const [reply] = await answered;
  process.stderr.write(`hostile clients were answered: ${JSON.stringify(reply)}\n`);
  const slowest = [...times].sort((a, b) => b.ms - a.ms).slice(0, 8);
  process.stderr.write(
    `slowest: ${slowest.map(({ at, ms }) => `${Math.round(ms)} ms at ${(at / 1000).toFixed(1)} s`).join(', ')}\n`,
  );
  const all = times.map(({ ms }) => ms);
  const rows: Record<string, unknown>[] = [
    {
      kind: `${hostileClients} hostile clients, ${seconds} s`,
      honest: all.length,
      statuses: JSON.stringify(statuses),
      p50_ms: percentile(all, 0.5),
      p99_ms: percentile(all, 0.99),
      load: load(),
    },
  ];
  for (const [k, server] of servers.entries()) {
    const { heldCpuMs, heldWallMs } = await server.loop();
    const { rssMb, anonymousMb, threads } = await server.memory();
    const kind = `instance ${k + 1}`;
    rows.push({ kind, memory_mb: memory[k], held_cpu_ms: heldCpuMs, held_wall_ms: heldWallMs });
    rows.push({ kind: `${kind} afterwards`, memory_mb: rssMb, anonymous_mb: anonymousMb });
    for (const { thread, usedMb, heapMb, externalMb } of threads)
      rows.push({ kind: `${kind}: ${thread}`, used_mb: usedMb, heap_mb: heapMb, external_mb: externalMb });
  }
  return rows;
}

/**
 * Memory after each so many asks, each of another question. `--asks <number>` (50,000), `--rate <number>`: asks a second
 * at most, for a machine that has other work too.
 */
export async function memory(args: readonly string[]): Promise<Record<string, unknown>[]> {
  const asks = given(args, '--asks', 50_000);
  const betweenMs = 1000 / given(args, '--rate', Number.POSITIVE_INFINITY);
  const atOnce = 16;
  const block = 5_000;
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const library = await makeLibrary(data, 5_000);
    const server = await startServer(data, { DOCENT_DEFAULT_CORPUS: library.corpus_id }, { probed: true });
    const rows: Record<string, unknown>[] = [];
    try {
      const started = performance.now();
      let next = 0;
      /** At the end of the first ones: by then all that is kept of answers is full. */
      let base = 0;
      while (next < asks) {
        const until = Math.min(asks, next + block);
        const samples: number[] = [];
        const begun = performance.now();
        await Promise.all(
          Array.from({ length: atOnce }, async () => {
            while (next < until) {
              const n = next++;
              await sleep(Math.max(0, started + n * betweenMs - performance.now()));
              const words = library.questions[n % library.questions.length]!;
              await answered(server.url, body(`${words} ${n}`));
              if (n % 50 === 0) samples.push(server.memoryMb());
            }
          }),
        );
        if (rows.length === 0) base = mean(samples.slice(-samples.length / 10));
        const per_s = (block * 1000) / (performance.now() - begun);
        const { anonymousMb, threads } = await server.memory();
        rows.push({
          asks: next,
          mean_mb: mean(samples),
          of_first: mean(samples) / base,
          anonymous_mb: anonymousMb,
          ...Object.fromEntries(
            threads.map(({ thread, usedMb, heapMb, externalMb }, n) => [
              `${n} ${thread}: used/heap/external`,
              [usedMb, heapMb, externalMb].map(Math.round).join('/'),
            ]),
          ),
          per_s,
          load: load(),
        });
        process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
      }
    } finally {
      await server.stop();
    }
    return rows;
  });
}

const triesMax = 30;

/**
 * Asks until it is answered: a machine that others are busy on too has moments without time for anybody, and where it
 * stood still a connection that was kept has ended meanwhile.
 */
async function answered(url: string, sent: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reply = await ask(url, '127.0.0.1', sent).catch((error: unknown) => {
      if (tries === triesMax) throw error;
      return null;
    });
    if (reply?.status === 200) return;
    if (reply !== null && reply.status !== 503 && reply.status !== 504)
      throw new Error(`An ask was answered ${reply.status}.`);
    await sleep(1_000);
  }
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
