/**
 * `npm run bench -- hostile` measures the service quality for ten legitimate clients while a hundred hostile ones
 * attack from separate addresses, for each kind of attack and for all kinds together. Each attack is made twice: on a
 * newly started server, whose code is not compiled yet, and again from other addresses. `npm run bench -- memory`
 * measures memory use after 50,000 legitimate asks.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '../src/access/admins.ts';
import { kinds } from './hostile-clients.ts';
import { makeLibrary } from './library.ts';
import { percentile, type RunningServer, startServer, withFolder } from './speed.ts';

const hostileClients = 100;
const honestClients = 10;
/** Each logs in once, because correct credentials are remembered. */
const administrators = 3;
/** Other addresses for the second attack, because the first one has used up the limits of its addresses. */
const networks = {
  first: { hostile: '10', honest: '203.0.113' },
  second: { hostile: '11', honest: '198.51.100' },
};
const password = 'a long password of the bench';

const clientsEntry = fileURLToPath(new URL('hostile-clients.ts', import.meta.url));

const load = () => loadavg()[0]!;

/** The number after an option. */
function given(args: readonly string[], option: string, otherwise: number): number {
  const at = args.indexOf(option);
  return at < 0 ? otherwise : Number(args[at + 1]);
}

/** Sends a question from a given address, and resolves with the status and the duration. */
async function ask(url: string, address: string, body: string) {
  const begun = performance.now();
  const reply = await fetch(`${url}/api/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body,
  });
  await reply.arrayBuffer();
  return { status: reply.status, ms: performance.now() - begun };
}

/**
 * `--kind <name>`: only these kinds, separated by commas (`none`, `all` or a name); default: each one on its own
 * server, and then all together. `--seconds <number>`: the duration of each (20). `--chunks <number>`: the size of the
 * corpus (26,000).
 */
export async function hostile(args: readonly string[]): Promise<Record<string, unknown>[]> {
  const at = args.indexOf('--kind');
  const chosen = at < 0 ? [...Object.keys(kinds), 'all'] : args[at + 1]!.split(',');
  const rows: Record<string, unknown>[] = [];
  await withFolder(async (folder) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const library = await makeLibrary(data, given(args, '--chunks', 26_000));
    const hash = await hashPassword(password);
    const names = [
      'olga',
      ...Object.keys(networks).flatMap((attack) =>
        Array.from({ length: administrators }, (_, n) => `${attack}${n}`),
      ),
    ];
    const settings = {
      DOCENT_DEFAULT_CORPUS: library.corpus_id,
      DOCENT_TRUST_PROXY: '127.0.0.1',
      DOCENT_PUBLIC_RPM: '30',
      DOCENT_PUBLIC_RPH: '300',
      DOCENT_ADMINS: names.map((name) => `${name}:admin:${hash}`).join(','),
      LOG_LEVEL: 'info',
    };
    for (const kind of chosen) {
      const server = await startServer(data, settings, { probed: true });
      try {
        for (const [n, question] of library.questions.slice(0, 50).entries())
          await ask(server.url, `192.0.2.${n}`, body(question));
        for (const attack of ['first', 'second'] as const) {
          const seconds = given(args, '--seconds', 20);
          rows.push({ attack, ...(await during(server, library.questions, kind, attack, seconds)) });
          process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
        }
      } finally {
        await server.stop();
      }
    }
  });
  return rows;
}

const body = (query: string, history: unknown[] = []) => JSON.stringify({ query, history });

/** The results of legitimate clients during this time, while hostile ones of a kind attack; `none`: no attack. */
async function during(
  server: RunningServer,
  asked: readonly string[],
  kind: string,
  attack: keyof typeof networks,
  seconds: number,
): Promise<Record<string, unknown>> {
  const { hostile, honest } = networks[attack];
  const isAlone = kind === 'none';
  const clients = fork(clientsEntry, [
    server.url,
    String(isAlone ? 0 : hostileClients),
    String(seconds),
    kind,
    hostile,
  ]);
  await once(clients, 'message');
  await server.loop();
  const answered = once(clients, 'message');
  clients.send('begin');
  const begun = performance.now();
  const times: number[] = [];
  let refused = 0;
  let memoryMb = 0;
  const questions = Array.from({ length: honestClients }, async (_, i) => {
    // Each stays within the limit of an address.
    await sleep(i * 210);
    for (let n = 0; performance.now() < begun + seconds * 1000; n++) {
      const { status, ms } = await ask(
        server.url,
        `${honest}.${i}`,
        body(asked[(i * 40 + n) % asked.length]!),
      );
      if (status === 200) times.push(ms);
      else refused++;
      memoryMb = Math.max(memoryMb, server.memoryMb());
      await sleep(Math.max(0, 2_100 - ms));
    }
  });
  const logIns = Array.from({ length: administrators }, async (_, n) => {
    await sleep(((n + 1) * seconds * 1000) / (administrators + 1));
    return logIn(server.url, `${attack}${n}`, `${honest}.${100 + n}`);
  });
  const logInMs = await Promise.all(logIns);
  await Promise.all(questions);
  const [figures] = await answered;
  const { heldCpuMs, heldWallMs } = await server.loop();
  return {
    kind,
    asked: times.length,
    refused,
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
    log_in_ms: Math.max(...logInMs),
    memory_mb: memoryMb,
    held_cpu_ms: heldCpuMs,
    held_wall_ms: heldWallMs,
    lines: server.lines(),
    load: load(),
    answers: JSON.stringify(figures),
  };
}

/** The duration of a first login, retried until it succeeds. */
async function logIn(url: string, name: string, address: string): Promise<number> {
  const begun = performance.now();
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  for (;;) {
    const reply = await fetch(`${url}/admin/api/config`, {
      headers: { authorization, 'x-forwarded-for': address },
    });
    await reply.arrayBuffer();
    if (reply.status === 200) return performance.now() - begun;
    await sleep(100);
  }
}

/**
 * Memory after regular numbers of asks, each with a different question. `--asks <number>` (50,000). `--rate <number>`:
 * the maximum number of asks per second, for a machine with other work.
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
      /** Measured after the first asks, when the answer cache is full. */
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
 * Asks until it gets an answer: on a shared machine the server may stall, and a kept-alive connection may time out
 * meanwhile.
 */
async function answered(url: string, sent: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reply = await ask(url, '127.0.0.1', sent).catch((error: unknown) => {
      if (tries === triesMax) throw error;
      return null;
    });
    if (reply?.status === 200) return;
    if (reply !== null && reply.status !== 503 && reply.status !== 504)
      throw new Error(`An ask failed with status ${reply.status}.`);
    await sleep(1_000);
  }
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
