/** Checkpoints that a running service creates, serves and publishes, over each log. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { newSigningKey, readSigningKey } from '../../src/history/signed-note.ts';
import { buildServer } from '../../src/http/server.ts';
import { storyConfig, takeIn, writeLibrary } from '../stories/story.ts';
import { newFolder } from '../support/folder.ts';
import { testNamespace, withEventStore } from '../support/servers.ts';

const secret = newSigningKey('docent.example');
const { verifying } = readSigningKey(secret);

let folder: string;
const opened: App[] = [];
beforeEach(() => {
  folder = newFolder('sealed');
  writeLibrary(join(folder, 'library'));
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function open(more: Partial<Config>): Promise<App> {
  const app = await openApp({ ...storyConfig(folder, {}), ...more }, { asksSoon: false });
  opened.push(app);
  return app;
}

const served = (app: App) =>
  buildServer(app, { corsOrigins: '*', trustProxy: false }).inject('/api/transparency/checkpoint');

it('makes no checkpoint without a key, or for an empty history', async () => {
  const { body, statusCode } = await served(await open({}));
  expect({ statusCode, body }).toMatchObject({
    statusCode: 404,
    body: expect.stringContaining('no checkpoint'),
  });
  const sealing = await open({ DOCENT_SEAL_KEY: secret, DOCENT_DATA: join(folder, 'empty') });
  await sealing.sealing!.seal();
  expect((await served(sealing)).statusCode).toBe(404);
});

function sealsSuite(log: () => Partial<Config>): void {
  it('serves a checkpoint as sealed, with the key to verify it, and copies it elsewhere', async () => {
    const config = { ...log(), DOCENT_SEAL_KEY: secret, DOCENT_SEAL_TO: join(folder, 'kept') };
    const app = await open(config);
    await takeIn(app, folder);
    await app.sealing!.seal();
    const reply = await served(app);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-docent-key': verifying.text,
    });
    expect(reply.body).toMatch(/^docent\.example\n\d+\n/);
    expect(readFileSync(join(folder, 'kept', 'latest.checkpoint'), 'utf8')).toBe(reply.body);
    // Another instance has the same checkpoint, and nothing to seal.
    const other = await open(config);
    await other.sealing!.seal();
    expect((await served(other)).body).toBe(reply.body);
    expect(other.health().components.event_log).toBe('ok');
  });
}
describe('checkpoints over files', () => sealsSuite(() => ({})));
withEventStore('over EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  sealsSuite(() => ({ EVENTSTOREDB_URL: server.url, DOCENT_NAMESPACE: testNamespace() }));
});

it('is posted to an address, and posted again after an error', async () => {
  const posted: string[] = [];
  let status = 500;
  const receiver = createServer(async (request, response) => {
    posted.push(await text(request));
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  try {
    const app = await open({ DOCENT_SEAL_KEY: secret, DOCENT_SEAL_TO: `http://127.0.0.1:${port}/` });
    await takeIn(app, folder);
    await expect(app.sealing!.seal()).rejects.toMatchObject({ code: 'unavailable' });
    status = 200;
    await app.sealing!.seal();
    const { length } = posted;
    await app.sealing!.seal();
    expect(posted.at(-1)).toBe((await served(app)).body);
    expect(posted).toHaveLength(length);
  } finally {
    receiver.close();
  }
});

it('is configured by a key, or by a file that contains one', () => {
  expect(() => readConfig({ DOCENT_SEAL_KEY: 'nonsense' }, '/dev/null')).toThrow();
  expect(readConfig({ DOCENT_SEAL_KEY: secret }, '/dev/null').DOCENT_SEAL_KEY).toBe(secret);
});
