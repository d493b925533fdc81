/** Access control for questions and for the administration. */
import { type Config, oidcOf } from '../config.ts';
import type { Core } from '../event-sourcing/core.ts';
import type { Limiter } from '../ports/limiter.ts';
import { Access } from './access.ts';
import { KeyRing } from './keys.ts';
import { AdminLogins, type AdminLoginsDeps } from './logins.ts';
import { AdminSessions } from './sessions.ts';

/** Fails with `unavailable` if the keys cannot be read from the history. */
export async function openGate(
  core: Core,
  config: Config,
  { limiter, onFailure }: { limiter: Limiter } & Pick<AdminLoginsDeps, 'onFailure'>,
) {
  const { clock, commands, catalog, secret } = core;
  const keys = new KeyRing({ commands, clock });
  await keys.start();
  const access = new Access({
    clock,
    secret,
    keys,
    limiter,
    catalog: () => catalog.load(),
    defaultCorpus: config.DOCENT_DEFAULT_CORPUS,
    isPublic: config.DOCENT_PUBLIC === 'open',
    publicLimits: { perMinute: config.DOCENT_PUBLIC_RPM, perHour: config.DOCENT_PUBLIC_RPH },
  });
  const admins = config.DOCENT_ADMINS;
  const oidc = oidcOf(config);
  const provider = oidc && `provider ${oidc.issuer.href} ${oidc.clientId} ${oidc.claim}`;
  return {
    access,
    keys,
    logins: new AdminLogins({ admins, onFailure }),
    sessions: new AdminSessions({ commands, clock, admins, provider }),
    // Loaded on demand, so that other commands start faster.
    singleSignOn: oidc && new (await import('./single-sign-on.ts')).SingleSignOn(oidc),
    stop: () => keys.stop(),
  };
}
