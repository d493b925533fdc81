/**
 * The environment as a single typed value. The table below defines every variable with its default, its purpose and
 * whether it is secret. docs/configuration.md and `docent --help` are generated from it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export interface Admin {
  name: string;
  role: 'admin' | 'auditor';
  /** `scrypt.<log2 N>.<r>.<p>.<salt>.<hash>`, salt and hash in base64url. */
  hash: string;
}

interface Variable<T> {
  /** The default as it would be written in the environment; null if there is none. */
  default: string | null;
  about: string;
  secret?: true;
  /** Shown to administrators at /admin/api/config. Variables without this mark are never shown. */
  shown?: true;
  /** Throws an Error if the value is invalid. Its message continues the sentence "NAME …". */
  parse: (text: string | null) => T;
}

const text = (value: string | null): string | null => value;
const required = (value: string | null): string => {
  if (value === null || value.trim() === '') throw new Error('must not be empty');
  return value;
};
const integer =
  (min: number, max: number) =>
  (value: string | null): number => {
    const n = Number(value);
    if (value === null || !/^\d+$/.test(value) || n < min || n > max)
      throw new Error(`must be a whole number from ${min} to ${max}, got "${value}"`);
    return n;
  };
const oneOf =
  <const T extends string>(...allowed: readonly T[]) =>
  (value: string | null): T => {
    const found = allowed.find((a) => a === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}, got "${value}"`);
    return found;
  };
const address =
  (...schemes: readonly string[]) =>
  (value: string | null): string | null => {
    if (value !== null && !schemes.some((s) => value.startsWith(`${s}://`)))
      throw new Error(`must begin with ${schemes.map((s) => `${s}://`).join(' or ')}`);
    return value;
  };
const hostAndPort = (value: string | null): { host: string; port: number } | null => {
  if (value === null) return null;
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
  if (host === '' || Number(port) > 65535) throw new Error(`must be host:port, got "${value}"`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
};
const publicUrl = (value: string | null): string | null => {
  const url = value === null ? null : URL.parse(value);
  if (value !== null && (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== ''))
    throw new Error(`must be an http or https address without a query, got "${value}"`);
  return url && `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};
/** An Ed25519 key in C2SP's format, or the path to a file that contains one. */
const secretKey = (value: string | null): string | null => {
  if (value === null || value.startsWith('PRIVATE+KEY+')) return value?.trim() ?? null;
  if (!existsSync(value))
    throw new Error('must be a key made by "docent seal-key", or the path to a file that contains one');
  return readFileSync(value, 'utf8').trim();
};
/** 32 bytes derived from the text. Errors do not repeat the text. */
const commonSecret = (value: string | null): Buffer | null => {
  if (value !== null && value.length < 32) throw new Error('must have at least 32 characters');
  return value === null ? null : createHash('sha256').update(value).digest();
};
const list = (value: string | null): string[] =>
  (value ?? '')
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean);

/** `place: corpus corpus, place:`; see connectors/rooms.ts. */
const corporaByChat = (value: string | null): Map<string, string[]> | null => {
  if (value === null) return null;
  const entries = list(value).map((entry): [string, string[]] => {
    const [, place, corpora] = /^([^\s:]+)\s*:(.*)$/.exec(entry) ?? [];
    if (place === undefined || corpora === undefined)
      throw new Error(`must be a comma-separated list of entries "place: corpus corpus", got "${entry}"`);
    return [place, corpora.split(/\s+/).filter(Boolean)];
  });
  const twice = entries.find(([place], i) => entries.findIndex(([other]) => other === place) < i);
  if (twice) throw new Error(`names the place "${twice[0]}" twice`);
  return new Map(entries);
};
/** Plain http is permitted only on this machine. */
const issuer = (value: string | null): URL | null => {
  const url = value === null ? null : URL.parse(value);
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (value !== null && url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal))
    throw new Error(`must be an https address, got "${value}"`);
  return url;
};
const webhookSecret = (value: string | null): string | null => {
  // The characters that Telegram accepts; the error does not repeat the secret.
  if (value !== null && !/^[\w-]{1,256}$/.test(value))
    throw new Error('must be 1 to 256 letters, digits, hyphens and underscores');
  return value;
};

const adminPattern =
  /^([^:,\s]{1,64}):(admin|auditor):(scrypt\.\d{1,2}\.\d{1,3}\.\d{1,3}\.[\w-]{16,}\.[\w-]{32,})$/;
const admins = (value: string | null): Admin[] =>
  list(value).map((entry, i) => {
    const [, name, role, hash] = adminPattern.exec(entry) ?? [];
    // The error does not repeat the entry, which may contain a password by mistake.
    if (name === undefined || hash === undefined)
      throw new Error(
        `entry ${i + 1} must be name:role:hash with the role admin or auditor and a hash made by "docent hash-password"`,
      );
    return { name, role: role === 'admin' ? 'admin' : 'auditor', hash };
  });

const amount = (value: string | null): number => {
  const n = Number(value);
  if (value === null || !/^\d+(\.\d+)?$/.test(value) || n > 1_000_000)
    throw new Error(`must be an amount from 0 to 1000000, got "${value}"`);
  return n;
};
const budget = (value: string | null): number | null => (value === null ? null : amount(value));

/** Null means none. */
const model = (value: string | null): string | null => {
  if (value === null || !/^[\w.:/-]{1,100}$/.test(value))
    throw new Error(`must be the name of a model, or off, got "${value}"`);
  return value === 'off' ? null : value;
};
const givenModel = (value: string | null): string | null => (value === null ? null : model(value));

function variable<T>(v: Variable<T>): Variable<T> {
  return v;
}

export const variables = {
  HOST: variable({
    default: '127.0.0.1',
    about: 'address the server listens on',
    shown: true,
    parse: required,
  }),
  PORT: variable({
    default: '8080',
    about: 'port the server listens on; 0: any free port',
    shown: true,
    parse: integer(0, 65535),
  }),
  DOCENT_DATA: variable({
    default: './data',
    about: 'folder for the embedded stores',
    shown: true,
    parse: required,
  }),
  DOCENT_OCR_LANGUAGES: variable({
    default: 'eng+rus+kaz',
    about: 'OCR languages, as Tesseract language codes; languages without installed data are ignored',
    shown: true,
    parse: required,
  }),
  DOCENT_LIBREOFFICE: variable({
    default: 'off',
    about: 'on: .doc, .xls and .ppt files are read with LibreOffice; off: they are refused',
    shown: true,
    parse: oneOf('on', 'off'),
  }),
  DOCENT_DEFAULT_CORPUS: variable({
    default: 'krk_2026',
    about:
      'corpus for questions that specify none; if it does not exist and there is only one corpus, that one is used',
    shown: true,
    parse: required,
  }),
  DOCENT_ADMINS: variable({
    default: null,
    about: 'administrators, comma-separated name:role:hash (docent hash-password)',
    secret: true,
    parse: admins,
  }),
  DOCENT_OIDC_ISSUER: variable({
    default: null,
    about: 'OpenID Connect provider for signing in to the console; requires DOCENT_PUBLIC_URL',
    shown: true,
    parse: issuer,
  }),
  DOCENT_OIDC_CLIENT_ID: variable({
    default: null,
    about: 'client id registered with the provider',
    shown: true,
    parse: text,
  }),
  DOCENT_OIDC_CLIENT_SECRET: variable({ default: null, about: 'client secret', secret: true, parse: text }),
  DOCENT_OIDC_SCOPE: variable({
    default: 'openid profile email',
    about: 'requested scopes',
    shown: true,
    parse: required,
  }),
  DOCENT_OIDC_CLAIM: variable({
    default: 'groups',
    about: 'ID token claim that determines the role: a string or a list',
    shown: true,
    parse: required,
  }),
  DOCENT_OIDC_ADMINS: variable({
    default: null,
    about: 'claim values that grant the administrator role, comma-separated',
    shown: true,
    parse: list,
  }),
  DOCENT_OIDC_AUDITORS: variable({
    default: null,
    about: 'claim values that grant the auditor role, comma-separated',
    shown: true,
    parse: list,
  }),
  DOCENT_PUBLIC: variable({
    default: 'open',
    about: 'whether questions without a key are answered (open) or not (key)',
    shown: true,
    parse: oneOf('open', 'key'),
  }),
  DOCENT_PUBLIC_RPM: variable({
    default: '30',
    about: 'questions per minute for each address without a key; 0: no limit',
    shown: true,
    parse: integer(0, 1_000_000),
  }),
  DOCENT_PUBLIC_RPH: variable({
    default: '300',
    about: 'questions per hour for each address without a key; 0: no limit',
    shown: true,
    parse: integer(0, 10_000_000),
  }),
  DOCENT_PUBLIC_URL: variable({
    default: null,
    about: 'public address of the service; if not set, links to its own pages are relative',
    shown: true,
    parse: publicUrl,
  }),
  DOCENT_METRICS: variable({
    default: null,
    about: 'separate host:port for /metrics; if not set, /metrics is served on the main port',
    shown: true,
    parse: hostAndPort,
  }),
  DOCENT_TRUST_PROXY: variable({
    default: null,
    about: 'addresses or networks whose X-Forwarded-For header is trusted, comma-separated',
    shown: true,
    parse: list,
  }),
  DOCENT_CORS_ORIGINS: variable({
    default: '*',
    about: 'origins that may call the public API, comma-separated, or *',
    shown: true,
    parse: list,
  }),
  EVENTSTOREDB_URL: variable({
    default: null,
    about: 'EventStoreDB server for the event history, instead of the data folder',
    secret: true,
    parse: address('esdb', 'esdb+discover'),
  }),
  REDIS_URL: variable({
    default: null,
    about: 'Redis server for the search index, caches, limits and leases, shared by all instances',
    secret: true,
    parse: address('redis', 'rediss'),
  }),
  DOCENT_NAMESPACE: variable({
    default: 'docent',
    about: 'prefix of stream names and Redis keys, so that several deployments can share the servers',
    shown: true,
    parse: required,
  }),
  DOCENT_SECRET: variable({
    default: null,
    about: 'secret that signs source URLs and hashes chat names; if not set, one is generated and stored',
    secret: true,
    parse: commonSecret,
  }),
  DOCENT_MASTER_KEY: variable({
    default: null,
    about:
      'key that encrypts the personal-data keys, the same for all instances; if not set, one is generated and stored with the keys',
    secret: true,
    parse: commonSecret,
  }),
  DOCENT_KEYS: variable({
    default: null,
    about: 'folder for the personal-data keys; by default, beside the history or in Redis',
    shown: true,
    parse: text,
  }),
  DOCENT_RETENTION_DAYS: variable({
    default: null,
    about: 'days after which personal data is erased; not set: never',
    shown: true,
    parse: (value) => (value === null ? null : integer(1, 36_500)(value)),
  }),
  DOCENT_SEAL_KEY: variable({
    default: null,
    about: 'secret key that seals the history (docent seal-key), or the path to its file',
    secret: true,
    parse: secretKey,
  }),
  DOCENT_SEAL_KEY_BEFORE: variable({
    default: null,
    about: 'the previous sealing key, used to sign the key change',
    secret: true,
    parse: secretKey,
  }),
  DOCENT_SEAL_SECONDS: variable({
    default: '60',
    about: 'interval at which the history is sealed if it has grown',
    shown: true,
    parse: integer(1, 86_400),
  }),
  DOCENT_SEAL_TO: variable({
    default: null,
    about: 'folder or webhook address to which checkpoints are copied',
    parse: text,
  }),
  COHERE_API_KEY: variable({
    default: null,
    about: 'Cohere API key for embeddings, reranking and answers; if not set, no Cohere model is used',
    secret: true,
    parse: text,
  }),
  COHERE_BASE_URL: variable({
    default: null,
    about: 'alternative base URL for the Cohere API',
    parse: address('http', 'https'),
  }),
  COHERE_CHAT_MODEL: variable({
    default: 'command-a-03-2025',
    about: 'Cohere model that writes answers; off: sentences are chosen from the passages',
    shown: true,
    parse: model,
  }),
  COHERE_VERIFY_MODEL: variable({
    default: null,
    about:
      'Cohere model for the second reading of answers; if not set, the model that writes them; off: none',
    shown: true,
    parse: (value) => (value === null || value === 'off' ? value : model(value)),
  }),
  COHERE_EMBED_MODEL: variable({
    default: 'embed-v4.0',
    about: 'Cohere embedding model; off: passages are found only by keyword search',
    shown: true,
    parse: model,
  }),
  COHERE_EMBED_DIMENSION: variable({
    default: '1024',
    about: 'vector dimension: 256, 512, 1024 or 1536',
    shown: true,
    parse: (value) => Number(oneOf('256', '512', '1024', '1536')(value)),
  }),
  COHERE_RERANK_MODEL: variable({
    default: 'rerank-v4.0-pro',
    about: 'Cohere reranking model; off: passages stay in retrieval order',
    shown: true,
    parse: model,
  }),
  OPENAI_BASE_URL: variable({
    default: null,
    about: 'base URL of an OpenAI-compatible server, such as http://localhost:8000/v1',
    parse: address('http', 'https'),
  }),
  OPENAI_API_KEY: variable({
    default: null,
    about: 'API key for that server, if it requires one',
    secret: true,
    parse: text,
  }),
  OPENAI_CHAT_MODEL: variable({
    default: null,
    about: "that server's model for writing answers, instead of Cohere's",
    shown: true,
    parse: givenModel,
  }),
  OPENAI_VERIFY_MODEL: variable({
    default: null,
    about:
      "that server's model for the second reading of answers; if not set, the model that writes them; off: none",
    shown: true,
    parse: (value) => (value === null || value === 'off' ? value : model(value)),
  }),
  OPENAI_EMBED_MODEL: variable({
    default: null,
    about: "that server's embedding model, instead of Cohere's",
    shown: true,
    parse: givenModel,
  }),
  OPENAI_EMBED_DIMENSION: variable({
    default: '1024',
    about: 'vector dimension of OPENAI_EMBED_MODEL',
    shown: true,
    parse: integer(1, 8192),
  }),
  OPENAI_RERANK_MODEL: variable({
    default: null,
    about: "that server's reranking model, instead of Cohere's",
    shown: true,
    parse: givenModel,
  }),
  DOCENT_GRAPH_MODEL: variable({
    default: 'off',
    about:
      'on: the chat model extracts entities from documents as they are ingested; off: only rules are used',
    shown: true,
    parse: (text) => oneOf('on', 'off')(text) === 'on',
  }),
  DOCENT_UNVERIFIED: variable({
    default: 'mark',
    about:
      'if the second reading of an answer is unavailable: mark the answer as unverified (mark), or replace it with sentences from the passages (extract)',
    shown: true,
    parse: oneOf('mark', 'extract'),
  }),
  MODEL_MAX_TOKENS: variable({
    default: '600',
    about: 'maximum number of tokens generated per question',
    shown: true,
    parse: integer(50, 4000),
  }),
  MODEL_SILENCE_MS: variable({
    default: '10000',
    about: 'how long a model may pause while writing an answer, including before its first word, in ms',
    shown: true,
    parse: integer(100, 60_000),
  }),
  MODEL_VERIFY_MS: variable({
    default: '8000',
    about: 'how long a second reading may take, in ms',
    shown: true,
    parse: integer(100, 60_000),
  }),
  MODEL_REWRITE_MS: variable({
    default: '1500',
    about: 'how long a model may take to write search queries, in ms',
    shown: true,
    parse: integer(50, 10_000),
  }),
  MODEL_EMBED_MS: variable({
    default: '2000',
    about: 'how long embedding a question may take, in ms',
    shown: true,
    parse: integer(50, 10_000),
  }),
  MODEL_RERANK_MS: variable({
    default: '1500',
    about: 'how long reranking may take, in ms',
    shown: true,
    parse: integer(50, 10_000),
  }),
  MODEL_PRICE_INPUT: variable({
    default: '2.5',
    about: "US dollars per million input tokens; the default is Cohere's price; set 0 for your own server",
    shown: true,
    parse: amount,
  }),
  MODEL_PRICE_OUTPUT: variable({
    default: '10',
    about: 'US dollars per million output tokens; as above',
    shown: true,
    parse: amount,
  }),
  MODEL_PRICE_EMBED: variable({
    default: '0.12',
    about: 'US dollars per million tokens embedded; as above',
    shown: true,
    parse: amount,
  }),
  MODEL_PRICE_SEARCH: variable({
    default: '2',
    about: 'US dollars per thousand reranks; as above',
    shown: true,
    parse: amount,
  }),
  DOCENT_BUDGET_DAY: variable({
    default: null,
    about: 'daily model budget of all instances, in US dollars; if not set, no limit',
    shown: true,
    parse: budget,
  }),
  DOCENT_BUDGET_MONTH: variable({
    default: null,
    about: 'monthly model budget of all instances, in US dollars; if not set, no limit',
    shown: true,
    parse: budget,
  }),
  SLACK_BOT_TOKEN: variable({ default: null, about: 'Slack bot token (xoxb-…)', secret: true, parse: text }),
  SLACK_APP_TOKEN: variable({
    default: null,
    about: 'Slack app token (xapp-…) for socket mode',
    secret: true,
    parse: text,
  }),
  SLACK_SIGNING_SECRET: variable({
    default: null,
    about: 'Slack signing secret for events over HTTP at /slack/events',
    secret: true,
    parse: text,
  }),
  SLACK_API_URL: variable({
    default: null,
    about: 'alternative base URL for the Slack API',
    parse: address('http', 'https'),
  }),
  SLACK_CORPORA: variable({
    default: null,
    about:
      'corpora that can be searched in each Slack channel, as "place: corpus corpus, *: corpus"; if not set, all corpora everywhere',
    shown: true,
    parse: corporaByChat,
  }),
  TELEGRAM_BOT_TOKEN: variable({ default: null, about: 'Telegram bot token', secret: true, parse: text }),
  TELEGRAM_API_URL: variable({
    default: null,
    about: 'alternative base URL for the Telegram API',
    parse: address('http', 'https'),
  }),
  TELEGRAM_WEBHOOK_URL: variable({
    default: null,
    about: 'public webhook URL for updates; if not set, the bot polls for updates',
    parse: address('https', 'http'),
  }),
  TELEGRAM_WEBHOOK_SECRET: variable({
    default: null,
    about: 'secret token of the webhook',
    secret: true,
    parse: webhookSecret,
  }),
  TELEGRAM_CORPORA: variable({
    default: null,
    about:
      'corpora that can be searched in each Telegram chat, as "chat: corpus corpus, *: corpus"; if not set, all corpora everywhere',
    shown: true,
    parse: corporaByChat,
  }),
  DOCENT_CHAT_FILES: variable({
    default: 'off',
    about: 'on: files sent in chats are used for a day, only in their conversation; off: files are ignored',
    shown: true,
    parse: oneOf('off', 'on'),
  }),
  LOG_LEVEL: variable({
    default: 'info',
    about: 'log level: fatal, error, warn, info, debug (also logs each request), trace or silent',
    shown: true,
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
};

export type Config = { [K in keyof typeof variables]: ReturnType<(typeof variables)[K]['parse']> };

/** Reports variables that are set without others that they require. */
function contradictions(config: Config): string[] {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET } = config;
  const { TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_URL, TELEGRAM_WEBHOOK_SECRET } = config;
  const withoutServer = (
    ['OPENAI_CHAT_MODEL', 'OPENAI_VERIFY_MODEL', 'OPENAI_EMBED_MODEL', 'OPENAI_RERANK_MODEL'] as const
  ).filter((name) => config.OPENAI_BASE_URL === null && config[name] !== null && config[name] !== 'off');
  const missingForOidc = (
    ['DOCENT_OIDC_CLIENT_ID', 'DOCENT_OIDC_CLIENT_SECRET', 'DOCENT_PUBLIC_URL'] as const
  ).filter((name) => config.DOCENT_OIDC_ISSUER !== null && config[name] === null);
  const faults: [boolean, string][] = [
    [missingForOidc.length > 0, `DOCENT_OIDC_ISSUER also requires ${missingForOidc.join(', ')}.`],
    [
      config.DOCENT_OIDC_ISSUER !== null &&
        config.DOCENT_OIDC_ADMINS.length + config.DOCENT_OIDC_AUDITORS.length === 0,
      'DOCENT_OIDC_ISSUER also requires DOCENT_OIDC_ADMINS or DOCENT_OIDC_AUDITORS, because otherwise nobody would have a role.',
    ],
    [withoutServer.length > 0, `OPENAI_BASE_URL must be set to use ${withoutServer.join(', ')}.`],
    [
      SLACK_BOT_TOKEN !== null && SLACK_APP_TOKEN === null && SLACK_SIGNING_SECRET === null,
      'SLACK_BOT_TOKEN also requires SLACK_APP_TOKEN (socket mode) or SLACK_SIGNING_SECRET (HTTP).',
    ],
    [
      SLACK_BOT_TOKEN === null && (SLACK_APP_TOKEN !== null || SLACK_SIGNING_SECRET !== null),
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET also require SLACK_BOT_TOKEN.',
    ],
    [
      TELEGRAM_WEBHOOK_URL !== null && TELEGRAM_WEBHOOK_SECRET === null,
      'TELEGRAM_WEBHOOK_URL also requires TELEGRAM_WEBHOOK_SECRET.',
    ],
    [
      TELEGRAM_BOT_TOKEN === null && TELEGRAM_WEBHOOK_URL !== null,
      'TELEGRAM_WEBHOOK_URL also requires TELEGRAM_BOT_TOKEN.',
    ],
  ];
  return faults.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []));
}

/** The public address of the service or, if none is set, its address on this machine. */
export function reachedAt({ DOCENT_PUBLIC_URL, HOST, PORT }: Config): string {
  if (DOCENT_PUBLIC_URL !== null) return DOCENT_PUBLIC_URL;
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

/** The trusted proxies, in the form expected by HTTP servers. */
export const trustedProxies = ({ DOCENT_TRUST_PROXY }: Config): string | false =>
  DOCENT_TRUST_PROXY.length > 0 ? DOCENT_TRUST_PROXY.join(',') : false;

/** The variables that administrators may see, by name. */
export function shownConfig(config: Config): Record<string, unknown> {
  const rows: [string, { shown?: true }][] = Object.entries(variables);
  const shown = new Set(rows.flatMap(([name, row]) => (row.shown ? [name] : [])));
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) =>
      shown.has(name) ? [[name, value instanceof Map ? Object.fromEntries(value) : value]] : [],
    ),
  );
}

/** All errors in the environment. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads the environment and an optional `.env` file; the environment takes precedence. Throws a ConfigError that lists
 * all errors.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, envFile = '.env'): Config {
  const given: NodeJS.ProcessEnv = {
    ...(existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}),
    ...env,
  };
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { default: fallback, parse }] of Object.entries(variables)) {
    const value = given[name];
    try {
      values[name] = parse(value === undefined || value === '' ? fallback : value);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is invalid'}.`);
    }
  }
  if (faults.length === 0) faults.push(...contradictions(values as Config));
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Config;
}

/** Where the keys of people's words are stored, and the key that wraps them. */
export const keysOf = ({ DOCENT_KEYS, REDIS_URL, DOCENT_MASTER_KEY }: Config) => ({
  keysFolder: DOCENT_KEYS,
  redisUrl: REDIS_URL,
  masterKey: DOCENT_MASTER_KEY,
});

/**
 * The language models and their time limits. If null, only the built-in ones are used. The OpenAI-compatible server
 * is used for every capability that has one of its models configured; Cohere provides the others, if there is a key.
 */
export function modelsOf(config: Config) {
  const { COHERE_API_KEY, OPENAI_BASE_URL, OPENAI_CHAT_MODEL, OPENAI_EMBED_MODEL, OPENAI_RERANK_MODEL } =
    config;
  const times = {
    silenceMs: config.MODEL_SILENCE_MS,
    embedMs: config.MODEL_EMBED_MS,
    rerankMs: config.MODEL_RERANK_MS,
  };
  const named = (one: string | null): string | null => (one === 'off' ? null : one);
  const openAiVerifies = named(config.OPENAI_VERIFY_MODEL ?? OPENAI_CHAT_MODEL);
  const openai =
    OPENAI_BASE_URL === null ||
    [OPENAI_CHAT_MODEL, openAiVerifies, OPENAI_EMBED_MODEL, OPENAI_RERANK_MODEL].every((one) => one === null)
      ? null
      : {
          baseUrl: OPENAI_BASE_URL,
          apiKey: config.OPENAI_API_KEY,
          chatModel: OPENAI_CHAT_MODEL,
          verifyModel: openAiVerifies,
          embedModel: OPENAI_EMBED_MODEL,
          rerankModel: OPENAI_RERANK_MODEL,
          embedDimension: config.OPENAI_EMBED_DIMENSION,
          ...times,
        };
  /** Cohere's model for a capability that the other server does not provide. */
  const left = (other: string | null | undefined, own: string | null) => (other == null ? own : null);
  const chatModel = left(openai?.chatModel, config.COHERE_CHAT_MODEL);
  const cohere =
    COHERE_API_KEY === null
      ? null
      : {
          apiKey: COHERE_API_KEY,
          baseUrl: config.COHERE_BASE_URL,
          chatModel,
          verifyModel: left(openai?.verifyModel, named(config.COHERE_VERIFY_MODEL ?? chatModel)),
          embedModel: left(openai?.embedModel, config.COHERE_EMBED_MODEL),
          rerankModel: left(openai?.rerankModel, config.COHERE_RERANK_MODEL),
          embedDimension: config.COHERE_EMBED_DIMENSION,
          ...times,
        };
  return cohere === null && openai === null ? null : { cohere, openai };
}

/** Whether the built-in embedder computes the vectors, in which case the search threads do it themselves. */
export const embedsOffline = ({ COHERE_API_KEY, OPENAI_EMBED_MODEL }: Config): boolean =>
  COHERE_API_KEY === null && OPENAI_EMBED_MODEL === null;

export interface OidcSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** The address to which the provider redirects the browser. */
  redirectUri: string;
  claim: string;
  /** Values of the claim. */
  admins: readonly string[];
  auditors: readonly string[];
}

/** Single sign-on to the console; null if there is none. */
export const oidcOf = (config: Config): OidcSettings | null =>
  config.DOCENT_OIDC_ISSUER === null
    ? null
    : {
        issuer: config.DOCENT_OIDC_ISSUER,
        clientId: config.DOCENT_OIDC_CLIENT_ID!,
        clientSecret: config.DOCENT_OIDC_CLIENT_SECRET!,
        scope: config.DOCENT_OIDC_SCOPE,
        redirectUri: `${config.DOCENT_PUBLIC_URL}/admin/single-sign-on/callback`,
        claim: config.DOCENT_OIDC_CLAIM,
        admins: config.DOCENT_OIDC_ADMINS,
        auditors: config.DOCENT_OIDC_AUDITORS,
      };

/** Prices and budgets of language models, in US dollars. */
export const spendingOf = (config: Config) => ({
  prices: {
    input: config.MODEL_PRICE_INPUT,
    output: config.MODEL_PRICE_OUTPUT,
    embed: config.MODEL_PRICE_EMBED,
    search: config.MODEL_PRICE_SEARCH,
  },
  budget: { day: config.DOCENT_BUDGET_DAY, month: config.DOCENT_BUDGET_MONTH },
});

/** The key that seals the history, and where its checkpoints go. If null, the history is not sealed. */
export const sealingOf = (config: Config) =>
  config.DOCENT_SEAL_KEY === null
    ? null
    : {
        key: config.DOCENT_SEAL_KEY,
        before: config.DOCENT_SEAL_KEY_BEFORE,
        to: config.DOCENT_SEAL_TO,
        everyMs: config.DOCENT_SEAL_SECONDS * 1_000,
      };
