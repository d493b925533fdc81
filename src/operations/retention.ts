/** Retention by age: personal text is forgotten a given number of days after it was recorded. Runs once a day. */
import type { Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Leases } from '../ports/leases.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';

export interface RetentionDeps {
  /** Number of whole days (UTC) for which text is kept after the day on which it was recorded. */
  days: number;
  keys: Pick<SubjectKeys, 'destroy'>;
  log: Pick<EventLog, 'readAll'>;
  commands: Pick<Commands, 'retention'>;
  leases: Pick<Leases, 'take' | 'release'>;
  clock: Clock;
  onTrouble(sentence: string): void;
}

const lookMs = 15 * 60_000;
const dayMs = 86_400_000;
const lease = 'retention';

export class Retention {
  readonly #deps: RetentionDeps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** Checks now and every quarter of an hour until stopped. The timer does not keep the process alive. */
  start(): void {
    const { onTrouble } = this.#deps;
    const look = () =>
      this.expire().catch((error: unknown) =>
        onTrouble(
          `Data past its retention could not be erased: ${error instanceof Failure ? error.detail : 'an unexpected error'}`,
        ),
      );
    void look();
    this.#timer = setInterval(() => void look(), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Destroys the keys that are due, then records this. Recording it twice is harmless; that happens if another process
   * stopped in between or lost its lease. May fail with `unavailable`.
   */
  async expire(): Promise<void> {
    const { days, keys, log, commands, leases, clock } = this.#deps;
    const now = clock.now();
    const before = new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
    const done = (await commands.retention.load()).before;
    if (done !== null && done >= before) return;
    const [first] = await log.readAll(null, 1);
    // No event is that old yet.
    if (first === undefined || first.time.slice(0, 10) >= before) return;
    if (!(await leases.take(lease))) return;
    try {
      const keys_destroyed = await keys.destroy({ before });
      const data = { before, keys_destroyed, expired_at: now.toISOString() };
      await commands.retention.execute(
        { type: 'ExpireWords', ...data },
        { actor: 'system', correlation_id: `retention-${before}` },
      );
    } finally {
      await leases.release(lease).catch(() => {});
    }
  }
}

/**
 * If null, text is kept indefinitely. Fails with `invalid` if nothing is sealed, because then nothing can be forgotten.
 */
export function openRetention(
  days: number | null,
  { keys, ...deps }: Omit<RetentionDeps, 'days' | 'keys'> & { keys: RetentionDeps['keys'] | null },
): Retention | null {
  if (days === null) return null;
  if (keys === null)
    throw new Failure(
      'invalid',
      "DOCENT_RETENTION_DAYS needs people's words to be sealed: set REDIS_URL or DOCENT_KEYS.",
    );
  return new Retention({ days, keys, ...deps });
}
