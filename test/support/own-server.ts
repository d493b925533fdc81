/** Starts real server programs on free loopback ports, and ends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A separate server process, to be killed, frozen and restarted. */
export interface OwnServer {
  url: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Freezes it (SIGSTOP): connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Starts it on the same port, with its data on disk, if any. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function onPath(program: string): boolean {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((dir) => dir !== '' && existsSync(join(dir, program)));
}

/** Longer than any start on a busy machine. A server that is not ready by then has failed. */
const startMs = 120_000;
/** The time limit of one attempt to reach a starting server. */
const lookMs = 5_000;

async function until(what: string, ready: () => Promise<boolean>, process: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + startMs;
  const look = () => Promise.race([ready().catch(() => false), delay(lookMs, false, { ref: false })]);
  while (!(await look())) {
    if (process.exitCode !== null || process.signalCode !== null)
      throw new Error(`${what} has ended with ${process.signalCode ?? `status ${process.exitCode}`}.`);
    if (performance.now() > giveUpAt) {
      process.kill('SIGKILL');
      throw new Error(`${what} was not ready after ${startMs / 1000} s.`);
    }
    await delay(50);
  }
}

/** Whether all its threads have stopped; until then it may still reply. Only Linux reports this. */
function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  return readdirSync(tasks).every((id) => /\) T /.test(readFileSync(join(tasks, id, 'stat'), 'utf8')));
}

function own(
  url: string,
  command: (dir: string) => [program: string, args: string[]],
  ready: () => Promise<boolean>,
): () => Promise<OwnServer> {
  return async () => {
    const dir = await mkdtemp(join(tmpdir(), 'docent-server-'));
    const [program, args] = command(dir);
    let child: ChildProcess;
    const start = async () => {
      child = spawn(program, args, { stdio: 'ignore', cwd: dir });
      await until(program, ready, child);
    };
    const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    };
    await start();
    return {
      url,
      start,
      kill: () => end('SIGKILL'),
      freeze: () => {
        child.kill('SIGSTOP');
        while (!isStopped(child.pid!));
      },
      thaw: () => child.kill('SIGCONT'),
      stop: async () => {
        await end('SIGKILL');
        await rm(dir, { recursive: true, force: true });
      },
    };
  };
}

/** Starts a separate EventStoreDB. `disk`: keep its events on disk. `chunkBytes`: the size of its files. */
export async function startEventStore({
  disk = false,
  chunkBytes,
}: {
  disk?: boolean;
  chunkBytes?: number;
} = {}): Promise<OwnServer> {
  const [port, replicationPort] = [await freePort(), await freePort()];
  return own(
    `esdb://127.0.0.1:${port}?tls=false`,
    (dir) => [
      'eventstored',
      [
        '--insecure',
        ...(disk ? ['--db', join(dir, 'db')] : ['--mem-db']),
        ...(chunkBytes === undefined ? [] : ['--chunk-size', String(chunkBytes)]),
        ...['--node-ip', '127.0.0.1', '--replication-ip', '127.0.0.1'],
        ...['--node-port', String(port), '--replication-port', String(replicationPort)],
        ...[
          '--log',
          join(dir, 'log'),
          '--disable-log-file',
          '--log-level',
          'Warning',
          '--run-projections',
          'None',
        ],
      ],
    ],
    () => decidesWrites(port),
  )();
}

/** A node is live before it leads its one-node cluster, and rejects writes until then. */
async function decidesWrites(port: number): Promise<boolean> {
  const gossip = await fetch(`http://127.0.0.1:${port}/gossip?format=json`);
  const { members } = (await gossip.json()) as { members: { state: string; isAlive: boolean }[] };
  return members.some(({ state, isAlive }) => isAlive && state === 'Leader');
}

/** Folders where Redis builds install the Query Engine. */
export const moduleFolders = [
  '/usr/local/lib/redis/modules',
  '/usr/lib/redis/modules',
  '/opt/redis-stack/lib',
];

/** Starts a separate Redis with its Query Engine and without persistence. `more`: additional arguments. */
export async function startRedis(more: readonly string[] = []): Promise<OwnServer> {
  const port = await freePort();
  const module = moduleFolders.map((dir) => join(dir, 'redisearch.so')).find(existsSync);
  return own(
    `redis://127.0.0.1:${port}`,
    (dir) => [
      'redis-server',
      [
        ...['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'no'],
        ...(module === undefined ? [] : ['--loadmodule', module]),
        ...more,
      ],
    ],
    () => redisAnswers(port),
  )();
}

/** Whether Redis has loaded: it then answers an inline PING with +PONG. */
async function redisAnswers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [reply] = await once(socket, 'data');
    return String(reply).startsWith('+PONG');
  } finally {
    socket.destroy();
  }
}
