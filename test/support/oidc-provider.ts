/** A real OpenID Connect provider on this machine, and a browser's path through its forms. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface RunningProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  close(): Promise<void>;
}

/** Accounts are named after their groups: the user `admins` is in the group `admins`. `redirectUri`: the client's. */
export async function startProvider(redirectUri: string): Promise<RunningProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'docent', clientSecret: 'a secret of the client, long enough' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for the cookies of the provider'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: `${id}-olga`, groups: ['staff', id] }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    ...client,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Signs in at the provider like a browser, and consents. `address`: where the client redirects to. Returns the address
 * to which the provider redirects.
 */
export async function signInAt(address: string, account: string): Promise<string> {
  const jar = new Map<string, string>();
  const home = new URL(address).origin;
  let at = address;
  let form: URLSearchParams | null = null;
  for (;;) {
    const reply: Response = await fetch(at, {
      redirect: 'manual',
      method: form === null ? 'GET' : 'POST',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    });
    for (const set of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      jar.set(name!, value!);
    }
    const location = reply.headers.get('location');
    if (location !== null) {
      at = new URL(location, at).href;
      form = null;
      if (new URL(at).origin !== home) return at;
      continue;
    }
    const page = await reply.text();
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
    const [, prompt] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    if (action === undefined || prompt === undefined) throw new Error(`The provider shows no form: ${page}`);
    at = new URL(action, at).href;
    form = new URLSearchParams({ prompt, login: account, password: 'any' });
  }
}
