/** How fast the service answers, each figure against a bare measure of the same run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { isStopWord, prefix, stem, words } from '../src/text/words.ts';
import { historyFile, modelPaths } from '../src/workers/adapter-config.ts';
import { writeAsks } from './history.ts';
import { type Library, makeLibrary } from './library.ts';

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The p-th part (0 to 1) of a list of times. */
export function percentile(times: readonly number[], p: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

/** How long the main loop was held at the longest since it was asked last. */
export interface LoopReport {
  heldCpuMs: number;
  heldWallMs: number;
}

/** What a process holds in memory, and of it the heap and what hangs on it of each thread, the main one first. */
export interface MemoryReport {
  rssMb: number;
  /** Without the program itself and other files. */
  anonymousMb: number;
  threads: { thread: string; usedMb: number; heapMb: number; externalMb: number }[];
}

export interface RunningServer {
  url: string;
  /** From the start of the process to its first answer. */
  startMs: number;
  memoryMb(): number;
  /** Processor time of the process since its start. */
  cpuMs(): number;
  /** Lines it has written to stderr since it listens. */
  lines(): number;
  /** Of a probed server. */
  loop(): Promise<LoopReport>;
  /** Of a probed server. */
  memory(): Promise<MemoryReport>;
  /** The same when the main thread has let go of what it does not need. Of a probed server. */
  collected(): Promise<MemoryReport>;
  stop(): Promise<void>;
}

const entry = fileURLToPath(new URL('../src/docent.js', import.meta.url));

/**
 * `docent serve` as a process of its own over a data folder, limits off; `probed`: see loop-probe.js; `node`: options of
 * Node's.
 */
export async function startServer(
  folder: string,
  env: Record<string, string> = {},
  { probed = false, node = [] }: { probed?: boolean; node?: readonly string[] } = {},
): Promise<RunningServer> {
  const start = performance.now();
  const probe = probed ? ['--import', new URL('loop-probe.js', import.meta.url).href] : [];
  const child: ChildProcess = spawn(process.execPath, [...node, ...probe, entry, 'serve'], {
    env: {
      ...process.env,
      DOCENT_DATA: folder,
      PORT: '0',
      DOCENT_PUBLIC_RPM: '0',
      DOCENT_PUBLIC_RPH: '0',
      LOG_LEVEL: 'silent',
      // As the image sets it.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', ...(probed ? (['ipc'] as const) : [])],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on('data', (bytes: Buffer) => {
      said += bytes;
      const found = /listens on (http:\/\/\S+)/.exec(said);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  // Over servers the read models may have to be made first.
  while (
    !(await get(`${url}/health`).then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 100));
  const linesAtStart = said.split('\n').length;
  return {
    url,
    startMs: performance.now() - start,
    lines: () => said.split('\n').length - linesAtStart,
    memoryMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuMs: () => {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return (Number(user) + Number(system)) * 10;
    },
    loop: () => asked<LoopReport>(child, 'loop'),
    memory: () => asked<MemoryReport>(child, 'memory'),
    collected: () => asked<MemoryReport>(child, 'collected'),
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** What the probe in a process says when it is asked; it is asked one thing at a time. */
async function asked<T>(child: ChildProcess, question: string): Promise<T> {
  const report = once(child, 'message');
  child.send(question);
  return (await report)[0] as T;
}

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

export function get(url: string): Promise<string> {
  return send('GET', url);
}

export function post(url: string, body: unknown): Promise<string> {
  return send('POST', url, JSON.stringify(body));
}

function send(method: string, url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, agent, headers: body === undefined ? {} : { 'content-type': 'application/json' } },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        incoming.once('end', () =>
          incoming.statusCode === 200 ? resolve(text) : reject(new Error(`${incoming.statusCode} ${text}`)),
        );
      },
    );
    outgoing.once('error', reject).end(body);
  });
}

/** The time of a bare full-text query for each question: FTS5 over stems and prefixes of the same chunks. */
function bareQueries(folder: string, { corpus_id, questions }: Library): number[] {
  const db = new DatabaseSync(modelPaths(folder).index, { readOnly: true });
  const bare = new DatabaseSync(':memory:');
  try {
    const build = db.prepare("SELECT build FROM builds WHERE name = 'chunks' AND live = 1").get()!.build;
    const partition = db
      .prepare(`SELECT partition FROM chunks_${build}_partitions WHERE corpus_id = ? AND layer = 'main'`)
      .get(corpus_id)!.partition;
    const chunks = db.prepare(`SELECT id, text FROM chunks_${build}_chunks WHERE partition = ?`);
    bare.exec("CREATE VIRTUAL TABLE fts USING fts5(body, prefix, content='', tokenize='ascii')");
    const add = bare.prepare('INSERT INTO fts (rowid, body, prefix) VALUES (?, ?, ?)');
    bare.exec('BEGIN');
    for (const { id, text } of chunks.iterate(partition!)) {
      const list = words(String(text));
      add.run(id!, list.map(stem).join(' '), [...new Set(list.map(prefix))].join(' '));
    }
    bare.exec('COMMIT');
    const query = bare.prepare(
      'SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts, 1, 0.6) LIMIT 100',
    );
    const run = (question: string) => {
      const content = words(question).filter((w) => !isStopWord(w));
      const match = [
        ...content.map((w) => `body : "${stem(w)}"`),
        ...content.map((w) => `prefix : "${prefix(w)}"`),
      ].join(' OR ');
      const start = performance.now();
      query.all(match);
      return performance.now() - start;
    };
    for (const question of questions.slice(0, 50)) run(question);
    return questions.map(run);
  } finally {
    bare.close();
    db.close();
  }
}

/** Source references over HTTP against the bare query, one at a time; then `/health` while they come at 50 a second. */
export async function sourceRefs(chunks: number) {
  return withFolder(async (folder) => {
    const library = await makeLibrary(folder, chunks);
    const bare = bareQueries(folder, library);
    const server = await startServer(folder);
    try {
      const ask = async (query: string) => {
        const start = performance.now();
        await post(`${server.url}/api/source-refs`, { query, corpus_id: library.corpus_id, limit: 10 });
        return performance.now() - start;
      };
      for (const question of library.questions.slice(0, 50)) await ask(question);
      const times: number[] = [];
      for (const question of library.questions) times.push(await ask(question));
      const health = await healthUnderLoad(server, library, ask);
      return {
        chunks,
        bare_p50_ms: percentile(bare, 0.5),
        p50_ms: percentile(times, 0.5),
        p99_ms: percentile(times, 0.99),
        ratio_p50: percentile(times, 0.5) / percentile(bare, 0.5),
        health_p99_ms: health,
        memory_mb: Math.round(server.memoryMb()),
        projected_chunks_per_s: Math.round(chunks / (library.projected_ms / 1000)),
      };
    } finally {
      await server.stop();
    }
  });
}

/** p99 of `/health` over ten seconds of 50 look-ups a second. */
async function healthUnderLoad(
  server: RunningServer,
  { questions }: Library,
  ask: (query: string) => Promise<number>,
): Promise<number> {
  const times: number[] = [];
  const asks: Promise<unknown>[] = [];
  const seconds = 10;
  const began = performance.now();
  for (let i = 0; i < seconds * 50; i++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + i * 20 - performance.now())));
    asks.push(ask(questions[i % questions.length]!));
    const start = performance.now();
    asks.push(get(`${server.url}/health`).then(() => times.push(performance.now() - start)));
  }
  await Promise.all(asks);
  return percentile(times, 0.99);
}

/** From the start of the process to its first answer, with twice `asks` events in the history and nothing to catch up. */
export async function start(asks: number) {
  return withFolder(async (folder) => {
    const meanBytes = await writeAsks(historyFile(folder), asks);
    // The first start projects them; it is the second that is measured.
    const first = await startServer(folder);
    for (let lag = 1; lag > 0; ) {
      const { projections } = JSON.parse(await get(`${first.url}/health`));
      lag = Math.max(...Object.values<{ lag_events: number }>(projections).map((p) => p.lag_events));
    }
    await first.stop();
    const second = await startServer(folder);
    const row = {
      events: asks * 2,
      mean_bytes: Math.round(meanBytes),
      start_ms: second.startMs,
      memory_mb: Math.round(second.memoryMb()),
    };
    await second.stop();
    return row;
  });
}
