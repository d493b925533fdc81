/** A chat connector as seen by the process that runs it, and what connectors of all platforms share. */
import { leaseMs } from '../src/ports/leases.ts';
import type { Webhook } from '../src/ports/webhook.ts';
import type { ChatBot } from './bot.ts';
import type { ChatApp } from './platform.ts';
import { explained, NotYet } from './platform-api.ts';
import { realTime, type Time } from './rate-limits.ts';
import type { CorporaByChat } from './rooms.ts';

export interface Connector {
  /** The text that is printed when the process starts. */
  door: string;
  /** Null if the connector opens its own connection. */
  webhook: Webhook | null;
  /** Connects and answers until the connector is closed. Reports problems and retries. */
  start(): void;
  /** Stops accepting messages, waits up to `drainMs` for answers to finish, and leaves the rest to another process. */
  close(drainMs: number): Promise<void>;
}

export interface ConnectorOptions {
  token: string;
  /** An alternative address of the platform's API. */
  apiUrl?: string | null;
  corporaByChat?: CorporaByChat;
  /** Whether people can open the sources of answers, which requires a public address of the service. Default: true. */
  opensSources?: boolean;
  /** The clock used for rate limits and pauses after errors. Default: real time. */
  time?: Time;
  /** Receives messages for the operator, which never contain text written by people. */
  onTrouble?: (sentence: string) => void;
  /** Receives reports that the connector is working. */
  onNews?: (sentence: string) => void;
}

/** An established connection. */
export interface Session {
  bot: Pick<ChatBot<never>, 'idle' | 'takeOver'>;
  /** Receives messages until the connector is closed. Never rejects. */
  receive(): Promise<void>;
}

/** The pause after a failure, in ms. */
export const pauseMs = 2_000;
/** How long to wait for messages being sent when the process ends, in ms. */
const lastMs = 5_000;

/** The pause before a failed call is retried, in ms. */
export const pauseAfter = (error: unknown): number =>
  error instanceof NotYet ? Math.max(pauseMs, error.pauseMs) : pauseMs;

export abstract class ChatConnector implements Connector {
  /** The platform's name in messages, such as "Slack". */
  protected abstract readonly name: string;
  abstract readonly door: string;
  abstract readonly webhook: Webhook | null;
  protected readonly app: ChatApp;
  protected readonly corporaByChat: CorporaByChat;
  protected readonly time: Time;
  protected readonly onTrouble: (sentence: string) => void;
  readonly #options: ConnectorOptions;
  readonly #closing = new AbortController();
  readonly #leaving = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #session: Session | null = null;
  #reported = '';
  #isConnected = false;

  constructor(app: ChatApp, options: ConnectorOptions) {
    this.app = app;
    this.#options = options;
    this.corporaByChat = options.corporaByChat ?? null;
    this.time = options.time ?? realTime;
    this.onTrouble = options.onTrouble ?? (() => {});
  }

  /** Connects, and reports settings that cannot work. */
  protected abstract connect(): Promise<Session>;

  /** Aborts when the connector stops accepting messages. */
  protected get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Aborts when the connector stops answering. */
  protected get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  protected get botOptions() {
    const { app, corporaByChat, leaving: leave, time, onTrouble } = this;
    return { app, corporaByChat, leave, time, onTrouble };
  }

  /** Whether events from the webhook can be handled. */
  protected get isReceiving(): boolean {
    return this.#session !== null && !this.closing.aborted;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(drainMs: number): Promise<void> {
    this.#closing.abort();
    const idle = async (ms: number) => {
      const over = new AbortController();
      await Promise.race([this.#session?.bot.idle(), realTime.sleep(ms, over.signal)]);
      over.abort();
    };
    await idle(drainMs);
    this.#leaving.abort();
    await idle(lastMs);
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#session = await this.patiently(() => this.connect());
    if (this.#session === null) return;
    await Promise.all([this.#takeOver(this.#session), this.#session.receive()]);
  }

  /** Looks for replies that a stopped process left unfinished, at regular intervals. */
  async #takeOver({ bot }: Session): Promise<void> {
    while (!this.closing.aborted) {
      await bot.takeOver().catch((error: unknown) => this.report(error));
      await realTime.sleep(leaseMs, this.closing);
    }
  }

  /** Repeats an attempt until it succeeds, and reports failures. Resolves to null if the connector is closed first. */
  protected async patiently<T>(attempt: () => Promise<T>): Promise<T | null> {
    while (!this.closing.aborted) {
      try {
        return await attempt();
      } catch (error) {
        this.report(error);
        await this.time.sleep(pauseAfter(error), this.closing);
      }
    }
    return null;
  }

  /** Reports a problem. A problem that occurs several times in a row is reported only once. */
  protected report(error: unknown): void {
    const what = explained(error) ?? `${this.name} cannot be reached.`;
    if (what === this.#reported) return;
    this.#reported = what;
    this.onTrouble(`${this.name} is not working: ${what}`);
  }

  /**
   * Reports that the connector works: the first time, including how it is connected ("as @docent in Acme"), and later
   * only after a problem.
   */
  protected works(how: string): void {
    const { onNews = () => {} } = this.#options;
    if (!this.#isConnected) onNews(`${this.name} is connected ${how}.`);
    else if (this.#reported !== '') onNews(`${this.name} is connected again.`);
    this.#isConnected = true;
    this.#reported = '';
  }

  /** Reports the configured corpora that do not exist, and whether sources can be opened. */
  protected async checkCorpora(): Promise<void> {
    const known = (await this.app.corpora('en')).map(({ corpus_id }) => corpus_id);
    const named = new Set([...(this.corporaByChat?.values() ?? [])].flat());
    if (known.length === 0)
      this.onTrouble('There is no corpus yet, so no question can be answered: ingest documents first.');
    else
      for (const id of named)
        if (!known.includes(id))
          this.onTrouble(
            `${this.name.toUpperCase()}_CORPORA names the corpus "${id}", which does not exist. Existing corpora: ${known.join(', ')}.`,
          );
    if (this.#options.opensSources === false)
      this.onTrouble(
        `Sources cannot be opened from ${this.name}: set DOCENT_PUBLIC_URL to the public address of this service.`,
      );
  }
}
