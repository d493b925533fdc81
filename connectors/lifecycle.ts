/** The lifecycle of a connector on any platform: connect, answer, take over, leave. */
import { Failure } from '../src/failures.ts';
import { leaseMs } from '../src/ports/leases.ts';
import type { CorporaByChat } from './chat-corpora.ts';
import { realTime } from './pace.ts';
import type { ChatApp } from './platform.ts';

/** The pause after a failure, in ms. */
export const pauseMs = 2_000;
/** How long to wait for messages being sent when the process ends, in ms. */
const lastMs = 5_000;

/** The part of a bot that its lifecycle needs. */
interface Answering {
  /** Resolves when no answers are in progress. */
  idle(): Promise<unknown>;
  /** Finishes the replies that a stopped process left unfinished. */
  takeOver(): Promise<unknown>;
}

export interface LifecycleOptions {
  /** The platform's name in messages, such as "Slack". */
  platform: string;
  /** Describes an error of the platform; returns null for any other error. */
  describe(error: unknown): string | null;
  /** Receives messages for the operator. They never contain text that a person wrote. */
  onTrouble: (sentence: string) => void;
  /** Receives reports that the connector is working. */
  onNews: (sentence: string) => void;
  /** The pause after an error, in ms. Default: `pauseMs`. */
  pauseAfter?: (error: unknown) => number;
}

export class Lifecycle<Bot extends Answering> {
  readonly #options: LifecycleOptions;
  readonly #closing = new AbortController();
  readonly #leaving = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #reported = '';
  #isConnected = false;
  /** Null until the connector is connected. */
  bot: Bot | null = null;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** Aborts when the connector stops accepting messages. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Aborts when the connector stops answering. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** `run` must end when `closing` aborts. */
  start(run: () => Promise<void>): void {
    this.#running = run();
  }

  /** See Connector.close. */
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

  /** Repeats an attempt until it succeeds, and reports failures. Resolves to null if the connector is closed first. */
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

  /** Looks for replies that a stopped process left unfinished, at regular intervals until the connector is closed. */
  async takeOver(bot: Answering): Promise<void> {
    while (!this.closing.aborted) {
      await bot.takeOver().catch((error: unknown) => this.report(error));
      await realTime.sleep(leaseMs, this.closing);
    }
  }

  /** Reports a problem. A problem that occurs several times in a row is reported only once. */
  report(error: unknown): void {
    const { platform, describe, onTrouble } = this.#options;
    const what = describe(error) ?? (error instanceof Failure ? error.detail : 'it cannot be reached');
    if (what === this.#reported) return;
    this.#reported = what;
    onTrouble(`${platform} is not working: ${what.replace(/\.$/, '')}.`);
  }

  /**
   * Reports that the connector works: the first time, including how it is connected ("as @docent in Acme"), and later
   * only after a problem.
   */
  works(how: string): void {
    const { platform, onNews } = this.#options;
    if (!this.#isConnected) onNews(`${platform} is connected ${how}.`);
    else if (this.#reported !== '') onNews(`${platform} is connected again.`);
    this.#isConnected = true;
    this.#reported = '';
  }
}

/**
 * Describes, for the operator, which of the corpora configured for chats cannot be searched. `variable` is the name of
 * the setting that lists them.
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
    (id) =>
      `${variable} names the corpus "${id}", which does not exist. Existing corpora: ${known.join(', ')}.`,
  );
}
