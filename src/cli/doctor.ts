/**
 * `docent doctor`: checks what the service needs, and gives advice on each finding. It writes nothing and prints no
 * secrets. Messages from servers and clients are not shown, because they may contain an address or a token.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { type Config, ConfigError, modelsOf, readConfig } from '../config.ts';
import { commandLine } from './command-line.ts';
import { print, printJson } from './output.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  /** What was found. */
  found: string;
  /** What to do next; null if nothing needs to be done. */
  next: string | null;
}

export interface DoctorDeps {
  env: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  now: () => number;
  nodeVersion: string;
  /** Free bytes on the disk that contains a folder, which may not exist yet. */
  freeBytes(folder: string): Promise<number>;
}

const real: DoctorDeps = {
  env: process.env,
  fetch: (...request) => fetch(...request),
  now: () => Date.now(),
  nodeVersion: process.versions.node,
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

const waitMs = 5_000;
const nodeMajorMin = 24;
const gigabyte = 1024 ** 3;
const free = { fault: 0.2 * gigabyte, warning: 2 * gigabyte };
/** A larger clock difference makes signed addresses and Slack signatures invalid. */
const clockSecondsMax = 30;

const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, next: null });
const warning = (check: string, found: string, next: string): Finding => ({
  check,
  state: 'warning',
  found,
  next,
});
const fault = (check: string, found: string, next: string): Finding => ({
  check,
  state: 'fault',
  found,
  next,
});

/** Prints the findings. Returns status 1 if there is a fault. */
export async function doctor({ json = false }: { json?: boolean }): Promise<number> {
  const findings = await examine(real);
  if (json) await printJson(findings);
  else
    await print(
      findings.flatMap(({ check, state, found, next }) => [
        `${state.padEnd(7)}  ${check}: ${found}`,
        ...(next === null ? [] : [`         ${next}`]),
      ]),
    );
  return findings.some(({ state }) => state === 'fault') ? 1 : 0;
}

/** All findings, in the order of the checks. */
export async function examine(deps: DoctorDeps): Promise<Finding[]> {
  const node = nodeFinding(deps.nodeVersion);
  let config: Config;
  try {
    config = readConfig(deps.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.faults.map((one) =>
      fault('configuration', withoutValue(one), 'Correct it in the environment or in .env.'),
    );
    return [node, ...faults];
  }
  const checks = await Promise.all([
    dataFolder(config, deps),
    servers(config, deps),
    models(config, deps),
    singleSignOn(config, deps),
    chats(config, deps),
  ]);
  return [node, ok('configuration', 'every setting is valid'), ...access(config), ...checks.flat()];
}

/** Removes the quoted value of a setting from a message, because it may be a misplaced secret. */
const withoutValue = (message: string): string =>
  message.replace(/, got ".*"/s, '').replace(/"[^"]*"/g, '"…"');

function nodeFinding(version: string): Finding {
  return Number(version.split('.', 1)[0]) >= nodeMajorMin
    ? ok('Node', version)
    : fault('Node', version, `Install Node ${nodeMajorMin} or later.`);
}

function access({
  DOCENT_ADMINS,
  DOCENT_MASTER_KEY,
  DOCENT_PUBLIC,
  HOST,
  DOCENT_PUBLIC_URL,
}: Config): Finding[] {
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(HOST);
  return [
    DOCENT_ADMINS.length > 0
      ? ok('administrators', `${DOCENT_ADMINS.length} set`)
      : warning(
          'administrators',
          'none',
          `Set DOCENT_ADMINS: ${commandLine('hash-password')} prints the hash.`,
        ),
    DOCENT_MASTER_KEY === null
      ? warning(
          'encryption',
          "the keys of people's words are not wrapped",
          'Set DOCENT_MASTER_KEY, and store it separately from backups.',
        )
      : ok('encryption', "the keys of people's words are wrapped"),
    DOCENT_PUBLIC === 'open' && !isLocal
      ? warning(
          'questions',
          'anyone who can reach the server may ask',
          'Set DOCENT_PUBLIC=key to require a key.',
        )
      : ok(
          'questions',
          DOCENT_PUBLIC === 'key' ? 'require a key' : 'allowed from this machine without a key',
        ),
    ...(DOCENT_PUBLIC_URL === null && !isLocal
      ? [
          warning(
            'public address',
            'not set',
            'Set DOCENT_PUBLIC_URL so that links to sources can be opened.',
          ),
        ]
      : []),
  ];
}

async function dataFolder({ DOCENT_DATA }: Config, deps: DoctorDeps): Promise<Finding[]> {
  const folder = resolve(DOCENT_DATA);
  let parent = folder;
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [fault('data folder', `${folder} is not writable`, 'Make the user that runs Docent its owner.')];
  }
  const findings = [
    parent === folder
      ? ok('data folder', folder)
      : ok('data folder', `${folder} does not exist yet; it will be created`),
  ];
  if (parent === folder && process.platform !== 'win32' && (statSync(folder).mode & 0o007) !== 0)
    findings.push(
      warning(
        'permissions',
        'other users of this machine can read the data folder',
        'Run chmod o-rwx on the folder.',
      ),
    );
  const bytes = await deps.freeBytes(parent);
  const found = `${(bytes / gigabyte).toFixed(1)} GB free`;
  if (bytes < free.fault)
    findings.push(fault('disk', found, 'Free some space: nothing can be recorded on a full disk.'));
  else if (bytes < free.warning) findings.push(warning('disk', found, 'Free some space soon.'));
  else findings.push(ok('disk', found));
  return findings;
}

async function servers({ EVENTSTOREDB_URL, REDIS_URL }: Config, deps: DoctorDeps): Promise<Finding[]> {
  return [
    ...(EVENTSTOREDB_URL === null ? [] : await eventStore(EVENTSTOREDB_URL, deps)),
    ...(REDIS_URL === null ? [] : await redis(REDIS_URL)),
  ];
}

/** The hosts in an address that may list several. */
function hostsOf(address: string, port: number): { host: string; port: number }[] {
  const authority = /^[^:]+:\/\/(?:[^@/]*@)?([^/?]+)/.exec(address)?.[1] ?? '';
  return authority.split(',').map((one) => {
    const [, host = one, given] = /^(.*?)(?::(\d+))?$/.exec(one) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(given ?? port) };
  });
}

async function reached(check: string, setting: string, address: string, port: number): Promise<Finding> {
  const hosts = hostsOf(address, port);
  const answers = await Promise.all(hosts.map(portAnswers));
  const silent = hosts.filter((_, n) => !answers[n]).map(({ host, port }) => `${host}:${port}`);
  return silent.length === 0
    ? ok(check, `${hosts.length === 1 ? 'its port responds' : `all ${hosts.length} ports respond`}`)
    : fault(check, `${silent.join(', ')} cannot be reached`, `Start it, or correct ${setting}.`);
}

function portAnswers({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: waitMs });
    const end = (is: boolean) => {
      socket.destroy();
      done(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

async function eventStore(url: string, { fetch: send }: DoctorDeps): Promise<Finding[]> {
  const isThere = await reached('EventStoreDB', 'EVENTSTOREDB_URL', url, 2113);
  if (isThere.state === 'fault') return [isThere];
  const [{ host, port }] = hostsOf(url, 2113) as [{ host: string; port: number }];
  const scheme = /[?&]tls=false\b/.test(url) ? 'http' : 'https';
  // A server with its own certificates may reject this request. In that case, only its port is reported.
  const version = await send(`${scheme}://${host}:${port}/info`, { signal: AbortSignal.timeout(waitMs) })
    .then((response) => response.json() as Promise<{ esVersion?: unknown }>)
    .then(({ esVersion }) => (typeof esVersion === 'string' ? esVersion : null))
    .catch(() => null);
  return [version === null ? isThere : ok('EventStoreDB', `version ${version}`)];
}

async function redis(url: string): Promise<Finding[]> {
  const isThere = await reached('Redis', 'REDIS_URL', url, 6379);
  if (isThere.state === 'fault') return [isThere];
  const { redisFacts } = await import('../workers/server-facts.ts');
  const facts = await redisFacts(url, waitMs).catch(() => null);
  if (facts === null)
    return [fault('Redis', 'rejected the connection', 'Check the password and TLS in REDIS_URL.')];
  const { version, hasSearch, policy } = facts;
  return [
    Number(version.split('.', 1)[0]) >= 8
      ? ok('Redis', `version ${version}`)
      : fault('Redis', `version ${version}`, 'Install Redis 8 or later.'),
    ...(hasSearch ? [] : [fault('Redis', 'has no Query Engine', 'Load its search module (redisearch.so).')]),
    ...(policy === 'noeviction'
      ? []
      : [fault('Redis', `drops data when memory is full (${policy})`, 'Set maxmemory-policy noeviction.')]),
  ];
}

/** Checks whether the service at a provider's address accepts a token. */
async function accepted(
  { fetch: send, now }: DoctorDeps,
  check: string,
  setting: string,
  url: string,
  headers: Record<string, string>,
  isAccepted: (response: Response) => Promise<boolean> = async ({ ok }) => ok,
): Promise<Finding[]> {
  try {
    const response = await send(url, { headers, signal: AbortSignal.timeout(waitMs) });
    const findings = [
      (await isAccepted(response))
        ? ok(check, 'the token is accepted')
        : fault(check, `rejected with status ${response.status}`, `Correct ${setting}.`),
    ];
    const at = Date.parse(response.headers.get('date') ?? '');
    const apart = Math.round(Math.abs(now() - at) / 1000);
    if (apart > clockSecondsMax)
      findings.push(
        fault(
          'clock',
          `differs by ${apart} seconds from that of ${check}`,
          'Set the clock, for example with NTP.',
        ),
      );
    return findings;
  } catch {
    return [
      fault(check, 'its server cannot be reached', 'Check the network, the proxies and the addresses.'),
    ];
  }
}

async function models(config: Config, deps: DoctorDeps): Promise<Finding[]> {
  const settings = modelsOf(config);
  if (settings === null) return [ok('models', 'none: answers are quoted from the documents')];
  const { COHERE_API_KEY, COHERE_BASE_URL, OPENAI_BASE_URL, OPENAI_API_KEY } = config;
  const bearer = (token: string | null): Record<string, string> =>
    token === null ? {} : { authorization: `Bearer ${token}` };
  return [
    ...(settings.cohere && COHERE_API_KEY !== null
      ? await accepted(
          deps,
          'Cohere',
          'COHERE_API_KEY',
          `${COHERE_BASE_URL ?? 'https://api.cohere.com'}/v1/models?page_size=1`,
          bearer(COHERE_API_KEY),
        )
      : []),
    ...(settings.openai && OPENAI_BASE_URL !== null
      ? await accepted(
          deps,
          'models of OPENAI_BASE_URL',
          'OPENAI_API_KEY or OPENAI_BASE_URL',
          `${OPENAI_BASE_URL.replace(/\/+$/, '')}/models`,
          bearer(OPENAI_API_KEY),
        )
      : []),
  ];
}

/** The provider's metadata must contain exactly the configured issuer; otherwise every sign-in fails. */
async function singleSignOn(
  { DOCENT_OIDC_ISSUER: issuer }: Config,
  { fetch: send }: DoctorDeps,
): Promise<Finding[]> {
  if (issuer === null) return [];
  const check = 'single sign-on';
  const written = issuer.href.replace(/\/$/, '');
  try {
    const address = `${written}/.well-known/openid-configuration`;
    const response = await send(address, { signal: AbortSignal.timeout(waitMs) });
    const { issuer: named } = (await response.json()) as { issuer?: unknown };
    const isSame = typeof named === 'string' && named.replace(/\/$/, '') === written;
    return [
      isSame
        ? ok(check, `${issuer.host} responds`)
        : fault(check, 'the provider names a different issuer', 'Copy its issuer into DOCENT_OIDC_ISSUER.'),
    ];
  } catch {
    return [fault(check, 'the provider cannot be reached', 'Check DOCENT_OIDC_ISSUER and the network.')];
  }
}

/** Slack and Telegram report in the response body whether they accept a token. */
const saysOk = async (response: Response): Promise<boolean> =>
  response.ok && ((await response.json()) as { ok?: boolean }).ok === true;

async function chats(config: Config, deps: DoctorDeps): Promise<Finding[]> {
  const { SLACK_BOT_TOKEN, SLACK_API_URL, TELEGRAM_BOT_TOKEN, TELEGRAM_API_URL } = config;
  const slack = { authorization: `Bearer ${SLACK_BOT_TOKEN}` };
  const base = (url: string | null, usual: string) => (url ?? usual).replace(/\/+$/, '');
  const telegram = `${base(TELEGRAM_API_URL, 'https://api.telegram.org')}/bot${TELEGRAM_BOT_TOKEN}/getMe`;
  return [
    ...(SLACK_BOT_TOKEN === null
      ? []
      : await accepted(
          deps,
          'Slack',
          'SLACK_BOT_TOKEN',
          `${base(SLACK_API_URL, 'https://slack.com/api')}/auth.test`,
          slack,
          saysOk,
        )),
    ...(TELEGRAM_BOT_TOKEN === null
      ? []
      : await accepted(deps, 'Telegram', 'TELEGRAM_BOT_TOKEN', telegram, {}, saysOk)),
  ];
}
