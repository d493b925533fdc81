/** Signing in to the console through a real OpenID Connect provider, in a browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningProvider, startProvider } from '../support/oidc-provider.ts';
import { launch } from '../web/browser.ts';
import { unable } from './console.ts';

describe.skipIf(unable !== null)('single sign-on', () => {
  let provider: RunningProvider;
  let door: OpenedDoor;
  let browser: Browser;
  let address: string;
  beforeAll(async () => {
    // The provider must know the address of the service before the service listens.
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    provider = await startProvider(`${address}/admin/single-sign-on/callback`);
    door = await openDoor({
      DOCENT_OIDC_ISSUER: new URL(provider.issuer),
      DOCENT_OIDC_CLIENT_ID: provider.clientId,
      DOCENT_OIDC_CLIENT_SECRET: provider.clientSecret,
      DOCENT_PUBLIC_URL: address,
      DOCENT_OIDC_ADMINS: ['admins'],
      DOCENT_OIDC_AUDITORS: ['auditors'],
    });
    await door.server.listen({ host: '127.0.0.1', port });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await door?.close();
    await provider?.close();
  });

  async function signOn(account: string, path: string) {
    const context = await browser.newContext({ baseURL: address, locale: 'en' });
    const page = await context.newPage();
    await page.goto(path);
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    await page.getByPlaceholder('Enter any login').fill(account);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    return { page, context };
  }

  test('returns to the original page, with the role from the claim', async () => {
    const { page, context } = await signOn('auditors', '/admin/documents?search=fish');
    await page.getByRole('cell', { name: 'Fish market' }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=fish');
    await page.getByRole('button', { name: /sso:auditors-olga/ }).waitFor();
    await page.goto('/admin/access');
    await page.getByText('Configuration').first().waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    await context.close();
  });

  test('rejects an account without a role, with a message', async () => {
    const { page, context } = await signOn('guests', '/admin');
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('forbidden');
    expect((await context.request.get('/admin/session')).status()).toBe(401);
    await context.close();
  });
});
