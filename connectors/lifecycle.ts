/** The lifecycle of a connector on any platform: connect, answer, take over, leave. */
import { Failure } from '../src/failures.ts';
import { leaseMs } from '../src/ports/leases.ts';
import type { CorporaByChat } from './chat-corpora.ts';
import { realTime } from './pace.ts';
import type { ChatApp } from './platform.ts';

/** The pause after a failure, in ms. */
export const pauseMs = 2_000;
/** How long what is being sent may take when the process leaves. */
const lastMs = 5_000;

/** What answers, as the life of its connector needs it. */
interface Answering {
  /** Resolves when nothing is being answered. */
  idle(): Promise<unknown>;
  /** Ends what a process has left that has gone. */
  takeOver(): Promise<unknown>;
}

export interface LifecycleOptions {
  /** The name in messages: "Slack". */
  platform: string;
  /** What an error of the platform's own says; null for any other. */
  describe(error: unknown): string | null;
  /** Sentences for the operator; nothing a person wrote stands in them. */
  onTrouble: (sentence: string) => void;
  /** Sentences that say that it works. */
  onNews: (sentence: string) => void;
  /** The pause after an error, in ms; default `pauseMs`. */
  pauseAfter?: (error: unknown) => number;
}

export class Lifecycle<Bot extends Answering> {
  readonly #options: LifecycleOptions;
  readonly #closing = new AbortController();
  readonly #leaving = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #reported = '';
  #isConnected = false;
  /** null until it is connected. */
  bot: Bot | null = null;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** Aborts when nothing more is taken. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Aborts when nothing more is answered. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** `run` ends when `closing` aborts. */
  start(run: () => Promise<void>): void {
    this.#running = run();
  }

  /** As Connector.close. */
  async close(drainMs: number): Promise<void> {
    this.#closing.abort();
    const idle = async (ms: number) => {
      const over = new AbortController();
      await Promise.race([this.bot?.idle(), realTime.sleep(ms, over.signal)]);
      over.abort();
    };
    await idle(drainMs);
    this.#leaving.abort();
    await idle(lastMs);
    await this.#running;
  }

  /** Tries until it is done, and tells why not; null: it was closed before. */
  async patiently<T>(attempt: () => Promise<T>): Promise<T | null> {
    const { pauseAfter = () => pauseMs } = this.#options;
    while (!this.closing.aborted) {
      try {
        return await attempt();
      } catch (error) {
        this.report(error);
        await realTime.sleep(pauseAfter(error), this.closing);
      }
    }
    return null;
  }

  /** Looks again and again for what a process left that has gone, until it is closed. */
  async takeOver(bot: Answering): Promise<void> {
    while (!this.closing.aborted) {
      await bot.takeOver().catch((error: unknown) => this.report(error));
      await realTime.sleep(leaseMs, this.closing);
    }
  }

  /** Reports trouble; the same one in a row only once. */
  report(error: unknown): void {
    const { platform, describe, onTrouble } = this.#options;
    const what = describe(error) ?? (error instanceof Failure ? error.detail : 'it cannot be reached');
    if (what === this.#reported) return;
    this.#reported = what;
    onTrouble(`${platform} does not work yet: ${what.replace(/\.$/, '')}.`);
  }

  /** It works: said once as `how` it is connected ("as @docent in Acme"), later only after trouble. */
  works(how: string): void {
    const { platform, onNews } = this.#options;
    if (!this.#isConnected) onNews(`${platform} is connected ${how}.`);
    else if (this.#reported !== '') onNews(`${platform} is connected again.`);
    this.#isConnected = true;
    this.#reported = '';
  }
}

/**
 * What of the corpora configured for chats cannot work, as sentences for the operator. `variable`: where they are
 * configured.
 */
export async function corporaFaults(
  app: Pick<ChatApp, 'corpora'>,
  corporaByChat: CorporaByChat,
  variable: string,
): Promise<string[]> {
  const known = (await app.corpora('en')).map(({ corpus_id }) => corpus_id);
  if (known.length === 0)
    return ['There is no corpus yet, so no question can be answered: ingest documents first.'];
  const unknown = new Set([...(corporaByChat?.values() ?? [])].flat().filter((id) => !known.includes(id)));
  return [...unknown].map(
    (id) => `${variable} names the corpus "${id}", which does not exist. There are: ${known.join(', ')}.`,
  );
}
