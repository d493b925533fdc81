/** Signing in to the console and signing out, and the buttons an auditor sees. */
import { describe, expect, test } from 'vitest';
import { passwords, unable, useConsole } from './console.ts';

describe.skipIf(unable !== null)('a user', () => {
  const opened = useConsole();

  test('signs in after a wrong password, returns to the original page, and signs out', async () => {
    const { page, context } = await opened.open('/documents?corpus_id=krk_2026', { name: null });
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your name.').waitFor();
    await page.getByLabel('Name').fill('olga');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The name or the password is wrong.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(passwords.olga);
    await page.keyboard.press('Enter');
    await page.getByText('Fish market').first().waitFor();
    expect(new URL(page.url()).search).toBe('?corpus_id=krk_2026');

    await page.getByRole('button', { name: /olga/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    expect((await context.request.get('/admin/session')).status()).toBe(401);
  });

  test.each([
    'https://example.org/',
    '//example.org/admin',
    'javascript:alert(1)',
    '/api/ask',
    '/administrators',
  ])('is never redirected to %s after signing in', async (target) => {
    const { page, complaints } = await opened.open(
      `/sign-in?return=${encodeURIComponent(JSON.stringify(target))}`,
      { name: null },
    );
    await page.getByLabel('Name').fill('olga');
    await page.getByLabel('Password', { exact: true }).fill(passwords.olga);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin).toBe(opened.address);
    expect(complaints).toEqual([]);
  });

  test('whose session has ended is redirected to the sign-in page, and back', async () => {
    const { page, context } = await opened.open('/access/audit?actor=olga', { own: true });
    await page.getByText('admin.sign_in').first().waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    await page.getByLabel('Name').fill('olga');
    await page.getByLabel('Password', { exact: true }).fill(passwords.olga);
    await page.keyboard.press('Enter');
    await page.getByText('DOCENT_DEFAULT_CORPUS').waitFor();
  });

  test('with the auditor role sees no forbidden buttons', async () => {
    await opened.door.call('POST', '/admin/api/api-keys', { name: 'Portal' });
    await opened.door.call('POST', '/api/ask', { query: 'Who won the match?' });
    const places: [path: string, there: string, button: RegExp][] = [
      ['/access', 'Portal', /New key/],
      ['/access?key=1', 'Questions asked with this key', /Revoke/],
      ['/questions/unanswered', 'Who won the match?', /Write an answer|Upload/],
      ['/documents?doc=1', 'Document events in the history', /Withdraw/],
      ['/documents/corpora', 'Harbour rules', /New corpus/],
      ['/documents/corpora?corpus=krk_2026', 'Layers in order of precedence', /Save|layer|Remove/],
      ['/documents/embeddings', 'All corpora', /Start/],
      ['/answers', 'There are no curated answers yet', /Write an answer/],
      ['/answers/prompt', 'The instructions that a language model receives before each question.', /Save/],
      ['/access/forgetting', 'Your role does not permit this. Ask an administrator.', /Forget/],
      ['/documents/upload', 'Your role does not permit this. Ask an administrator.', /Drop/],
    ];
    const { page, complaints } = await opened.open('', { name: 'aidar' });
    for (const [path, there, button] of places) {
      await page.goto(`/admin${path}`);
      await page.getByText(there).first().waitFor();
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  });
});
