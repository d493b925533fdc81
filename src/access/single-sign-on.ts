/**
 * Single sign-on with OpenID Connect: the authorization code flow with PKCE, state and nonce. A claim in the ID token
 * determines the role. Sources: OpenID Connect Core 1.0, section 3.1; RFC 7636.
 */
import * as oidc from 'openid-client';
import type { OidcSettings } from '../config.ts';
import { Failure } from '../failures.ts';
import type { Administrator } from './logins.ts';

/** The state that the browser stores while the user is at the provider. */
export interface SignOnAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

const nameMax = 100;
const timeoutS = 10;

export class SingleSignOn {
  readonly #settings: OidcSettings;
  /**
   * The provider's metadata, which is read at the first sign-in and cached. A failed read is retried at the next
   * sign-in.
   */
  #provider: Promise<oidc.Configuration> | null = null;

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  /** The provider's host, shown to users as its name. */
  get label(): string {
    return this.#settings.issuer.host;
  }

  /**
   * The provider's address to which the browser is redirected. Fails with `unavailable` if the provider cannot be
   * reached.
   */
  async begin(): Promise<{ address: string; attempt: SignOnAttempt }> {
    const provider = await this.#discovered();
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const { href } = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.#settings.redirectUri,
      scope: this.#settings.scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge_method: 'S256',
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    });
    return { address: href, attempt };
  }

  /**
   * The administrator who returned from the provider. `query` is the query of the return address. Fails with
   * `unauthorized` if the reply does not match this attempt, and with `forbidden` if the claim does not grant a role.
   * May also fail with `unavailable`.
   */
  async finish(query: string, attempt: SignOnAttempt): Promise<Administrator> {
    const provider = await this.#discovered();
    const address = new URL(this.#settings.redirectUri);
    address.search = query;
    let claims: oidc.IDToken | undefined;
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, address, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      });
      claims = tokens.claims();
    } catch {
      throw new Failure('unauthorized', 'The sign-in was not confirmed by the provider; sign in again.');
    }
    const role = this.#roleOf(claims?.[this.#settings.claim]);
    const name = [claims?.preferred_username, claims?.email, claims?.sub].find(
      (one): one is string => typeof one === 'string' && one !== '',
    );
    if (role === null || name === undefined)
      throw new Failure('forbidden', 'The provider does not give this account a role here.');
    // Prefixed, so that nobody can assume the name of a configured administrator.
    return { name: `sso:${name.slice(0, nameMax)}`, role };
  }

  #roleOf(claim: unknown): Administrator['role'] | null {
    const { admins, auditors } = this.#settings;
    const held = (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === 'string');
    if (held.some((one) => admins.includes(one))) return 'admin';
    return held.some((one) => auditors.includes(one)) ? 'auditor' : null;
  }

  async #discovered(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    this.#provider ??= oidc.discovery(issuer, clientId, clientSecret, undefined, {
      timeout: timeoutS,
      // The configuration permits http only on this machine.
      execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    });
    try {
      return await this.#provider;
    } catch {
      this.#provider = null;
      throw new Failure('unavailable', 'The single sign-on provider cannot be reached; try again shortly.');
    }
  }
}
