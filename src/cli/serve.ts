/** The server's process: opens the service, listens, says where, and closes in order when it is told to end. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { Registry } from 'prom-client';
import { type App, openApp } from '../app.ts';
import type { Config } from '../config.ts';
import { Failure } from '../failures.ts';
import { openMetricsDoor } from '../http/metrics-door.ts';
import { buildServer, type HttpConfig } from '../http/server.ts';
import { CoreMetrics } from '../operations/metrics/core.ts';
import { startWatchdog } from '../operations/watchdog.ts';
import { withBar } from './commands.ts';
import { say } from './output.ts';

/** How long running answers may take to finish when the process is told to end. */
const closeMs = 25_000;

/** What cannot be mended within the process: its supervisor starts another. */
function lost(): never {
  say('The history can be neither written nor read: the process ends.');
  process.exit(1);
}

export async function serve(config: Config): Promise<undefined> {
  const registry = new Registry();
  const app = await openApp(config, { onTrouble: say, onLost: lost, metrics: new CoreMetrics(registry) });
  await listen(app, config, registry);
}

/** Takes in the sample corpora (only what has changed since the last time), then serves them. */
export async function demo(config: Config): Promise<undefined> {
  const { newAdmin } = await import('../access/admins.ts');
  const password = randomBytes(12).toString('base64url');
  const demoConfig: Config = {
    ...config,
    DOCENT_DATA: `${config.DOCENT_DATA.replace(/\/+$/, '')}/demo`,
    DOCENT_ADMINS: [await newAdmin('admin', 'admin', password), ...config.DOCENT_ADMINS],
  };
  const registry = new Registry();
  const app = await openApp(demoConfig, { onTrouble: say, onLost: lost, metrics: new CoreMetrics(registry) });
  for (const corpus of ['krk_2026', 'reestr_texts']) {
    const path = fileURLToPath(new URL(`../../samples/${corpus}`, import.meta.url));
    if (!existsSync(path)) continue;
    const report = await withBar((onProgress) =>
      app.ingest({ path, corpus_id: null, layer: null, prune: true, yes: true, actor: 'system' }, onProgress),
    );
    const changed = report.added + report.revised + report.withdrawn;
    say(
      changed === 0
        ? `${corpus}: ${report.unchanged} documents, nothing new.`
        : `${corpus}: ${report.added} documents added, ${report.revised} revised, ${report.withdrawn} withdrawn, ${report.chunks} chunks.`,
    );
    for (const { path: file, reason } of report.skipped) say(`  skipped ${file}: ${reason}`);
  }
  const at = await listen(app, demoConfig, registry);
  say(`Administrator  admin / ${password}   (made for this run)`);
  say(
    `Try            curl -s ${at}/api/ask -H 'content-type: application/json' -d '{"query":"На какой срок избирается Президент?"}'`,
  );
}

/** Listens and returns the first address. */
async function listen(app: App, config: Config, registry: Registry): Promise<string> {
  const { DOCENT_METRICS: metricsAt } = config;
  const metrics =
    metricsAt &&
    (await openMetricsDoor(metricsAt, registry).catch(async (error) => {
      await app.close();
      throw error;
    }));
  const server = buildServer(app, { ...httpConfig(config), registry, metricsElsewhere: metrics !== null });
  const { level } = server.log;
  try {
    // Fastify would log the address too; it is told below, for people.
    server.log.level = 'silent';
    await server.listen({ host: config.HOST, port: config.PORT });
    server.log.level = level;
  } catch (error) {
    await app.close();
    throw listenFailure(error, config);
  }
  const bound = server.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.PORT;
  const urls = hosts(config.HOST).map((host) => `http://${host}:${port}`);
  startWatchdog();
  closeWithGrace({ delay: closeMs, logger: false }, async ({ err }) => {
    if (err !== undefined) say(`An unexpected error ends the process: ${err.stack ?? err.message}`);
    metrics?.close();
    await server.close();
    await app.close();
  });
  // Whoever is told may send a signal at once.
  say(`Docent listens on ${urls.join('  ')}`);
  return urls[0]!;
}

function listenFailure(error: unknown, { HOST, PORT }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return new Failure(
      'unavailable',
      `Port ${PORT} on ${HOST} is in use; set PORT to another one (0 takes a free one).`,
    );
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new Failure('unavailable', `${HOST}:${PORT} cannot be listened on (${code}); set HOST and PORT.`);
  return error;
}

function hosts(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host];
  const own = Object.values(networkInterfaces())
    .flat()
    .filter((i) => i !== undefined && i.family === 'IPv4');
  return own.map((i) => i!.address);
}

function httpConfig(config: Config): HttpConfig {
  const origins = config.DOCENT_CORS_ORIGINS;
  return {
    corsOrigins: origins.includes('*') ? '*' : origins,
    trustProxy: config.DOCENT_TRUST_PROXY.length > 0 ? config.DOCENT_TRUST_PROXY.join(',') : false,
    ...(config.LOG_LEVEL === 'silent' ? {} : { logLevel: config.LOG_LEVEL }),
  };
}
