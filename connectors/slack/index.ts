/** Docent in Slack: over a socket that this process opens, or over HTTP with signed requests. */
import { App, webApi } from '@slack/bolt';
import { Failure } from '../../src/failures.ts';
import { leaseMs } from '../../src/ports/leases.ts';
import type { ChatApp } from '../chat.ts';
import type { Connector, Webhook } from '../connector.ts';
import { realTime } from '../pace.ts';
import type { Places } from '../places.ts';
import { Api, clientOptions, type Pace, silent } from './api.ts';
import { SlackBot, type Workspace } from './bot.ts';
import { PostedReceiver, SocketReceiver } from './receivers.ts';

export interface SlackOptions {
  token: string;
  /** Socket mode where there is an app token, else HTTP. */
  mode: { appToken: string } | { signingSecret: string };
  /** Another address of the Web API. */
  apiUrl?: string | null;
  places?: Places;
  pace?: Partial<Pace>;
  /** Sentences for the operator; nothing a person wrote stands in them. */
  onTrouble?: (sentence: string) => void;
}

/** Where Slack posts to, without socket mode. */
const path = '/slack/events';
const pauseMs = 2_000;
const lastMs = 5_000;

export function openSlack(app: ChatApp, options: SlackOptions): Connector {
  const connection = new SlackConnection(app, options);
  return {
    door: 'appToken' in options.mode ? 'Slack, over a socket' : `Slack, posted to ${path}`,
    webhook: connection.webhook,
    start: () => connection.start(),
    close: (drainMs) => connection.close(drainMs),
  };
}

class SlackConnection {
  readonly #app: ChatApp;
  readonly #options: SlackOptions;
  readonly #socket: SocketReceiver | null;
  readonly #posted: PostedReceiver | null;
  readonly #api: Api;
  /** Takes nothing more. */
  readonly #closing = new AbortController();
  /** Answers nothing more. */
  readonly #leaving = new AbortController();
  readonly #onTrouble: (sentence: string) => void;
  #running: Promise<void> = Promise.resolve();
  #bot: SlackBot | null = null;
  #told = '';

  constructor(app: ChatApp, options: SlackOptions) {
    const { token, mode, apiUrl = null, pace } = options;
    this.#app = app;
    this.#options = options;
    this.#onTrouble = options.onTrouble ?? (() => {});
    this.#socket = 'appToken' in mode ? new SocketReceiver(mode.appToken, apiUrl) : null;
    this.#posted = 'signingSecret' in mode ? new PostedReceiver(mode.signingSecret) : null;
    this.#api = new Api({ token, apiUrl, leave: this.#leaving.signal, ...(pace && { pace }) });
  }

  get webhook(): Webhook | null {
    const posted = this.#posted;
    if (!posted) return null;
    return {
      path,
      receive: async (headers, body) =>
        this.#closing.signal.aborted ? { status: 503 } : posted.receive(headers, body),
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(drainMs: number): Promise<void> {
    this.#closing.abort();
    const idle = async (ms: number) => {
      const over = new AbortController();
      await Promise.race([this.#bot?.idle(), realTime.sleep(ms, over.signal)]);
      over.abort();
    };
    await idle(drainMs);
    this.#leaving.abort();
    await idle(lastMs);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const me = await this.#connect();
    if (me === null) return;
    const bot = new SlackBot({
      app: this.#app,
      api: this.#api,
      me,
      places: this.#options.places ?? null,
      leave: this.#leaving.signal,
      onTrouble: this.#onTrouble,
    });
    const { token, apiUrl } = this.#options;
    const app = new App({
      receiver: this.#socket ?? this.#posted!,
      authorize: async () => ({
        botToken: token,
        botUserId: me.botUser,
        ...(me.botId !== null && { botId: me.botId }),
        teamId: me.team,
      }),
      clientOptions: clientOptions(apiUrl),
      logger: silent,
      convoStore: false,
    });
    // What a listener could not do is for the receiver: an event that was not recorded comes again.
    app.error(async (error) => {
      const cause = (error as { original?: unknown }).original ?? error;
      if (cause instanceof Failure && cause.retryable) throw error;
      this.#onTrouble(
        `Something in Slack was not done: ${cause instanceof Failure ? cause.detail : 'an error'}`,
      );
    });
    bot.listen(app);
    this.#bot = bot;
    const takingOver = this.#takeOver(bot);
    if (this.#socket) await this.#socket.run(signal, (error) => this.#tell(error), pauseMs);
    await takingOver;
  }

  /** Who we are there; null when it was closed before. */
  async #connect(): Promise<Workspace | null> {
    const { signal } = this.#closing;
    const { token, apiUrl } = this.#options;
    const client = new webApi.WebClient(token, clientOptions(apiUrl));
    while (!signal.aborted) {
      try {
        const { team_id, user_id, bot_id } = await client.auth.test();
        await this.#app.chats.open();
        return { team: String(team_id), botUser: String(user_id), botId: bot_id ?? null };
      } catch (error) {
        this.#tell(error);
        await realTime.sleep(pauseMs, signal);
      }
    }
    return null;
  }

  async #takeOver(bot: SlackBot): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await bot.takeOver().catch((error: unknown) => this.#tell(error));
      await realTime.sleep(leaseMs, signal);
    }
  }

  /** Once for each kind of trouble that follows another. */
  #tell(error: unknown): void {
    const code = (error as { data?: { error?: unknown } } | null)?.data?.error;
    const what =
      typeof code === 'string'
        ? `it answers ${code}`
        : error instanceof Failure
          ? error.detail
          : 'it cannot be reached';
    if (what === this.#told) return;
    this.#told = what;
    this.#onTrouble(`Slack waits: ${what.replace(/\.$/, '')}.`);
  }
}
