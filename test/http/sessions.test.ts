/** Signing in to the console: cookies, cross-site requests, throttling, and single sign-on through a real provider. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningProvider, signInAt, startProvider } from '../support/oidc-provider.ts';
import { type OpenedDoor, openDoor, type Reply, send } from './admin-door.ts';

let door: OpenedDoor;
let provider: RunningProvider;
const publicUrl = 'http://console.example:8080';
beforeAll(async () => {
  provider = await startProvider(`${publicUrl}/admin/single-sign-on/callback`);
  door = await openDoor(
    {
      DOCENT_OIDC_ISSUER: new URL(provider.issuer),
      DOCENT_OIDC_CLIENT_ID: provider.clientId,
      DOCENT_OIDC_CLIENT_SECRET: provider.clientSecret,
      DOCENT_PUBLIC_URL: publicUrl,
      DOCENT_OIDC_ADMINS: ['admins'],
      DOCENT_OIDC_AUDITORS: ['auditors'],
    },
    { library: false, trustProxy: true },
  );
});
afterAll(async () => {
  await door.close();
  await provider.close();
});

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT';
const call = (
  method: Method,
  url: string,
  { cookie, ...headers }: Record<string, string> = {},
  body?: object,
) =>
  send(door.server, {
    method,
    url,
    ...(body && { payload: body }),
    headers: { ...headers, ...(cookie !== undefined && { cookie }) },
  });
const cookiesSet = (reply: Reply): string[] => [reply.headers['set-cookie'] ?? []].flat();
const cookieOf = (reply: Reply, name = 'docent_session'): string =>
  cookiesSet(reply)
    .find((one) => one.startsWith(`${name}=`))!
    .split(';')[0]!;
const password = { olga: 'пароль: с двоеточием', aidar: 'look only' };
const signIn = (name: keyof typeof password, headers: Record<string, string> = {}) =>
  call('POST', '/admin/session', headers, { name, password: password[name] });

describe('signing in with a password', () => {
  test('opens the administration through a cookie until the session is closed', async () => {
    const reply = await signIn('olga', { 'x-forwarded-proto': 'https' });
    expect([reply.status, reply.body]).toEqual([
      201,
      { name: 'olga', role: 'admin', expires_at: expect.any(String) },
    ]);
    const [set] = cookiesSet(reply);
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/', 'Expires='])
      expect(set).toContain(attribute);
    expect(cookiesSet(await signIn('olga'))[0]).not.toContain('Secure');

    const cookie = `theme=dark; ${cookieOf(reply)}`;
    expect((await call('GET', '/admin/session', { cookie })).body).toEqual(reply.body);
    expect((await call('GET', '/admin/api/config', { cookie })).status).toBe(200);
    const created = await call('POST', '/admin/api/api-keys', { cookie }, { name: 'Portal' });
    expect([created.status, created.body.created_by]).toEqual([201, 'olga']);

    const out = await call('DELETE', '/admin/session', { cookie });
    expect([out.status, cookiesSet(out)[0]]).toEqual([204, expect.stringContaining('docent_session=;')]);
    expect((await call('GET', '/admin/session', { cookie })).status).toBe(401);
    expect((await call('GET', '/admin/api/config', { cookie })).status).toBe(401);
    const { items } = (await door.call('GET', '/admin/api/audit-log?actor=olga')).body;
    const actions = items.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['admin.sign_in', 'admin.sign_out']));
  });

  test('lets an auditor read everything and change nothing', async () => {
    const cookie = cookieOf(await signIn('aidar'));
    expect((await call('GET', '/admin/api/config', { cookie })).status).toBe(200);
    const refused = await call('POST', '/admin/api/api-keys', { cookie }, { name: 'Portal' });
    expect(refused.status).toBe(403);
  });

  test('rejects cross-site requests, even if the browser sends the cookie', async () => {
    const cookie = cookieOf(await signIn('olga'));
    for (const foreign of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      expect((await signIn('olga', foreign)).status).toBe(403);
      expect((await call('DELETE', '/admin/session', { cookie, ...foreign })).status).toBe(403);
      expect((await call('GET', '/admin/api/config', { cookie, ...foreign })).status).toBe(401);
      expect((await call('POST', '/admin/api/api-keys', { cookie, ...foreign }, { name: 'X' })).status).toBe(
        401,
      );
    }
    expect((await call('GET', '/admin/session', { cookie })).status).toBe(200);
  });

  test('rejects a wrong password or body without repeating it, and without a challenge', async () => {
    for (const [body, status] of [
      [{ name: 'olga', password: 'hunter2' }, 401],
      [{ name: 'nobody', password: 'hunter2' }, 401],
      [{ name: 'olga', password: { a: 'hunter2' } }, 422],
      [{ password: 'hunter2' }, 422],
      [['hunter2'], 422],
    ] as [object, number][]) {
      const reply = await call('POST', '/admin/session', {}, body);
      expect([body, reply.status]).toEqual([body, status]);
      expect(JSON.stringify(reply)).not.toContain('hunter2');
      expect(reply.headers['www-authenticate']).toBeUndefined();
      expect(cookiesSet(reply)).toEqual([]);
    }
    const challenge = async (headers: Record<string, string>) =>
      (await call('GET', '/admin/api/config', headers)).headers['www-authenticate'];
    expect(await challenge({})).toMatch(/^Basic /);
    expect(await challenge({ 'x-requested-with': 'fetch' })).toBeUndefined();
  });

  test('throttles password guessing', async () => {
    const guess = async () => {
      const from = { 'x-forwarded-for': '203.0.113.9' };
      return (await call('POST', '/admin/session', from, { name: 'olga', password: 'guess' })).status;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push(await guess());
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const basic = await call('GET', '/admin/api/config', {
      'x-forwarded-for': '203.0.113.9',
      authorization: 'Basic b2xnYTpvbmU=',
    });
    expect(basic.status).toBe(429);
  });
});

describe('signing in through the provider', () => {
  test('is offered by the console as an alternative to the password', async () => {
    expect((await call('GET', '/admin/session/options')).body).toEqual({
      password: true,
      single_sign_on: { label: new URL(provider.issuer).host },
    });
  });

  /** The reply to the browser when it returns from the provider. */
  async function signOn(account: string, { page = '/admin/questions?mode=exact', keep = true } = {}) {
    const begun = await call('GET', `/admin/single-sign-on?return=${encodeURIComponent(page)}`);
    expect(begun.status).toBe(302);
    const back = new URL(await signInAt(String(begun.headers.location), account));
    expect(back.origin + back.pathname).toBe(`${publicUrl}/admin/single-sign-on/callback`);
    const cookie = cookieOf(begun, 'docent_sign_on');
    const url = back.pathname + back.search;
    return { cookie, url, reply: await call('GET', url, keep ? { cookie } : {}) };
  }

  test.each([
    ['admins', 'admin'],
    ['auditors', 'auditor'],
  ])('maps the group %s to the role %s', async (account, role) => {
    const { reply } = await signOn(account);
    expect([reply.status, reply.headers.location]).toEqual([302, '/admin/questions?mode=exact']);
    const session = await call('GET', '/admin/session', { cookie: cookieOf(reply) });
    expect(session.body).toMatchObject({ name: `sso:${account}-olga`, role });
  });

  test('opens no session without a role, without a started sign-in, or for a used one', async () => {
    const refused = async (reply: Reply, error: string) => {
      expect([reply.status, reply.headers.location]).toEqual([302, `/admin/sign-in?error=${error}`]);
      expect(cookiesSet(reply).some((set) => set.startsWith('docent_session'))).toBe(false);
    };
    await refused((await signOn('guests')).reply, 'forbidden');
    await refused((await signOn('admins', { keep: false })).reply, 'unauthorized');
    const { cookie, url } = await signOn('admins');
    await refused(await call('GET', url, { cookie }), 'unauthorized');
    await refused(await call('GET', url.replace('state=', 'state=x'), { cookie }), 'unauthorized');
  });

  test('sends the browser back only to pages of the console', async () => {
    for (const page of [
      'https://evil.example',
      '//evil.example',
      '/admin//evil\\@x',
      '/source/1',
      'javascript:alert(1)',
    ])
      expect((await signOn('admins', { page })).reply.headers.location).toBe('/admin');
  });
});
