/** The interactive reference in a real browser, over the real service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { complaintsOf, launch, missing } from './browser.ts';

describe.skipIf(missing !== null)('the reference', () => {
  let door: OpenedDoor;
  let address: string;
  beforeAll(async () => {
    door = await openDoor();
    address = await door.server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => door.close());

  test('sends a question and a form from the page', async () => {
    const browser = await launch();
    const context = await browser.newContext({
      httpCredentials: { username: 'olga', password: 'пароль: с двоеточием' },
    });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${address}/docs`);

    const ask = page.locator('#ask');
    await ask.locator('summary').click();
    await ask.locator('textarea').fill('{"query":"When does the fish market open?"}');
    await ask.getByRole('button', { name: 'Send' }).click();
    await ask.getByText('at five in the morning').waitFor();

    const upload = page.locator('#admin_upload_document');
    await upload.locator('summary').click();
    await upload.getByLabel('corpus_id *').fill('krk_2026');
    await upload.getByLabel('file *').setInputFiles({
      name: 'ferry.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Ferry\n\nThe ferry leaves at eight in the morning.\n'),
    });
    await upload.getByRole('button', { name: 'Send' }).click();
    await upload.getByText('201 Created').waitFor();
    await upload.getByText('"added": 1').waitFor();
    expect(complaints).toEqual([]);
    await browser.close();
  });
});
