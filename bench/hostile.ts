/**
 * `npm run bench -- hostile`: how long a single hostile request holds the main loop, and what a hundred hostile clients
 * of all kinds leave to honest ones. `npm run bench -- memory`: what 50,000 honest asks leave behind.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hashPassword } from '../src/access/admins.ts';
import { bodies, filled, fragments, fullHistory, questions, strangeWords } from '../test/hostile/corpus.ts';
import { makeLibrary } from './library.ts';
import { percentile, type RunningServer, startServer, withFolder } from './speed.ts';

const chunks = 26_000;
const hostileClients = 100;
const honestClients = 10;
const seconds = 60;

const clientsEntry = fileURLToPath(new URL('hostile-clients.ts', import.meta.url));

const load = () => loadavg()[0]!;

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

export async function hostile(): Promise<Record<string, unknown>[]> {
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const library = await makeLibrary(data, chunks);
    const server = await startServer(
      data,
      {
        DOCENT_DEFAULT_CORPUS: library.corpus_id,
        DOCENT_TRUST_PROXY: '127.0.0.1',
        DOCENT_PUBLIC_RPM: '30',
        DOCENT_PUBLIC_RPH: '300',
        DOCENT_ADMINS: `olga:admin:${await hashPassword('a long password of the bench')}`,
      },
      { probed: true },
    );
    try {
      for (const question of library.questions.slice(0, 50))
        await ask(server.url, '192.0.2.1', body(question));
      return [...(await single(server)), await together(server, library.questions)];
    } finally {
      await server.stop();
    }
  });
}

const body = (query: string, history: unknown[] = []) => JSON.stringify({ query, history });

/** Each kind of request by itself, the worst of five. */
async function single(server: RunningServer): Promise<Record<string, unknown>[]> {
  const requests: [string, string][] = [
    ...Object.entries(questions).map(([kind, query]): [string, string] => [kind, body(query)]),
    ['strange words', body(strangeWords(300).slice(0, 2000))],
    ...fragments.map((one): [string, string] => ['a fragment, repeated', body(filled([one], 2000))]),
    ...fragments.map((one): [string, string] => [
      'a full history of a fragment',
      body('а подробнее?', fullHistory(filled([one], 4000))),
    ]),
    ...Object.entries(bodies),
  ];
  const rows = new Map<string, Record<string, number | string>>();
  let address = 0;
  // What is compiled while it first runs is no request's own.
  for (const counted of [false, true])
    for (const [kind, sent] of requests) {
      await server.loop();
      const { status, ms } = await ask(server.url, `198.51.${(address >> 8) & 255}.${address++ & 255}`, sent);
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

/** A minute of all kinds at once. */
async function together(server: RunningServer, asked: readonly string[]): Promise<Record<string, unknown>> {
  await server.loop();
  const clients = promisify(execFile)(
    process.execPath,
    [clientsEntry, server.url, String(hostileClients), String(seconds)],
    { maxBuffer: 2 ** 24 },
  );
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let memory = 0;
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: honestClients }, async (_, i) => {
      // Within the limit of an address.
      await sleep(i * 210);
      for (let n = 0; performance.now() < until; n++) {
        const { status, ms } = await ask(
          server.url,
          `203.0.113.${i}`,
          body(`${asked[(i * 40 + n) % asked.length]}`),
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        times.push(ms);
        memory = Math.max(memory, server.memoryMb());
        await sleep(Math.max(0, 2_100 - ms));
      }
    }),
  );
  const { stdout } = await clients;
  const loop = await server.loop();
  process.stderr.write(`hostile clients were answered: ${stdout}\n`);
  return {
    kind: `${hostileClients} hostile clients, ${seconds} s`,
    honest: times.length,
    statuses: JSON.stringify(statuses),
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
    memory_mb: memory,
    held_cpu_ms: loop.heldCpuMs,
    held_wall_ms: loop.heldWallMs,
    load: load(),
  };
}

/** Memory after each so many asks, each of another question. */
export async function memory(asks = 50_000): Promise<Record<string, unknown>[]> {
  const atOnce = 16;
  const block = 5_000;
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const library = await makeLibrary(data, 5_000);
    const server = await startServer(data, { DOCENT_DEFAULT_CORPUS: library.corpus_id }, { probed: true });
    const rows: Record<string, unknown>[] = [];
    try {
      let next = 0;
      while (next < asks) {
        const until = next + block;
        const samples: number[] = [];
        const begun = performance.now();
        await Promise.all(
          Array.from({ length: atOnce }, async () => {
            while (next < until) {
              const n = next++;
              const words = library.questions[n % library.questions.length]!;
              await answered(server.url, body(`${words} ${n}`));
              if (n % 50 === 0) samples.push(server.memoryMb());
            }
          }),
        );
        const per_s = (block * 1000) / (performance.now() - begun);
        rows.push({ asks: next, mean_mb: mean(samples), after_mb: server.memoryMb(), per_s, load: load() });
        process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
      }
    } finally {
      await server.stop();
    }
    const first = Number(rows[0]!.mean_mb);
    return rows.map((row) => ({ ...row, of_first: Number(row.mean_mb) / first }));
  });
}

/** Asks until it is answered: a machine that others are busy on too has moments without time for anybody. */
async function answered(url: string, sent: string): Promise<void> {
  for (;;) {
    const { status } = await ask(url, '127.0.0.1', sent);
    if (status === 200) return;
    if (status !== 503 && status !== 504) throw new Error(`An ask was answered ${status}.`);
    await sleep(1_000);
  }
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
