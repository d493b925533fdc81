import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

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

test('every fault is reported at once, and no secret is repeated', () => {
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

test('administrators are name, role and hash', () => {
  const hash = `scrypt.15.8.1.${'a'.repeat(22)}.${'b'.repeat(43)}`;
  const { DOCENT_ADMINS } = readConfig({ DOCENT_ADMINS: `ann:admin:${hash}, bob:auditor:${hash}` }, nowhere);
  expect(DOCENT_ADMINS).toEqual([
    { name: 'ann', role: 'admin', hash },
    { name: 'bob', role: 'auditor', hash },
  ]);
});

test('the environment wins over the .env file, an empty value counts as unset', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-env-'));
  const file = join(folder, '.env');
  writeFileSync(file, 'PORT=9000\nHOST=0.0.0.0\nDOCENT_DATA="/srv/a b"\n');
  expect(readConfig({ PORT: '9001', DOCENT_DEFAULT_CORPUS: '' }, file)).toMatchObject({
    PORT: 9001,
    HOST: '0.0.0.0',
    DOCENT_DATA: '/srv/a b',
    DOCENT_DEFAULT_CORPUS: 'krk_2026',
  });
  rmSync(folder, { recursive: true });
});

test('what may be asked where is a list of places, and what belongs together comes together', () => {
  const { TELEGRAM_CORPORA } = readConfig({ TELEGRAM_CORPORA: '*: a b, -100:c , 5:' }, nowhere);
  expect(TELEGRAM_CORPORA).toEqual(
    new Map([
      ['*', ['a', 'b']],
      ['-100', ['c']],
      ['5', []],
    ]),
  );
  expect(() => readConfig({ SLACK_CORPORA: 'handbook' }, nowhere)).toThrow('SLACK_CORPORA must be entries');
  expect(() => readConfig({ SLACK_CORPORA: '*:a,*:b' }, nowhere)).toThrow('twice');
  expect(() => readConfig({ SLACK_BOT_TOKEN: 'xoxb-1' }, nowhere)).toThrow('SLACK_APP_TOKEN');
  const webhook = { TELEGRAM_BOT_TOKEN: '1:a', TELEGRAM_WEBHOOK_URL: 'https://x.org/t' };
  expect(() => readConfig(webhook, nowhere)).toThrow('TELEGRAM_WEBHOOK_SECRET');
  expect(() => readConfig({ ...webhook, TELEGRAM_WEBHOOK_SECRET: 'a b' }, nowhere)).toThrow('letters');
  expect(readConfig({ ...webhook, TELEGRAM_WEBHOOK_SECRET: 'a-b_1' }, nowhere)).toMatchObject(webhook);
});
