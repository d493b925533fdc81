/** Attacks on the console with hostile pages, hostile text, and stolen or planted cookies. */
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { unable, useConsole } from './console.ts';

const markup = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';

describe.skipIf(unable !== null)('the console under attack', () => {
  const opened = useConsole();
  /** A page of another origin on the same host, which receives even SameSite=Strict cookies. */
  let foreign: Server;
  let foreignAddress: string;
  let foreignPage = '';
  beforeAll(async () => {
    foreign = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html; charset=utf-8');
      reply.end(`<!doctype html><html lang="en"><title>Prize</title>${foreignPage}</html>`);
    });
    foreignAddress = `${await listen(foreign)}/`;
  });
  afterAll(() => {
    foreign.closeAllConnections();
    foreign.close();
  });

  const isUntouched = async (page: Page) => expect(await page.evaluate('globalThis.pwned')).toBeUndefined();

  test('shows questions, titles, key names and comments as text', async () => {
    const { door } = opened;
    const name = `Key ${markup}`;
    await door.call('POST', '/admin/api/api-keys', { name });
    const asked = await door.call('POST', '/api/ask', { query: `When does the fish market open? ${markup}` });
    const { request_id } = asked.body;
    await door.call('POST', `/api/asks/${request_id}/rating`, { rating: 'down', comment: markup });
    await door.call('PATCH', '/admin/api/corpora/krk_2026', {
      title: `Rules ${markup}`,
      description: markup,
    });
    const { page, complaints } = await opened.open('/documents/upload');
    const upload = (name: string, url: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({
          name,
          mimeType: 'text/markdown',
          buffer: Buffer.from(
            `---\ntitle: 'Evil ${markup}'\n${url}---\n\n# Evil ${markup}\n\n[A link](javascript:globalThis.pwned=1) to the harbour. ${markup}\n`,
          ),
        });
    await upload(`${markup}.md`, 'url: javascript:globalThis.pwned=1\n');
    await page.getByText('"url" must be an address that begins with').waitFor();
    // The browser reports the rejected file.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
    await upload('evil.md', '');
    await page.getByText(/^Added 1/).waitFor();
    const places: [path: string, text: string][] = [
      ['', markup],
      ['/questions', markup],
      [`/questions?ask=${request_id}`, markup],
      ['/access', markup],
      ['/access/audit', 'api_key.create'],
      ['/documents?search=evil', 'Evil'],
      ['/documents/corpora', markup],
      [`/history?correlation_id=${request_id}`, 'QuestionAsked'],
    ];
    for (const [path, text] of places) {
      await page.goto(`/admin${path}`);
      await page.getByText(text).first().waitFor();
      await isUntouched(page);
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    }
    await page.goto('/admin/documents?search=evil');
    await page.getByRole('cell', { name: /Evil/ }).click();
    await page.getByText('to the harbour.').first().waitFor();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    await isUntouched(page);
    expect(complaints).toEqual([]);
  });

  test('runs no injected script or style, and loads nothing from other origins', async () => {
    const { page, complaints } = await opened.open('');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(complaints).toEqual([]);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.pwned = 1';
      document.body.append(script);
      const style = document.createElement('style');
      style.textContent = 'h1 { display: none }';
      document.head.append(style);
      const image = document.createElement('img');
      image.src = '${foreignAddress}leak?of=secrets';
      document.body.append(image);
    }`);
    await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(3);
    expect(complaints.every((one) => one.includes('Content Security Policy'))).toBe(true);
    await isUntouched(page);
    expect(await page.getByRole('heading', { level: 1, name: 'Overview' }).isVisible()).toBe(true);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test("rejects requests from another origin's page, although the browser sends the cookie", async () => {
    const { address, door } = opened;
    const { body: key } = await door.call('POST', '/admin/api/api-keys', { name: 'Kept' });
    const { page, complaints, context } = await opened.open('');
    foreignPage = `<iframe src="${address}/admin/access"></iframe>
      <form method="post" action="${address}/admin/api/api-keys/${key.key_id}/revoke" enctype="text/plain"><button>Win</button></form>
      <script>globalThis.results = Promise.all([
        ['POST', 'api/api-keys/${key.key_id}/revoke'], ['DELETE', 'session'], ['GET', 'api/queries'],
      ].map(([method, path]) => fetch('${address}/admin/' + path, { method, credentials: 'include', mode: method === 'GET' ? 'cors' : 'no-cors' })
        .then(async (reply) => reply.type + ' ' + (await reply.text()), () => 'refused')));</script>`;
    await page.goto(foreignAddress);
    const results = (await page.evaluate('globalThis.results')) as string[];
    // With a challenge these requests would hang, because the browser would show a password prompt over the foreign
    // page.
    expect(results).toEqual(['opaque ', 'refused', 'refused']);
    expect(complaints).toContainEqual(expect.stringContaining("frame-ancestors 'none'"));
    expect(page.frames().filter((frame) => frame.url().startsWith(address))).toEqual([]);
    const posted = page.waitForResponse((reply) => reply.request().method() === 'POST');
    await page.getByRole('button', { name: 'Win' }).click();
    expect((await posted).status()).toBeGreaterThanOrEqual(400);

    const { items } = (await door.call('GET', '/admin/api/api-keys')).body;
    const kept = items.find(({ key_id }: { key_id: number }) => key_id === key.key_id);
    expect(kept.revoked_at).toBeNull();
    expect((await context.request.get('/admin/session')).status()).toBe(200);
  });

  test('accepts no planted, altered or closed session', async () => {
    const { address, door } = opened;
    const { page, context } = await opened.open('', { own: true });
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', name: 'docent_session' });
    const { value } = cookie!;
    const statusWith = async (text: string) =>
      (await fetch(`${address}/admin/api/config`, { headers: { cookie: `docent_session=${text}` } })).status;
    expect(await statusWith(value)).toBe(200);
    for (const text of [
      '',
      'a'.repeat(43),
      value.slice(1),
      `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`,
      'olga',
    ])
      expect(await statusWith(text)).toBe(401);

    // Signing in with a planted cookie does not turn it into a session.
    const planted = { name: 'docent_session', value: 'b'.repeat(43), url: address };
    const victim = await opened.browser.newContext({ baseURL: address });
    await victim.addCookies([planted]);
    const data = { name: 'olga', password: 'пароль: с двоеточием' };
    expect((await victim.request.post('/admin/session', { data })).status()).toBe(201);
    expect(await statusWith(planted.value)).toBe(401);
    await victim.close();

    await page.getByRole('button', { name: /olga/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    expect(await statusWith(value)).toBe(401);
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to Docent' }).waitFor();
    expect((await door.call('GET', '/admin/api/audit-log?action=admin.sign_out')).body.items).not.toEqual([]);
  });
});
