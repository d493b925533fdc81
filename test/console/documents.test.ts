/** Documents in the console: uploads, withdrawals, corpora, embeddings. */
import { describe, expect, test } from 'vitest';
import { unable, useConsole } from './console.ts';

describe.skipIf(unable !== null)('the documents', () => {
  const opened = useConsole();
  const read = async (path: string) => (await opened.door.call('GET', path)).body;

  test('are uploaded several at a time, each with its outcome', async () => {
    const { page, complaints } = await opened.open('/documents/upload');
    await page.getByText('Drop files here').waitFor();
    await page.locator('input[type=file]').setInputFiles([
      {
        name: 'ferry.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Ferry\n\nThe ferry leaves at eight.\n'),
      },
      { name: 'empty.md', mimeType: 'text/markdown', buffer: Buffer.from('') },
    ]);
    await page.getByText('Added 1, revised 0, unchanged 0; chunks: 1.').waitFor();
    await page.getByText('file: Empty: zero bytes.').waitFor();
    await page.getByRole('link', { name: 'Ferry' }).click();
    await page.getByRole('dialog').getByText('The ferry leaves at eight.').waitFor();
    const { items } = await read('/admin/api/documents?search=ferry');
    expect(items).toMatchObject([{ doc_key: 'ferry', status: 'published' }]);
    // The browser reports the rejected empty file.
    expect(complaints).toEqual([expect.stringContaining('422')]);
  });

  test('are previewed before they are stored, and each revision can be viewed afterwards', async () => {
    const { page, complaints } = await opened.open('/documents/upload');
    const send = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({
          name: 'tug.md',
          mimeType: 'text/markdown',
          buffer: Buffer.from(`# Tug\n\n${text}\n`),
        });
    await page.getByRole('checkbox', { name: /Preview only/ }).check();
    await send('A tug waits at the pier.');
    await page.getByText(/1 chunks/).click();
    await page.getByText('A tug waits at the pier.').waitFor();
    expect((await read('/admin/api/documents?search=tug')).total).toBe(0);

    await page.getByRole('checkbox', { name: /Preview only/ }).uncheck();
    await send('A tug waits at the pier.');
    await page.getByText('Added 1, revised 0').waitFor();
    await send('A tug waits at the quay.');
    await page.getByText('Added 0, revised 1').waitFor();
    await page.getByRole('link', { name: 'Tug' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('tab', { name: 'Revisions' }).click();
    await drawer.getByText('A tug waits at the quay.').waitFor();
    await drawer.getByRole('combobox', { name: 'Compared with' }).click();
    await page.getByRole('option', { name: /Revision 1/ }).click();
    await expect.poll(() => drawer.locator('ins').allTextContents()).toEqual(['quay']);
    expect(await drawer.locator('del').allTextContents()).toEqual(['pier']);
    expect(complaints).toEqual([]);
  });

  test('are withdrawn after a confirmation, and restored', async () => {
    const { page, complaints } = await opened.open('/documents');
    await page.getByRole('cell', { name: 'Fish market' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    const question = page.getByRole('dialog', { name: 'Withdraw “Fish market”?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    const statusOf = async () => (await read('/admin/api/documents?search=fish')).items[0].status;
    expect(await statusOf()).toBe('published');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await question.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The document has been withdrawn.').waitFor();
    expect(await statusOf()).toBe('withdrawn');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The document has been restored.').waitFor();
    expect(await statusOf()).toBe('published');
    expect(complaints).toEqual([]);
  });

  test('belong to corpora, which are created and changed with their layers', async () => {
    const { page, complaints } = await opened.open('/documents/corpora');
    await page.getByRole('button', { name: 'New corpus' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Id').fill('hand book');
    await form.getByRole('textbox', { name: 'Title' }).fill('Handbook');
    await form.getByRole('button', { name: 'Add a layer' }).click();
    await form.getByLabel('Name').fill('rules');
    await form.getByRole('button', { name: 'Create' }).click();
    expect(await form.getByLabel('Id').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Id').fill('handbook');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Saved.').waitFor();

    await page.getByRole('cell', { name: 'handbook', exact: true }).click();
    await form.getByRole('checkbox', { name: 'Active' }).uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    const handbook = async () => {
      const { items } = await read('/admin/api/corpora');
      return items.find(({ corpus_id }: { corpus_id: string }) => corpus_id === 'handbook');
    };
    await expect
      .poll(handbook)
      .toMatchObject({
        title: 'Handbook',
        is_active: false,
        layers: [{ name: 'rules', kind: 'text', visibility: 'public' }],
      });
    await page.getByRole('cell', { name: 'Inactive' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('get their vectors from a job whose progress is shown even after a reload', async () => {
    const { page, complaints } = await opened.open('/documents/embeddings');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Backfill: Complete' }).waitFor();
    const job = new URL(page.url()).searchParams.get('job');
    expect((await read(`/admin/api/backfills/${job}`)).status).toBe('completed');
    await page.reload();
    await page.getByRole('heading', { name: 'Backfill: Complete' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
