/** The server process: opens the service, listens, prints its address, and shuts down gracefully on a signal. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { Registry } from 'prom-client';
import { buildConsole, isBuilt } from '../../web/console/build.ts';
import { adminRoutes } from '../admin/routes.ts';
import { openApp, type Service } from '../app.ts';
import { type Config, trustedProxies } from '../config.ts';
import { Failure, traceOf } from '../failures.ts';
import { openMetricsDoor } from '../http/metrics-door.ts';
import { buildServer, type HttpConfig } from '../http/server.ts';
import { CoreMetrics } from '../operations/metrics/core.ts';
import { startWatchdog } from '../operations/watchdog.ts';
import { answerChats, type ChatName, checkConfigured, closeChats, openChats } from './chats.ts';
import { withBar } from './commands.ts';
import { counted, printMessage } from './output.ts';

/** How much time answers in progress have to finish after a termination signal. */
const closeMs = 25_000;
/** The part of that time available to answers in chats. Other processes continue the unfinished ones. */
const drainMs = 8_000;

/** The process cannot recover from this; its supervisor starts another one. */
function lost(): never {
  printMessage('The history can be neither written nor read; the process is exiting.');
  process.exit(1);
}

export async function serve(config: Config): Promise<undefined> {
  const registry = new Registry();
  const app = await openApp(config, {
    onTrouble: printMessage,
    onLost: lost,
    manyAsk: true,
    metrics: new CoreMetrics(registry),
  });
  await listen(app, config, registry);
}

/** Ingests new and changed documents of the sample corpora, then serves them. */
export async function demo(config: Config): Promise<undefined> {
  const { newAdmin } = await import('../access/admins.ts');
  const password = randomBytes(12).toString('base64url');
  const demoConfig: Config = {
    ...config,
    DOCENT_DATA: `${config.DOCENT_DATA.replace(/\/+$/, '')}/demo`,
    DOCENT_ADMINS: [await newAdmin('admin', 'admin', password), ...config.DOCENT_ADMINS],
  };
  const registry = new Registry();
  const app = await openApp(demoConfig, {
    onTrouble: printMessage,
    onLost: lost,
    metrics: new CoreMetrics(registry),
  });
  for (const corpus of ['krk_2026', 'reestr_texts']) {
    const path = fileURLToPath(new URL(`../../samples/${corpus}`, import.meta.url));
    if (!existsSync(path)) continue;
    const report = await withBar((onProgress) =>
      app.ingest({ path, prune: true, yes: true, actor: 'system' }, onProgress),
    );
    const changed = report.added + report.revised + report.withdrawn;
    printMessage(
      changed === 0
        ? `${corpus}: ${counted(report.unchanged, 'document')}, unchanged.`
        : `${corpus}: ${counted(report.added, 'document')} added, ${report.revised} revised, ${report.withdrawn} withdrawn; ${counted(report.chunks, 'chunk')} written.`,
    );
    for (const { path: file, reason } of report.skipped) printMessage(`  skipped ${file}: ${reason}`);
  }
  const at = await listen(app, demoConfig, registry);
  printMessage(`Console        ${at}/admin`);
  printMessage(`Administrator  admin / ${password}   (password generated for this run)`);
  printMessage(
    `Try            curl -s ${at}/api/ask -H 'content-type: application/json' -d '{"query":"На какой срок избирается Президент?"}'`,
  );
}

/** Builds the console if it is missing. If it cannot be built, /admin explains what to do. */
async function prepareConsole(): Promise<void> {
  if (isBuilt()) return;
  printMessage('Building the console (only once).');
  await buildConsole().catch((error) => printMessage(`The console could not be built: ${traceOf(error)}.`));
}

/** Starts listening and returns the first address. */
async function listen(app: Service, config: Config, registry: Registry): Promise<string> {
  await prepareConsole();
  const { DOCENT_METRICS: metricsAt } = config;
  const metrics =
    metricsAt &&
    (await openMetricsDoor(metricsAt, registry).catch(async (error) => {
      await app.close();
      throw error;
    }));
  const chats = await openChats(app, config);
  const server = buildServer(app, {
    ...httpConfig(config),
    registry,
    metricsElsewhere: metrics !== null,
    webhooks: chats.flatMap(({ webhook }) => webhook ?? []),
    administration: adminRoutes(app),
  });
  const { level } = server.log;
  try {
    // Fastify would log the address too, but it is printed below for users.
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
  closeOnSignal(async () => {
    metrics?.close();
    await closeChats(chats, drainMs);
    await server.close();
    await app.close();
  });
  for (const chat of chats) chat.start();
  printMessage(`Doors          ${doors(config, metrics !== null, chats).join('; ')}`);
  // A signal may arrive as soon as this is printed.
  printMessage(`Docent is listening on ${urls.join('  ')}`);
  return urls[0]!;
}

/** Describes the interfaces that are open, and who may use them. */
function doors(config: Config, hasMetrics: boolean, chats: readonly { door: string }[]): string[] {
  return [
    `HTTP (${config.DOCENT_PUBLIC === 'open' ? 'open to all' : 'with a key'})`,
    config.DOCENT_ADMINS.length > 0 ? 'administration' : 'no administration: DOCENT_ADMINS is not set',
    ...(hasMetrics ? ['metrics at a separate address'] : []),
    ...(chats.length > 0
      ? chats.map(({ door }) => door)
      : ['no chat: neither Slack nor Telegram is configured']),
  ];
}

/** Answers on a single chat platform, without the HTTP server. */
export async function serveChat(config: Config, name: ChatName): Promise<undefined> {
  checkConfigured(config, name);
  const app = await openApp(config, { onTrouble: printMessage, onLost: lost });
  const close = await answerChats(app, config, name).catch(async (error) => {
    await app.close();
    throw error;
  });
  // The process must not end while a client waits for its next attempt.
  const open = setInterval(() => {}, 60_000);
  closeOnSignal(async () => {
    clearInterval(open);
    await close(drainMs);
    await app.close();
  });
}

/**
 * Closes the service on a termination signal or an unexpected error. From now on, a process that is stuck is ended
 * (operations/watchdog.ts).
 */
function closeOnSignal(close: () => Promise<void>): void {
  startWatchdog();
  closeWithGrace({ delay: closeMs, logger: false }, async ({ err }) => {
    if (err !== undefined) printMessage(`The process is exiting after an unexpected error: ${traceOf(err)}.`);
    await close();
  });
}

function listenFailure(error: unknown, { HOST, PORT }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return new Failure(
      'unavailable',
      `Port ${PORT} on ${HOST} is in use; set PORT to another one (0 picks a free one).`,
    );
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new Failure(
      'unavailable',
      `The server cannot listen on ${HOST}:${PORT} (${code}); set HOST and PORT.`,
    );
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
    trustProxy: trustedProxies(config),
    ...(config.LOG_LEVEL === 'silent' ? {} : { logLevel: config.LOG_LEVEL }),
  };
}
