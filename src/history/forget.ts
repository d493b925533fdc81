/**
 * Forgets a subject: destroys the keys of the subject's text, records that in the history, and triggers a rebuild of
 * all derived data without the text.
 */
import type { Access } from '../access/access.ts';
import { within } from '../async/within.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';

export interface ForgetDeps {
  /** Null if personal text is not sealed. */
  keys: Pick<SubjectKeys, 'destroy'> | null;
  commands: Pick<Commands, 'record'>;
  clock: Clock;
  /** Resolves when the read models contain no data of the subjects who were forgotten up to a position. */
  renewed(position: Position): Promise<void>;
}

export interface ForgottenSubject {
  subject: string;
  /** Number of days with stored text. */
  keys_destroyed: number;
}

export interface Forgotten extends ForgottenSubject {
  /** Resolves when the read models no longer contain the text either. */
  done: Promise<void>;
}

/**
 * Resolves when the subject's text in the history can no longer be read. This is recorded even for a subject without
 * stored text, because an earlier destruction of the keys may not have been recorded. Fails with `conflict` if this
 * history is not sealed. May also fail with `unavailable`.
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
 * Permanently treats text sealed with missing keys as forgotten. Read models drop it wherever projections run. Fails
 * with `conflict` if this history is not sealed. May also fail with `unavailable`.
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
    "People's words are not sealed here, so they cannot be forgotten: set REDIS_URL or DOCENT_KEYS.",
  );

/**
 * How long a request to be forgotten waits for the read models, in ms. With a long history, they drop the text later.
 */
const renewedMs = 5_000;

/** Like `forget`, but also waits for a limited time for the read models. */
export const forgetAndWait =
  (forget: (subject: string, cause: Cause) => Promise<Forgotten>) =>
  async (subject: string, cause: Cause): Promise<ForgottenSubject> => {
    const { done, ...forgotten } = await forget(subject, cause);
    await within(done, renewedMs, () => {});
    return forgotten;
  };

export interface OneselfDeps {
  access: Pick<Access, 'countForgetting'>;
  /** Runs one request per person at a time. */
  turn(who: string, work: () => Promise<Forgotten>): Promise<Forgotten>;
  forget(subject: string, cause: Cause): Promise<Forgotten>;
}

/** Lets callers have their own data forgotten. May also fail with `rate_limited`. */
export const oneself =
  ({ access, turn, forget }: OneselfDeps) =>
  async (subject: string): Promise<Forgotten> => {
    const { allowed, retryAfterS } = await access.countForgetting(subject);
    if (!allowed) throw new Failure('rate_limited', 'Your data was erased a moment ago.', { retryAfterS });
    return turn(subject, () => forget(subject, { actor: 'public', correlation_id: uuidv7() }));
  };
