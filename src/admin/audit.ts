/** Records administrators' failed logins, their access to people's questions, and their trials. */
import type { Acting } from '../access/logins.ts';
import type { EventTypes } from '../domain/events.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';

/** Interval between attempts to record failures that are combined because there are too many. */
const offerMs = 5000;

export interface AdminAuditDeps {
  commands: Pick<Commands, 'adminAccess'>;
  clock: Clock;
  /** Called with the description of a failure that will be retried. */
  onTrouble: (sentence: string) => void;
}

export class AdminAudit {
  readonly #deps: AdminAuditDeps;
  /** Failures not recorded yet, each with the name that was sent, if it is a configured one. */
  #failures: (string | null)[] = [];
  /** Whether there are too many failures to record them individually. */
  #gathering = false;
  #offering: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: AdminAuditDeps) {
    this.#deps = deps;
  }

  /** Records a failed login, immediately or, if there are too many, together with others. */
  failed(name: string | null): void {
    this.#failures.push(name);
    this.#timer ??= setInterval(() => this.#offer(), offerMs).unref();
    if (!this.#gathering) this.#offer();
  }

  /**
   * Records that an administrator reads people's questions, and the filter used. Rejects if the history cannot be
   * written. `filter`: undefined fields were not used to filter.
   */
  async read(
    { name, request_id }: Acting,
    what: EventTypes['AdminRead']['what'],
    filter: Record<string, string | number | boolean | undefined>,
  ): Promise<void> {
    const narrowed = Object.fromEntries(
      Object.entries(filter)
        .filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    await this.#record({ name, request_id }, (at) => ({ type: 'Read', name, what, filter: narrowed, at }));
  }

  /** Records that an administrator tries a question. Rejects if the history cannot be written. */
  async tried(
    { name, request_id }: Acting,
    facts: Pick<EventTypes['TrialMade'], 'corpus_id' | 'style' | 'model' | 'own_prompt'>,
  ): Promise<void> {
    await this.#record({ name, request_id }, (at) => ({ type: 'Try', name, request_id, ...facts, at }));
  }

  async #record(
    { name, request_id }: Acting,
    command: (at: string) => Parameters<AdminAuditDeps['commands']['adminAccess']['execute']>[0],
  ): Promise<void> {
    const { commands, clock } = this.#deps;
    const cause = { actor: `admin:${name}`, correlation_id: request_id };
    await commands.adminAccess.execute(command(clock.now().toISOString()), cause, { assumeCurrent: true });
  }

  /** Records the failures counted so far. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#offering;
    await this.#append(true);
  }

  #offer(): void {
    this.#offering = this.#offering
      .then(() => this.#append(false))
      .catch((error) =>
        this.#deps.onTrouble(
          `Failed logins could not be recorded yet: ${error instanceof Failure ? error.detail : 'an unexpected error.'}`,
        ),
      );
  }

  /**
   * Records the waiting failures: individually, or in a single entry if there are too many or the process is stopping.
   */
  async #append(final: boolean): Promise<void> {
    while (this.#failures.length > 0) {
      const some = this.#gathering || final ? [...this.#failures] : this.#failures.slice(0, 1);
      const names = [...new Set(some)].filter((name) => name !== null).sort();
      const at = this.#deps.clock.now().toISOString();
      const { events } = await this.#deps.commands.adminAccess.execute(
        { type: 'CountFailures', count: some.length, names, at, final },
        { actor: 'public', correlation_id: uuidv7() },
      );
      this.#gathering = events.length === 0;
      if (this.#gathering) return;
      this.#failures.splice(0, some.length);
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
