/** Shared by the benchmarks: temporary folders, servers to measure, requests to them, and percentiles. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { App } from '../src/app-port.ts';
import { type Config, readConfig } from '../src/config.ts';
import { startEventStore, startRedis } from '../test/support/own-server.ts';

export { percentile } from './evaluation/statistics.ts';

export const entry = fileURLToPath(new URL('../src/docent.js', import.meta.url));

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const configFor = (folder: string): Config => ({
  ...readConfig({}, '/dev/null'),
  DOCENT_DATA: folder,
});

/** Ingests a folder or file; `corpus_id`: null for the manifest's. */
export const takeIn = (app: App, path: string, corpus_id: string | null) =>
  app.ingest({ path, corpus_id, actor: 'system' });

export interface Servers {
  EVENTSTOREDB_URL: string;
  REDIS_URL: string;
}

/** Runs `work` with an EventStoreDB and a Redis with its Query Engine; their programs must be on the PATH. */
export async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const log = await startEventStore();
  try {
    const redis = await startRedis();
    try {
      return await work({ EVENTSTOREDB_URL: log.url, REDIS_URL: redis.url });
    } finally {
      await redis.stop();
    }
  } finally {
    await log.stop();
  }
}

export const copyHistory = (folder: string, { EVENTSTOREDB_URL }: Servers) =>
  promisify(execFile)(process.execPath, [entry, 'copy-history', '--from', folder, '--to', EVENTSTOREDB_URL]);

/** The longest time the main loop was blocked since the last report. */
export interface LoopReport {
  heldCpuMs: number;
  heldWallMs: number;
}

/** Memory of the process and, for each thread, starting with the main one, its heap and external memory. */
export interface MemoryReport {
  rssMb: number;
  /** Excluding the program itself and other mapped files. */
  anonymousMb: number;
  threads: { thread: string; usedMb: number; heapMb: number; externalMb: number }[];
}

export interface RunningServer {
  url: string;
  /** From the start of the process to its first answer. */
  startMs: number;
  memoryMb(): number;
  /** Number of lines written to stderr since the server began to listen. */
  lines(): number;
  /** For a probed server. */
  loop(): Promise<LoopReport>;
  /** For a probed server. */
  memory(): Promise<MemoryReport>;
  stop(): Promise<void>;
}

/** `docent serve` as a separate process over a data folder, without limits; `probed`: see loop-probe.js. */
export async function startServer(
  folder: string,
  env: Record<string, string> = {},
  { probed = false }: { probed?: boolean } = {},
): Promise<RunningServer> {
  const start = performance.now();
  const probe = probed ? ['--import', new URL('loop-probe.js', import.meta.url).href] : [];
  const child: ChildProcess = spawn(process.execPath, [...probe, entry, 'serve'], {
    env: {
      ...process.env,
      DOCENT_DATA: folder,
      PORT: '0',
      DOCENT_PUBLIC_RPM: '0',
      DOCENT_PUBLIC_RPH: '0',
      LOG_LEVEL: 'silent',
      // As in the Docker image.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', ...(probed ? (['ipc'] as const) : [])],
  });
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on('data', (bytes: Buffer) => {
      printed += bytes;
      const found = /is listening on (http:\/\/\S+)/.exec(printed);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`The server ended: ${printed}`)));
  });
  // The service answers once its read models have caught up.
  const isUp = () =>
    get(`${url}/health`).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await delay(100);
  const linesAtStart = printed.split('\n').length;
  return {
    url,
    startMs: performance.now() - start,
    lines: () => printed.split('\n').length - linesAtStart,
    memoryMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    loop: () => asked<LoopReport>(child, 'loop'),
    memory: () => asked<MemoryReport>(child, 'memory'),
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The probe's reply from a process; one request at a time. */
async function asked<T>(child: ChildProcess, question: string): Promise<T> {
  const report = once(child, 'message');
  child.send(question);
  return (await report)[0] as T;
}

/** Reads have separate connections, so that they do not wait behind the questions of a busy service. */
const agents = {
  GET: new Agent({ keepAlive: true, maxSockets: 128 }),
  POST: new Agent({ keepAlive: true, maxSockets: 128 }),
};

export const get = (url: string): Promise<string> => send('GET', url);

export const post = (url: string, body: unknown): Promise<string> => send('POST', url, JSON.stringify(body));

/** Rejects if the status is not 200. */
function send(method: keyof typeof agents, url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(url, { method, agent: agents[method], headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      incoming.once('end', () =>
        incoming.statusCode === 200 ? resolve(text) : reject(new Error(`${incoming.statusCode} ${text}`)),
      );
    });
    outgoing.once('error', reject).end(body);
  });
}
