/** The findings of `docent doctor`, for a configuration and for servers with various replies. */
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DoctorDeps, examine, type Finding } from '../../src/cli/doctor.ts';
import { ended, startCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';

const token = 'a-token-nobody-may-see';
let server: Server;
let base: string;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    asked.push(url);
    const isRight = headers.authorization === `Bearer ${token}` || url.includes(token);
    const isChat = /auth.test|getMe/.test(url);
    response.writeHead(isRight || isChat ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isChat ? { ok: isRight, error: token } : { detail: token }));
  });
  base = await listen(server);
});
afterAll(() => server.close());

const folder = newFolder('doctor');
const deps = (env: NodeJS.ProcessEnv, more: Partial<DoctorDeps> = {}): DoctorDeps => ({
  env: { DOCENT_DATA: join(folder, 'data'), ...env },
  fetch,
  now: () => Date.now(),
  nodeVersion: '24.1.0',
  freeBytes: async () => 50 * 1024 ** 3,
  ...more,
});
const states = (findings: Finding[], check: string) =>
  findings.filter((one) => one.check === check).map(({ state }) => state);

test('finds no faults in an empty configuration', async () => {
  const findings = await examine(deps({}));
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
  expect(states(findings, 'administrators')).toEqual(['warning']);
  expect(findings.every(({ state, next }) => (state === 'ok') === (next === null))).toBe(true);
});

test('finds an old Node, a full disk, a folder owned by others and wrong settings', async () => {
  const old = await examine(deps({}, { nodeVersion: '22.9.0', freeBytes: async () => 1000 }));
  expect([states(old, 'Node'), states(old, 'disk')]).toEqual([['fault'], ['fault']]);
  const low = await examine(deps({}, { freeBytes: async () => 1024 ** 3 }));
  expect(states(low, 'disk')).toEqual(['warning']);
  const data = join(folder, 'open');
  mkdirSync(data);
  chmodSync(data, 0o755);
  expect(states(await examine(deps({ DOCENT_DATA: data })), 'permissions')).toEqual(['warning']);
  const wrong = await examine(deps({ PORT: token, DOCENT_PUBLIC: token }));
  expect(states(wrong, 'configuration')).toEqual(['fault', 'fault']);
  expect(JSON.stringify(wrong)).not.toContain(token);
});

test('checks tokens, and never shows them', async () => {
  const env = {
    OPENAI_BASE_URL: `${base}/v1`,
    OPENAI_CHAT_MODEL: 'm',
    OPENAI_API_KEY: token,
    SLACK_BOT_TOKEN: token,
    SLACK_APP_TOKEN: token,
    SLACK_API_URL: `${base}/slack`,
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_URL: `${base}/telegram`,
  };
  const right = await examine(deps(env));
  for (const check of ['models of OPENAI_BASE_URL', 'Slack', 'Telegram'])
    expect([check, states(right, check)]).toEqual([check, ['ok']]);
  expect(asked).toEqual(
    expect.arrayContaining(['/v1/models', '/slack/auth.test', `/telegram/bot${token}/getMe`]),
  );
  const wrong = await examine(
    deps({ ...env, OPENAI_API_KEY: 'x', SLACK_BOT_TOKEN: 'x', TELEGRAM_BOT_TOKEN: '1:x' }),
  );
  for (const check of ['models of OPENAI_BASE_URL', 'Slack', 'Telegram'])
    expect([check, states(wrong, check)]).toEqual([check, ['fault']]);
  expect(JSON.stringify([right, wrong])).not.toContain(token);
  const late = await examine(deps(env, { now: () => Date.now() + 3_600_000 }));
  expect(states(late, 'clock')).toContain('fault');
});

test('names unreachable servers without their passwords', async () => {
  const port = await freePort();
  const findings = await examine(
    deps({
      EVENTSTOREDB_URL: `esdb://admin:${token}@127.0.0.1:${port}?tls=false`,
      REDIS_URL: `redis://:${token}@127.0.0.1:${port}`,
    }),
  );
  expect([states(findings, 'EventStoreDB'), states(findings, 'Redis')]).toEqual([['fault'], ['fault']]);
  expect(JSON.stringify(findings)).toContain(`127.0.0.1:${port} cannot be reached`);
  expect(JSON.stringify(findings)).not.toContain(token);
});

test('has a separate exit status if it finds a fault', async () => {
  const run = (env: NodeJS.ProcessEnv) => ended(startCommand(folder, ['doctor'], env));
  const [well, ill] = await Promise.all([run({}), run({ PORT: 'x' })]);
  expect(well).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok +Node: /m) });
  expect(ill).toMatchObject({ status: 1, stdout: expect.stringMatching(/^fault +configuration: PORT /m) });
});

test('checks that the single sign-on provider responds under the configured issuer', async () => {
  const oidc = (issuer: string) =>
    examine(
      deps({
        DOCENT_OIDC_ISSUER: issuer,
        DOCENT_OIDC_CLIENT_ID: 'docent',
        DOCENT_OIDC_CLIENT_SECRET: token,
        DOCENT_PUBLIC_URL: 'https://docent.example',
        DOCENT_OIDC_ADMINS: 'admins',
      }),
    );
  const provider = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer: `http://${request.headers.host}/staff` }));
  });
  const address = await listen(provider);
  expect(states(await oidc(`${address}/staff`), 'single sign-on')).toEqual(['ok']);
  expect(states(await oidc(`${address}/guests`), 'single sign-on')).toEqual(['fault']);
  await new Promise((done) => provider.close(done));
  expect(states(await oidc(`${address}/staff`), 'single sign-on')).toEqual(['fault']);
});
