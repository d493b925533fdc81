/** The history in the console: browsing, following, comparing, and verifying proofs in the browser. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { newSigningKey, readSigningKey } from '../../src/history/signed-note.ts';
import { unable, useConsole } from './console.ts';

const run = promisify(execFile);
const docent = fileURLToPath(new URL('../../src/docent.js', import.meta.url));
const secret = newSigningKey('docent.example');
const publicKey = readSigningKey(secret).verifying.text;

describe.skipIf(unable !== null)('the history', () => {
  const opened = useConsole();
  const ask = (query: string) => opened.door.call('POST', '/api/ask', { query });

  test('is browsed by type, and an event leads to all events of its request', async () => {
    await ask('When does the fish market open?');
    const { page, complaints } = await opened.open('/history?type=AnswerGiven');
    await page
      .getByRole('row', { name: /AnswerGiven/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByText(/fish market/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'All events of this request' }).click();
    await page.getByRole('cell', { name: 'QuestionAsked' }).waitFor();
    expect(new URL(page.url()).searchParams.get('correlation_id')).not.toBeNull();
    expect(complaints).toEqual([]);
  });

  test('is followed as it grows, and continues after a pause', async () => {
    const { page, complaints } = await opened.open('/history/live?type=QuestionAsked');
    await page.getByText('Following').waitFor();
    await ask('What is off at night?');
    await page.getByRole('cell', { name: 'QuestionAsked' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await ask('And by day?');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => page.getByRole('cell', { name: 'QuestionAsked' }).count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  test('shows the differences between two moments', async () => {
    const { items } = (await opened.door.call('GET', '/admin/api/events?direction=forwards&limit=500')).body;
    // No document is registered at the first moment. Later, all may be, if their files were read at the same time.
    const [first, last] = [items[0].position, items.at(-1).position];
    const { page, complaints } = await opened.open('/history/moments');
    await page.getByLabel('From (to compare)', { exact: true }).fill(first);
    await page.getByLabel('Moment', { exact: true }).fill(last);
    await page.getByRole('combobox', { name: 'Read model' }).click();
    await page.getByRole('option', { name: 'documents' }).click();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Added').first().waitFor();
    await page.getByRole('link', { name: 'Documents' }).last().click();
    await page.getByText(/^Shown as of/).waitFor();
    await page.getByRole('button', { name: 'Back to the present' }).click();
    await page.getByText('Fish market').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(unable !== null)('a sealed history', () => {
  const opened = useConsole({ DOCENT_SEAL_KEY: secret });

  /** Created on the command line, as an auditor would. */
  async function proofOf(eventId: string): Promise<string> {
    const env = { ...process.env, DOCENT_DATA: join(opened.door.folder, 'data') };
    return (await run(process.execPath, [docent, 'prove', eventId], { env })).stdout;
  }

  test('is proved in the browser with and without its key, but not if it was changed', async () => {
    await opened.door.call('POST', '/api/ask', { query: 'When does the fish market open?' });
    await opened.door.app.sealing!.seal();
    const { items } = (await opened.door.call('GET', '/admin/api/events?type=QuestionAsked')).body;
    const proof = await proofOf(items[0].id);
    const { page, complaints } = await opened.open('/history?type=QuestionAsked');
    await page.getByRole('cell', { name: 'QuestionAsked' }).first().click();
    await page.getByRole('link', { name: 'Prove' }).click();
    expect(await page.getByLabel('Proof', { exact: true }).inputValue()).toBe(proof);
    await page.getByText('Events covered').waitFor();
    const check = async (text: string, key: string) => {
      await page.getByLabel('Proof', { exact: true }).fill(text);
      await page.getByLabel('Public key').fill(key);
      await page.getByRole('button', { name: 'Check' }).click();
    };

    await check(proof, publicKey);
    await page.getByText('The proof is valid').waitFor();
    await page.getByText('The last checkpoint of the service is signed by this key.').waitFor();
    await page.getByText('Signed by the given key.').waitFor();
    await check(proof, '');
    await page.getByText('The hashes are valid; the signature was not checked').waitFor();
    await check(proof, readSigningKey(newSigningKey('docent.example')).verifying.text);
    await page.getByText('The proof is not valid').waitFor();
    await page.getByText('Not signed by the given key.').waitFor();

    const [, extra = ''] = /^extra (.*)$/m.exec(proof) ?? [];
    const changed = Buffer.from(extra, 'base64').toString().replace('"channel":"http"', '"channel":"cli_"');
    await check(proof.replace(extra, Buffer.from(changed).toString('base64')), publicKey);
    await page.getByText('The proof is not valid').waitFor();
    await page.getByText('Not valid', { exact: true }).waitFor();
    await check('no proof', publicKey);
    await page.getByText('This is not a proof, or it is damaged.').waitFor();
    expect(complaints).toEqual([]);
  });
});
