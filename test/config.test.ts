import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, embedsOffline, modelsOf, readConfig } from '../src/config.ts';
import { newFolder } from './support/folder.ts';

const nowhere = '/nonexistent/.env';

test('an empty environment gives the defaults', () => {
  expect(readConfig({}, nowhere)).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8080,
    DOCENT_DATA: './data',
    DOCENT_DEFAULT_CORPUS: 'krk_2026',
    DOCENT_ADMINS: [],
    DOCENT_PUBLIC: 'open',
    DOCENT_PUBLIC_RPM: 30,
    DOCENT_PUBLIC_RPH: 300,
    DOCENT_TRUST_PROXY: [],
    DOCENT_CORS_ORIGINS: ['*'],
    EVENTSTOREDB_URL: null,
    LOG_LEVEL: 'info',
  });
});

test('all errors are reported together, without repeating a secret', () => {
  const env = {
    PORT: 'eighty',
    DOCENT_PUBLIC: 'maybe',
    DOCENT_ADMINS: 'root:admin:hunter2',
    EVENTSTOREDB_URL: 'http://user:pass@x',
    LOG_LEVEL: 'loud',
    DOCENT_PUBLIC_RPM: '-1',
  };
  let error: unknown;
  try {
    readConfig(env, nowhere);
  } catch (e) {
    error = e;
  }
  expect(error).toBeInstanceOf(ConfigError);
  const { faults } = error as ConfigError;
  expect(faults.map((f) => f.split(' ')[0]).sort()).toEqual([
    'DOCENT_ADMINS',
    'DOCENT_PUBLIC',
    'DOCENT_PUBLIC_RPM',
    'EVENTSTOREDB_URL',
    'LOG_LEVEL',
    'PORT',
  ]);
  expect(faults.join()).not.toMatch(/hunter2|pass@/);
});

test('administrators consist of name, role and hash', () => {
  const hash = `scrypt.15.8.1.${'a'.repeat(22)}.${'b'.repeat(43)}`;
  const { DOCENT_ADMINS } = readConfig({ DOCENT_ADMINS: `ann:admin:${hash}, bob:auditor:${hash}` }, nowhere);
  expect(DOCENT_ADMINS).toEqual([
    { name: 'ann', role: 'admin', hash },
    { name: 'bob', role: 'auditor', hash },
  ]);
});

test('the environment overrides the .env file, and an empty value counts as unset', () => {
  const folder = newFolder('env', { '.env': 'PORT=9000\nHOST=0.0.0.0\nDOCENT_DATA="/srv/a b"\n' });
  const file = join(folder, '.env');
  expect(readConfig({ PORT: '9001', DOCENT_DEFAULT_CORPUS: '' }, file)).toMatchObject({
    PORT: 9001,
    HOST: '0.0.0.0',
    DOCENT_DATA: '/srv/a b',
    DOCENT_DEFAULT_CORPUS: 'krk_2026',
  });
});

test('corpora by chat are a list of places, and related settings must be given together', () => {
  const { TELEGRAM_CORPORA } = readConfig({ TELEGRAM_CORPORA: '*: a b, -100:c , 5:' }, nowhere);
  expect(TELEGRAM_CORPORA).toEqual(
    new Map([
      ['*', ['a', 'b']],
      ['-100', ['c']],
      ['5', []],
    ]),
  );
  expect(() => readConfig({ SLACK_CORPORA: 'handbook' }, nowhere)).toThrow(
    'SLACK_CORPORA must be a comma-separated list of entries',
  );
  expect(() => readConfig({ SLACK_CORPORA: '*:a,*:b' }, nowhere)).toThrow('twice');
  expect(() => readConfig({ SLACK_BOT_TOKEN: 'xoxb-1' }, nowhere)).toThrow('SLACK_APP_TOKEN');
  const webhook = { TELEGRAM_BOT_TOKEN: '1:a', TELEGRAM_WEBHOOK_URL: 'https://x.org/t' };
  expect(() => readConfig(webhook, nowhere)).toThrow('TELEGRAM_WEBHOOK_SECRET');
  expect(() => readConfig({ ...webhook, TELEGRAM_WEBHOOK_SECRET: 'a b' }, nowhere)).toThrow('letters');
  expect(readConfig({ ...webhook, TELEGRAM_WEBHOOK_SECRET: 'a-b_1' }, nowhere)).toMatchObject(webhook);
});

test('without a key or a server no model is used', () => {
  const config = readConfig({}, nowhere);
  expect(modelsOf(config)).toBeNull();
  expect(embedsOffline(config)).toBe(true);
  expect(modelsOf(readConfig({ OPENAI_BASE_URL: 'http://localhost/v1' }, nowhere))).toBeNull();
});

test.each<[string, NodeJS.ProcessEnv, cohere: unknown, openai: unknown, offline: boolean]>([
  [
    'everything from Cohere',
    { COHERE_API_KEY: 'k' },
    ['command-a-03-2025', 'command-a-03-2025', 'embed-v4.0', 'rerank-v4.0-pro'],
    null,
    false,
  ],
  [
    'a different second reader from Cohere',
    { COHERE_API_KEY: 'k', COHERE_VERIFY_MODEL: 'command-r' },
    ['command-a-03-2025', 'command-r', 'embed-v4.0', 'rerank-v4.0-pro'],
    null,
    false,
  ],
  [
    'no second reader, no vectors',
    { COHERE_API_KEY: 'k', COHERE_VERIFY_MODEL: 'off', COHERE_EMBED_MODEL: 'off' },
    ['command-a-03-2025', null, null, 'rerank-v4.0-pro'],
    null,
    false,
  ],
  ['a self-hosted chat model', { OPENAI_CHAT_MODEL: 'q' }, null, ['q', 'q', null, null], true],
  [
    'a self-hosted chat model without a second reading',
    { OPENAI_CHAT_MODEL: 'q', OPENAI_VERIFY_MODEL: 'off' },
    null,
    ['q', null, null, null],
    true,
  ],
  ['a self-hosted embedder', { OPENAI_EMBED_MODEL: 'b' }, null, [null, null, 'b', null], false],
  [
    'a self-hosted chat model alongside Cohere',
    { COHERE_API_KEY: 'k', OPENAI_CHAT_MODEL: 'q' },
    [null, null, 'embed-v4.0', 'rerank-v4.0-pro'],
    ['q', 'q', null, null],
    false,
  ],
  [
    'a second reading by Cohere of a self-hosted chat model',
    { COHERE_API_KEY: 'k', OPENAI_CHAT_MODEL: 'q', OPENAI_VERIFY_MODEL: 'off', COHERE_VERIFY_MODEL: 'c' },
    [null, 'c', 'embed-v4.0', 'rerank-v4.0-pro'],
    ['q', null, null, null],
    false,
  ],
  [
    "a self-hosted second reading of Cohere's chat, and self-hosted embedding and reranking",
    {
      COHERE_API_KEY: 'k',
      OPENAI_VERIFY_MODEL: 'q',
      OPENAI_EMBED_MODEL: 'BAAI/bge-m3',
      OPENAI_RERANK_MODEL: 'r',
    },
    ['command-a-03-2025', null, null, null],
    [null, 'q', 'BAAI/bge-m3', 'r'],
    false,
  ],
])('models: %s', (_, env, cohere, openai, offline) => {
  const config = readConfig({ OPENAI_BASE_URL: 'http://localhost/v1', ...env }, nowhere);
  const used = modelsOf(config);
  const names = (one: NonNullable<typeof used>['cohere' | 'openai'] | undefined) =>
    one ? [one.chatModel, one.verifyModel, one.embedModel, one.rerankModel] : null;
  expect([names(used?.cohere), names(used?.openai)]).toEqual([cohere, openai]);
  expect(embedsOffline(config)).toBe(offline);
});

test('models on a server need its address', () => {
  expect(() => readConfig({ OPENAI_CHAT_MODEL: 'q', OPENAI_RERANK_MODEL: 'r' }, nowhere)).toThrow(
    'OPENAI_BASE_URL must be set to use OPENAI_CHAT_MODEL, OPENAI_RERANK_MODEL.',
  );
  expect(() => readConfig({ OPENAI_CHAT_MODEL: 'off', OPENAI_VERIFY_MODEL: 'off' }, nowhere)).not.toThrow();
});
