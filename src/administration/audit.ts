/** Appends how administrators come in and read: failed log-ins in counts, the reading of people's questions. */
import type { Commands } from '../commands.ts';
import type { EventTypes } from '../domain/events.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports.ts';

/** How often counted failures are offered to the history, which takes them once a minute. */
const offerMs = 5000;

export interface AdminAuditDeps {
  commands: Pick<Commands, 'adminAccess'>;
  clock: Clock;
  /** Told, in a sentence, what could not be recorded and will be tried again. */
  onTrouble: (sentence: string) => void;
}

export class AdminAudit {
  readonly #deps: AdminAuditDeps;
  readonly #names = new Set<string>();
  #count = 0;
  #offering: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: AdminAuditDeps) {
    this.#deps = deps;
  }

  /** Counts a failed log-in; the first is recorded at once, those that follow it together. */
  failed(name: string | null): void {
    this.#count++;
    if (name !== null) this.#names.add(name);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#offer(), offerMs).unref();
    this.#offer();
  }

  /** Records that an administrator reads people's questions. Rejects when the history cannot be written. */
  async read(name: string, what: EventTypes['AdminRead']['what'], requestId: string): Promise<void> {
    const at = this.#deps.clock.now().toISOString();
    await this.#deps.commands.adminAccess.execute(
      { type: 'Read', name, what, at },
      { actor: `admin:${name}`, correlation_id: requestId },
      { assumeCurrent: true },
    );
  }

  /** Records what was counted and not yet told. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#offering;
    if (this.#count > 0) await this.#append(true);
  }

  #offer(): void {
    this.#offering = this.#offering
      .then(() => this.#append(false))
      .catch((error) =>
        this.#deps.onTrouble(
          `Failed log-ins are not recorded yet: ${error instanceof Failure ? error.detail : 'an error.'}`,
        ),
      );
  }

  async #append(final: boolean): Promise<void> {
    const count = this.#count;
    const names = [...this.#names].sort();
    if (count > 0) {
      const at = this.#deps.clock.now().toISOString();
      const { events } = await this.#deps.commands.adminAccess.execute(
        { type: 'CountFailures', count, names, at, final },
        { actor: 'public', correlation_id: uuidv7() },
      );
      if (events.length === 0) return;
      this.#count -= count;
      for (const name of names) this.#names.delete(name);
    }
    if (this.#count > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
