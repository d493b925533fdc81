/** Forgetting a subject: destroys the keys of its words, records that in the history, and has everything derived from them rebuilt without. */
import type { Access } from '../access/access.ts';
import { within } from '../async/within.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';

export interface ForgetDeps {
  /** null: people's words are not sealed. */
  keys: Pick<SubjectKeys, 'destroy'> | null;
  commands: Pick<Commands, 'record'>;
  clock: Clock;
  /** Resolves when the read models hold nothing of whoever was forgotten up to a position. */
  renewed(position: Position): Promise<void>;
}

export interface ForgottenSubject {
  subject: string;
  /** Days of which something was kept. */
  keys_destroyed: number;
}

export interface Forgotten extends ForgottenSubject {
  /** Resolves when the read models have let go as well. */
  done: Promise<void>;
}

/**
 * Resolves when nobody can read any more in the history what the subject said. One of whom nothing is kept is forgotten all
 * the same: what was destroyed may not have been told. Failure `conflict`: nothing is sealed here; `unavailable`.
 */
export async function forget(
  { keys, commands, clock, renewed }: ForgetDeps,
  subject: string,
  cause: Cause,
): Promise<Forgotten> {
  if (keys === null) throw notSealed();
  const keys_destroyed = await keys.destroy({ subject });
  const forgotten = { subject, forgotten_at: clock.now().toISOString() };
  const { position } = await commands.record(
    `forgetting-${uuidv7()}`,
    -1,
    [{ type: 'SubjectForgotten', data: forgotten }],
    cause,
  );
  const done = renewed(position!);
  done.catch(() => {});
  return { subject, keys_destroyed, done };
}

/**
 * Takes what was said with keys that are missing for forgotten, for ever; read models let go of it wherever projections run.
 * Failure `conflict`: nothing is sealed here; `unavailable`.
 */
export async function giveUpMissingKeys(
  {
    keys,
    commands,
    clock,
  }: Pick<ForgetDeps, 'commands' | 'clock'> & { keys: Pick<SubjectKeys, 'giveUpMissing'> | null },
  cause: Cause,
): Promise<void> {
  if (keys === null) throw notSealed();
  await keys.giveUpMissing();
  const lost = { lost_at: clock.now().toISOString() };
  await commands.record(`forgetting-${uuidv7()}`, -1, [{ type: 'KeysLost', data: lost }], cause);
}

const notSealed = () =>
  new Failure(
    'conflict',
    "People's words are not sealed here, so nobody can be forgotten: set REDIS_URL or DOCENT_KEYS.",
  );

/** A forgetting is answered at the latest after so long; of a long history the read models let go later. */
const renewedMs = 5_000;

/** As `forget`, answered when the read models have let go as well, though not long after. */
export const forgetAndWait =
  (forget: (subject: string, cause: Cause) => Promise<Forgotten>) =>
  async (subject: string, cause: Cause): Promise<ForgottenSubject> => {
    const { done, ...forgotten } = await forget(subject, cause);
    await within(done, renewedMs, () => {});
    return forgotten;
  };

export interface OneselfDeps {
  access: Pick<Access, 'countForgetting'>;
  /** One person after the other. */
  turn(who: string, work: () => Promise<Forgotten>): Promise<Forgotten>;
  forget(subject: string, cause: Cause): Promise<Forgotten>;
}

/** Forgetting whoever wants it of themself. Failure also `rate_limited`. */
export const oneself =
  ({ access, turn, forget }: OneselfDeps) =>
  async (subject: string): Promise<Forgotten> => {
    const { allowed, retryAfterS } = await access.countForgetting(subject);
    if (!allowed) throw new Failure('rate_limited', 'Your data was erased a moment ago.', { retryAfterS });
    return turn(subject, () => forget(subject, { actor: 'public', correlation_id: uuidv7() }));
  };
