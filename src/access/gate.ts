/** Access control for questions and for the administration. */
import type { Config } from '../config.ts';
import type { Core } from '../event-sourcing/core.ts';
import type { Limiter } from '../ports/limiter.ts';
import { Access } from './access.ts';
import { KeyRing } from './keys.ts';
import { AdminLogins, type AdminLoginsDeps } from './logins.ts';

export interface Gate {
  access: Access;
  keys: KeyRing;
  logins: AdminLogins;
  stop(): void;
}

/** Failure `unavailable`: the keys cannot be read from the history. */
export async function openGate(
  core: Core,
  config: Pick<
    Config,
    'DOCENT_DEFAULT_CORPUS' | 'DOCENT_PUBLIC' | 'DOCENT_PUBLIC_RPM' | 'DOCENT_PUBLIC_RPH' | 'DOCENT_ADMINS'
  >,
  { limiter, onFailure }: { limiter: Limiter } & Pick<AdminLoginsDeps, 'onFailure'>,
): Promise<Gate> {
  const { clock, commands, catalog, secret } = core;
  const keys = new KeyRing({ commands, clock });
  await keys.start();
  const access = new Access({
    ...{ clock, secret, keys, limiter },
    catalog: () => catalog.load(),
    defaultCorpus: config.DOCENT_DEFAULT_CORPUS,
    isPublic: config.DOCENT_PUBLIC === 'open',
    publicLimits: { perMinute: config.DOCENT_PUBLIC_RPM, perHour: config.DOCENT_PUBLIC_RPH },
  });
  return {
    ...{ access, keys },
    logins: new AdminLogins({ admins: config.DOCENT_ADMINS, onFailure }),
    stop: () => keys.stop(),
  };
}
