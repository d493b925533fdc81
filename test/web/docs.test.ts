/** The interactive reference in a real browser, over the real service, and attacks on it from another site. */
import { createServer } from 'node:http';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { listen } from '../support/listen.ts';
import { complaintsOf, launch, missing } from './browser.ts';

describe.skipIf(missing !== null)("in a browser with an administrator's credentials", () => {
  let door: OpenedDoor;
  let address: string;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    door = await openDoor();
    address = await door.server.listen({ host: '127.0.0.1', port: 0 });
    browser = await launch();
    context = await browser.newContext({
      httpCredentials: { username: 'olga', password: 'пароль: с двоеточием' },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await door.close();
  });

  test('the reference sends a question and a form within its policy', async () => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${address}/docs`);

    const ask = page.locator('#operations-Questions-ask');
    await ask.locator('.opblock-summary').click();
    await ask.locator('textarea').first().fill('{"query":"When does the fish market open?"}');
    await ask.getByRole('button', { name: 'Execute' }).click();
    await ask.getByText('at five in the morning').first().waitFor();

    const upload = page.locator('#operations-Administration-admin_upload_document');
    await upload.locator('.opblock-summary').click();
    const field = (name: string) => upload.locator(`tr[data-property-name="${name}"] input`).first();
    await field('corpus_id').fill('krk_2026');
    await field('file').setInputFiles({
      name: 'ferry.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Ferry\n\nThe ferry leaves at eight in the morning.\n'),
    });
    const sent = page.waitForResponse((reply) => reply.url().endsWith('/admin/api/documents'));
    await upload.getByRole('button', { name: 'Execute' }).click();
    const reply = await sent;
    expect([reply.status(), (await reply.json()).documents]).toMatchObject([
      201,
      [{ doc_key: 'ferry', title: 'Ferry', lang: 'en' }],
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a form on another site changes nothing', async () => {
    await door.call('POST', '/admin/api/api-keys', { name: 'Portal' });
    const page = await context.newPage();
    // From here on, the browser remembers the credentials.
    await page.goto(`${address}/admin/api/config`);
    const foreign = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html; charset=utf-8');
      reply.end(
        ['api-keys/1/revoke', 'backfill-embeddings', 'documents']
          .map(
            (path, i) =>
              `<form id="f${i}" method="post" enctype="${i === 2 ? 'multipart/form-data' : 'text/plain'}"
                  action="${address}/admin/api/${path}"><input name="a" value="b"></form>`,
          )
          .join(''),
      );
    });
    // A different site: another host, not only another port.
    const site = (await listen(foreign)).replace('127.0.0.1', 'localhost');
    for (const form of ['f0', 'f1', 'f2']) {
      const page = await context.newPage();
      await page.goto(site);
      const answered = page.waitForResponse((reply) => reply.request().method() === 'POST');
      await page
        .locator(`#${form}`)
        .evaluate((element) => (element as unknown as { submit(): void }).submit());
      const reply = await answered;
      expect(await reply.request().headerValue('authorization')).toMatch(/^Basic /);
      expect([form, reply.status()]).toEqual([form, 403]);
      await page.close();
    }
    const { items } = (await door.call('GET', '/admin/api/api-keys')).body;
    expect(items).toMatchObject([{ key_id: 1, revoked_at: null }]);
    foreign.close();
    await page.close();
  });
});
