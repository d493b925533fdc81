/**
 * What it saves that one instance at a time runs a projection over a shared Redis: three serving instances while the
 * samples are taken in by another process, with leases and without. Of the servers' processor time what they use from
 * then until all have caught up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEventStore, startRedis } from '../test/support/own-server.ts';
import { type RunningServer, startServer, withFolder } from './speed.ts';

const entry = fileURLToPath(new URL('../src/docent.js', import.meta.url));
const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const without = ['--import', new URL('without-leases.js', import.meta.url).href];
const instances = 3;
const lookMs = 1_000;
/** So many looks in a row with nothing left to do. */
const looksAtRest = 4;

interface Saved extends Record<string, unknown> {
  leases: boolean;
  servers_cpu_s: number;
  ingest_cpu_s: number;
  busiest_cpu_s: number;
  least_cpu_s: number;
}

export const leases = async (): Promise<Saved[]> => [await measured(true), await measured(false)];

async function measured(withLeases: boolean): Promise<Saved> {
  const node = withLeases ? [] : without;
  const [log, redis] = await Promise.all([startEventStore(), startRedis()]);
  const env = { EVENTSTOREDB_URL: log.url, REDIS_URL: redis.url };
  try {
    return await withFolder(async (folder) => {
      const servers: RunningServer[] = [];
      for (let n = 0; n < instances; n++)
        servers.push(await startServer(join(folder, `data-${n}`), env, { node }));
      try {
        const before = servers.map((server) => server.cpuMs());
        const endedBefore = endedCpuMs();
        const ingesting = spawn(
          process.execPath,
          [...node, entry, 'ingest', join(samples, 'krk_2026'), join(samples, 'reestr_texts')],
          {
            env: { ...process.env, ...env, DOCENT_DATA: join(folder, 'data-ingest') },
            stdio: ['ignore', 'ignore', 'inherit'],
          },
        );
        const [status] = await once(ingesting, 'exit');
        if (status !== 0) throw new Error(`ingest ended with status ${status}.`);
        const ingestMs = endedCpuMs() - endedBefore;
        await atRest(servers);
        const used = servers.map((server, n) => (server.cpuMs() - before[n]!) / 1_000);
        return {
          leases: withLeases,
          servers_cpu_s: used.reduce((sum, one) => sum + one, 0),
          ingest_cpu_s: ingestMs / 1_000,
          busiest_cpu_s: Math.max(...used),
          least_cpu_s: Math.min(...used),
        };
      } finally {
        for (const server of servers) await server.stop();
      }
    });
  } finally {
    await Promise.all([log.stop(), redis.stop()]);
  }
}

/** Processor time of the children of this process that have ended. */
function endedCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}

/** Until none of them does more than renew and look, for a while. */
async function atRest(servers: readonly RunningServer[]): Promise<void> {
  for (let quiet = 0; quiet < looksAtRest; ) {
    const before = servers.map((server) => server.cpuMs());
    await delay(lookMs);
    const isQuiet = servers.every((server, n) => server.cpuMs() - before[n]! < lookMs / 10);
    quiet = isQuiet ? quiet + 1 : 0;
  }
}
