/** Asks whose process has stopped. After their deadline, any process records them as abandoned. */
import type { Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Records } from '../ports/read-models.ts';

export interface OverdueAsksDeps {
  reads: Pick<Records, 'find'>;
  commands: Pick<Commands, 'ask'>;
  clock: Clock;
  onTrouble(sentence: string): void;
}

/** How often to look for overdue asks, in ms, and how many to end at a time. */
const lookMs = 60_000;
const batch = 100;

export class OverdueAsks {
  readonly #deps: OverdueAsksDeps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: OverdueAsksDeps) {
    this.#deps = deps;
  }

  /** Checks every minute until stopped. The timer does not keep the process alive. */
  start(): void {
    const { onTrouble } = this.#deps;
    const look = () =>
      this.abandon().catch((error: unknown) =>
        onTrouble(
          `Overdue asks could not be ended: ${error instanceof Failure ? error.detail : 'an unexpected error'}`,
        ),
      );
    this.#timer = setInterval(() => void look(), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Records all overdue asks as abandoned. */
  async abandon(): Promise<void> {
    const { reads, commands, clock } = this.#deps;
    const { items } = await reads.find('queries', { where: { state: 'open' }, limit: batch });
    for (const { request_id, deadline } of items) {
      const now = clock.now();
      if (new Date(String(deadline)) > now) continue;
      const cause = { actor: 'system', correlation_id: String(request_id) };
      await commands.ask(String(request_id)).execute({ type: 'Abandon', now }, cause);
    }
  }
}
