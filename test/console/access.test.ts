/** Prompts, keys, chats, the audit log and forgetting in the console. */
import { describe, expect, test } from 'vitest';
import { unable, useConsole } from './console.ts';

describe.skipIf(unable !== null)('access', () => {
  const opened = useConsole();
  const read = async (path: string) => (await opened.door.call('GET', path)).body;

  test('by keys: a key is shown once, copied, used and revoked, and the audit log names the actor', async () => {
    const { page, complaints, context } = await opened.open('/access');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New key' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('Portal <b>');
    await drawer.getByRole('button', { name: 'Create' }).click();
    await drawer.getByText('Copy the key now').waitFor();
    await drawer.getByRole('button', { name: 'Copy' }).click();
    const key = String(await page.evaluate('navigator.clipboard.readText()'));
    const asked = { query: 'When does the fish market open?' };
    expect((await opened.door.call('POST', '/api/ask', asked, { 'x-api-key': key })).status).toBe(200);
    await drawer.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('cell', { name: 'Portal <b>' }).click();
    await drawer.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “Portal <b>”?' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key has been revoked.').waitFor();
    expect((await opened.door.call('POST', '/api/ask', asked, { 'x-api-key': key })).status).toBe(401);
    expect(await page.content()).not.toContain(key);

    await page.goto('/admin/access/audit?action=api_key.revoke');
    await page.getByRole('cell', { name: 'olga' }).click();
    await page.getByRole('dialog').getByText('api_key.revoke').waitFor();
    expect(complaints).toEqual([]);
  });

  test('to channels: only the given settings are changed', async () => {
    const { page, complaints } = await opened.open('/access/chats');
    await page.getByRole('textbox', { name: 'Channel or group' }).fill('C024BE91L');
    await page.getByRole('button', { name: 'Open its settings' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('checkbox', { name: 'Do not reply if no source has an answer' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await read('/admin/api/chats/slack/C024BE91L')).toMatchObject({
      silent: true,
      muted: false,
      language: null,
      corpora: null,
      changed_by: 'olga',
    });
    expect(complaints).toEqual([]);
  });

  test('to the prompt: a change is previewed before it is saved, and an earlier version can be restored', async () => {
    const { content } = await read('/admin/api/system-prompt');
    const { page, complaints } = await opened.open('/answers/prompt');
    const prompt = page.getByRole('textbox');
    await prompt.fill(`${content} Answer like a pilot.`);
    await page.getByRole('heading', { name: 'Your change' }).waitFor();
    expect(await page.locator('ins').allTextContents()).toEqual([expect.stringContaining('pilot')]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The prompt is now in use.').waitFor();
    expect((await read('/admin/api/system-prompt')).content).toContain('pilot');
    await page.getByRole('navigation', { name: 'Prompt versions' }).getByRole('link').last().click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await expect.poll(async () => (await read('/admin/api/system-prompt')).content).toBe(content);
    expect(complaints).toEqual([]);
  });

  test('to a person’s words ends when the person is forgotten', async () => {
    const { request_id } = (await opened.door.call('POST', '/api/ask', { query: 'Is the lighthouse green?' }))
      .body;
    const { asked } = await read(`/admin/api/asks/${request_id}`);
    const { page, complaints } = await opened.open(`/questions?ask=${request_id}`);
    await page.getByRole('link', { name: 'Forget this person' }).click();
    expect(await page.getByLabel('Person').inputValue()).toBe(asked.subject);
    await page.getByLabel('Repeat the name').fill('somebody else');
    await page.getByRole('button', { name: 'Forget permanently' }).click();
    await page.getByText('This differs from the name above.').waitFor();
    await page.getByLabel('Repeat the name').fill(asked.subject);
    await page.getByRole('button', { name: 'Forget permanently' }).click();
    await page.getByText(`Forgotten: ${asked.subject}.`).waitFor();
    expect((await read(`/admin/api/asks/${request_id}`)).asked).toMatchObject({ forgotten: true, query: '' });
    expect(complaints).toEqual([]);
  });
});
