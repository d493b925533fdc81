/** Runs Docent in Slack, through a socket opened by this process or through signed HTTP requests. */
import { App, webApi } from '@slack/bolt';
import { Failure } from '../../src/failures.ts';
import type { CorporaByChat } from '../chat-corpora.ts';
import type { Connector, Webhook } from '../connector.ts';
import { corporaFaults, Lifecycle } from '../lifecycle.ts';
import { realTime, type Time } from '../pace.ts';
import type { ChatApp } from '../platform.ts';
import { Api, clientOptions, explained, type Pace, pauseAfter, Refused, silent } from './api.ts';
import { SlackBot, type Workspace } from './bot.ts';
import { maybeSigned, PostedReceiver, SocketReceiver } from './receivers.ts';

export interface SlackOptions {
  token: string;
  /** Socket mode if there is an app token, otherwise HTTP. */
  mode: { appToken: string } | { signingSecret: string };
  /** An alternative address of the Web API. */
  apiUrl?: string | null;
  corporaByChat?: CorporaByChat;
  /** Whether people can open the sources of answers, which requires a public address of the service. Default: true. */
  opensSources?: boolean;
  pace?: Partial<Pace>;
  /** The clock used for the rate limits. Default: real time. */
  time?: Time;
  /** Receives messages for the operator, which never contain text written by people. */
  onTrouble?: (sentence: string) => void;
  /** Receives reports that the connector is working. */
  onNews?: (sentence: string) => void;
}

/** The path to which Slack posts without socket mode. */
const path = '/slack/events';

export function openSlack(app: ChatApp, options: SlackOptions): Connector {
  const connection = new SlackConnection(app, options);
  return {
    door: 'appToken' in options.mode ? 'Slack (connecting over a socket)' : `Slack (receiving at ${path})`,
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
    const { onNews = () => {} } = options;
    this.#life = new Lifecycle({
      platform: 'Slack',
      describe,
      pauseAfter,
      onTrouble: this.#onTrouble,
      onNews,
    });
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
      time: this.#options.time ?? realTime,
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
    // Pass listener errors to the receiver, so that Slack redelivers an event that was not recorded.
    app.error(async (error) => {
      const cause = (error as { original?: unknown }).original ?? error;
      if (cause instanceof Failure && cause.retryable) throw error;
      this.#onTrouble(
        `A Slack request failed: ${cause instanceof Failure ? cause.detail : 'an unexpected error'}`,
      );
    });
    bot.listen(app);
    this.#life.bot = bot;
    const takingOver = this.#life.takeOver(bot);
    const how = `as @${me.name} in ${me.teamName}`;
    if (this.#socket)
      await this.#socket.run(
        this.#life.closing,
        (error) => this.#life.report(ofSocket(error)),
        () => this.#life.works(`${how}, over a socket`),
      );
    else this.#life.works(`${how}; it posts to ${path}`);
    await takingOver;
  }

  /** Reports the parts of the configuration that cannot work, as far as Slack reveals them. */
  async #check(scopes: readonly string[]): Promise<void> {
    const { corporaByChat = null, opensSources = true } = this.#options;
    const needed = this.#app.files ? [...scopesNeeded, scopeOfFiles] : scopesNeeded;
    const missing = scopes.length === 0 ? [] : needed.filter((scope) => !scopes.includes(scope));
    if (missing.length > 0)
      this.#onTrouble(
        `The Slack app lacks the scopes ${missing.join(', ')}: add them under OAuth & Permissions and install the app again.`,
      );
    for (const fault of await corporaFaults(this.#app, corporaByChat, 'SLACK_CORPORA'))
      this.#onTrouble(fault);
    for (const place of corporaByChat?.keys() ?? []) {
      if (!/^[CG]/.test(place)) continue;
      const error = await this.#api.once('conversations.info', { channel: place }).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error instanceof Refused && error.code === 'channel_not_found')
        this.#onTrouble(
          `SLACK_CORPORA names the channel ${place}, which the app cannot see: check the id, or invite the app there.`,
        );
    }
    if (!opensSources)
      this.#onTrouble(
        'Sources cannot be opened from Slack: set DOCENT_PUBLIC_URL to the public address of this service.',
      );
  }

  /** Connects and returns the bot's identity in the workspace. */
  async #connect(): Promise<Workspace & { name: string; teamName: string }> {
    const { token, apiUrl } = this.#options;
    const client = new webApi.WebClient(token, clientOptions(apiUrl));
    const { team_id, user_id, bot_id, team, user, response_metadata } = await client.auth.test();
    await this.#app.chats.open();
    await this.#check(response_metadata?.scopes ?? []);
    return {
      ...{ team: String(team_id), botUser: String(user_id), botId: bot_id ?? null },
      ...{ name: String(user), teamName: String(team) },
    };
  }
}

const scopeOfFiles = 'files:read';
/** The scopes that the app needs. Together with the scope for files, they match manifest.yaml. */
const scopesNeeded = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'mpim:history',
  'reactions:write',
  'users:read',
];

/** A failed call to open the socket. That call uses the app-level token. */
class SocketRefused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`Slack refused to open a socket (${code}).`);
    this.code = code;
  }
}

const codeOf = (error: unknown): string | null => {
  const code = (error as { data?: { error?: unknown } } | null)?.data?.error;
  return typeof code === 'string' ? code : null;
};

function ofSocket(error: unknown): unknown {
  const code = codeOf(error);
  return code === null ? error : new SocketRefused(code);
}

function describe(error: unknown): string | null {
  if (error instanceof SocketRefused)
    return error.code === 'missing_scope'
      ? 'SLACK_APP_TOKEN lacks the scope connections:write: generate another under Basic Information, App-Level Tokens'
      : explained(error.code, null, 'SLACK_APP_TOKEN');
  const code = codeOf(error);
  return code === null ? null : explained(code, null);
}
