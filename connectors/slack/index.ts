/** Docent in Slack: over a socket that this process opens, or over HTTP with signed requests. */
import { App, webApi } from '@slack/bolt';
import { Failure } from '../../src/failures.ts';
import type { ChatApp } from '../chat.ts';
import type { CorporaByChat } from '../chat-corpora.ts';
import type { Connector, Webhook } from '../connector.ts';
import { Lifecycle } from '../lifecycle.ts';
import { realTime, type Time } from '../pace.ts';
import { Api, clientOptions, type Pace, pauseAfter, silent } from './api.ts';
import { SlackBot, type Workspace } from './bot.ts';
import { maybeSigned, PostedReceiver, SocketReceiver } from './receivers.ts';

export interface SlackOptions {
  token: string;
  /** Socket mode where there is an app token, else HTTP. */
  mode: { appToken: string } | { signingSecret: string };
  /** Another address of the Web API. */
  apiUrl?: string | null;
  corporaByChat?: CorporaByChat;
  pace?: Partial<Pace>;
  /** By which its calls are paced; default: real time. */
  time?: Time;
  /** Sentences for the operator; nothing a person wrote stands in them. */
  onTrouble?: (sentence: string) => void;
}

/** Where Slack posts to, without socket mode. */
const path = '/slack/events';

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
  readonly #life: Lifecycle<SlackBot>;
  readonly #onTrouble: (sentence: string) => void;

  constructor(app: ChatApp, options: SlackOptions) {
    const { token, mode, apiUrl = null, pace, time = realTime } = options;
    this.#app = app;
    this.#options = options;
    this.#onTrouble = options.onTrouble ?? (() => {});
    this.#life = new Lifecycle({ platform: 'Slack', describe, pauseAfter, onTrouble: this.#onTrouble });
    this.#socket = 'appToken' in mode ? new SocketReceiver(mode.appToken, apiUrl, time) : null;
    this.#posted = 'signingSecret' in mode ? new PostedReceiver(mode.signingSecret) : null;
    this.#api = new Api({ token, apiUrl, time, leave: this.#life.leaving, ...(pace && { pace }) });
  }

  get webhook(): Webhook | null {
    const posted = this.#posted;
    if (!posted) return null;
    return {
      path,
      isPlausible: (headers) => maybeSigned(headers) !== null,
      receive: async (headers, body) =>
        this.#life.closing.aborted ? { status: 503 } : posted.receive(headers, body),
    };
  }

  start(): void {
    this.#life.start(() => this.#run());
  }

  close(drainMs: number): Promise<void> {
    return this.#life.close(drainMs);
  }

  async #run(): Promise<void> {
    const me = await this.#life.patiently(() => this.#connect());
    if (me === null) return;
    const bot = new SlackBot({
      app: this.#app,
      api: this.#api,
      me,
      corporaByChat: this.#options.corporaByChat ?? null,
      leave: this.#life.leaving,
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
      this.#onTrouble(`A Slack request failed: ${cause instanceof Failure ? cause.detail : 'an error'}`);
    });
    bot.listen(app);
    this.#life.bot = bot;
    const takingOver = this.#life.takeOver(bot);
    if (this.#socket) await this.#socket.run(this.#life.closing, (error) => this.#life.report(error));
    await takingOver;
  }

  /** Who we are there. */
  async #connect(): Promise<Workspace> {
    const { token, apiUrl } = this.#options;
    const client = new webApi.WebClient(token, clientOptions(apiUrl));
    const { team_id, user_id, bot_id } = await client.auth.test();
    await this.#app.chats.open();
    return { team: String(team_id), botUser: String(user_id), botId: bot_id ?? null };
  }
}

function describe(error: unknown): string | null {
  const code = (error as { data?: { error?: unknown } } | null)?.data?.error;
  return typeof code === 'string' ? `it answers ${code}` : null;
}
