/**
 * Runs Docent in Slack, through a socket opened by this process or through signed HTTP requests. An event is
 * acknowledged once its listeners have recorded it, so an event that could not be recorded is delivered again. The
 * handlers of commands and buttons acknowledge them directly, because a person is waiting.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { Failure } from '../../src/failures.ts';
import type { Webhook } from '../../src/ports/webhook.ts';
import {
  ChatConnector,
  type Connector,
  type ConnectorOptions,
  pauseAfter,
  pauseMs,
  type Session,
} from '../connector.ts';
import type { ChatApp } from '../platform.ts';
import { Refused } from '../platform-api.ts';
import { realTime } from '../rate-limits.ts';
import { Api, clientOptions, errorOf, type Pace, silent } from './api.ts';
import { SlackBot } from './bot.ts';

export interface SlackOptions extends ConnectorOptions {
  /** Socket mode if there is an app token, otherwise HTTP. */
  mode: { appToken: string } | { signingSecret: string };
  pace?: Partial<Pace>;
}

/** The path to which Slack posts without socket mode. */
const path = '/slack/events';
/**
 * How long a request may stay unacknowledged, in ms. Slack waits 3 s, but recording may take longer, and an
 * acknowledgement after the reply was sent would count as an error.
 */
const unhandledMs = 10_000;

function notRecorded(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(503).end();
}

export const openSlack = (app: ChatApp, options: SlackOptions): Connector => new SlackConnector(app, options);

class SlackConnector extends ChatConnector {
  protected override readonly name = 'Slack';
  override readonly door: string;
  override readonly webhook: Webhook | null = null;
  readonly #options: SlackOptions;
  readonly #receiver: SocketModeReceiver | HTTPReceiver;
  readonly #api: Api;

  constructor(app: ChatApp, options: SlackOptions) {
    super(app, options);
    const { mode, apiUrl } = options;
    this.#options = options;
    this.#api = new Api({ ...options, leave: this.leaving });
    if ('appToken' in mode) {
      this.door = 'Slack (connecting over a socket)';
      this.#receiver = new SocketModeReceiver({
        appToken: mode.appToken,
        // `#stayConnected` reconnects: the client would take seconds, and would end the process if Slack rejects it.
        autoReconnectEnabled: false,
        logger: silent,
        installerOptions: { clientOptions: clientOptions(apiUrl) },
        // An event that could not be recorded is delivered again.
        processEventErrorHandler: async () => false,
      });
    } else {
      this.door = `Slack (receiving at ${path})`;
      const { signingSecret } = mode;
      const receiver = new HTTPReceiver({
        signingSecret,
        endpoints: path,
        logger: silent,
        // Slack sends what was not recorded again.
        processEventErrorHandler: async ({ response }) => {
          notRecorded(response);
          return false;
        },
        unhandledRequestHandler: ({ response }) => notRecorded(response),
        unhandledRequestTimeoutMillis: unhandledMs,
      });
      this.#receiver = receiver;
      this.webhook = {
        path,
        isPlausible: maybeSigned,
        receive: (request, response) => {
          if (!this.isReceiving) return void response.writeHead(503).end();
          try {
            receiver.requestListener(request, response);
          } catch {
            // Bolt rejects another spelling of the path, such as with encoded letters.
            response.writeHead(404).end();
          }
        },
      };
    }
  }

  protected override async connect(): Promise<Session> {
    const me = await this.#api.once<Identity>('auth.test', {});
    await this.app.chats.open();
    await this.#check(me.response_metadata?.scopes ?? []);
    const bot = new SlackBot({
      ...this.botOptions,
      api: this.#api,
      me: { team: me.team_id, botUser: me.user_id, botId: me.bot_id ?? null },
    });
    this.#listen(bot, me);
    const how = `as @${me.user} in ${me.team}`;
    const receiver = this.#receiver;
    return {
      bot: bot.core,
      receive: async () => {
        if (receiver instanceof SocketModeReceiver) await this.#stayConnected(receiver, how);
        else this.works(`${how}; it posts to ${path}`);
      },
    };
  }

  #listen(bot: SlackBot, { team_id: teamId, user_id: botUserId, bot_id: botId }: Identity): void {
    const { token, apiUrl } = this.#options;
    const app = new App({
      receiver: this.#receiver,
      authorize: async () => ({ botToken: token, botUserId, ...(botId && { botId }), teamId }),
      clientOptions: clientOptions(apiUrl),
      logger: silent,
      convoStore: false,
    });
    // Pass listener errors to the receiver, so that Slack redelivers an event that was not recorded.
    app.error(async (error) => {
      const cause = (error as { original?: unknown }).original ?? error;
      if (cause instanceof Failure && cause.retryable) throw error;
      this.onTrouble(
        `A Slack request failed: ${cause instanceof Failure ? cause.detail : 'an unexpected error'}`,
      );
    });
    bot.listen(app);
    // Bolt acknowledges an event before handling it. This delays the acknowledgement until the listeners have finished.
    const processEvent: App['processEvent'] = async (event) => {
      if (event.body.type !== 'event_callback') return app.processEvent(event);
      await app.processEvent({ ...event, ack: async () => {} });
      await event.ack();
    };
    this.#receiver.init({ processEvent } as App);
  }

  /** Stays connected until the connector is closed, and reconnects as necessary. */
  async #stayConnected({ client }: SocketModeReceiver, how: string): Promise<void> {
    let isFlapping = false;
    while (!this.closing.aborted) {
      const ended = Promise.withResolvers<void>();
      const end = () => ended.resolve();
      let pause = 0;
      try {
        this.closing.addEventListener('abort', end, { once: true });
        await Promise.race([client.start().then(() => this.works(`${how}, over a socket`)), ended.promise]);
        const since = this.time.now();
        client.once('disconnected', end);
        await ended.promise;
        // A socket that Slack refreshes is replaced immediately. After two short connections in a row, pause first:
        // Slack limits how many sockets can be opened.
        const isShort = this.time.now() - since < pauseMs;
        pause = isShort && isFlapping ? pauseMs : 0;
        isFlapping = isShort;
      } catch (raw) {
        const error = errorOf(raw, 'SLACK_APP_TOKEN');
        pause = pauseAfter(error);
        this.report(error);
      } finally {
        client.off('disconnected', end);
        this.closing.removeEventListener('abort', end);
      }
      await this.time.sleep(pause, this.closing);
    }
    await Promise.race([client.disconnect(), realTime.sleep(1_000)]).catch(() => {});
  }

  /** Reports the parts of the configuration that cannot work, as far as Slack reveals them. */
  async #check(scopes: readonly string[]): Promise<void> {
    const needed = this.app.files ? [...scopesNeeded, scopeOfFiles] : scopesNeeded;
    const missing = scopes.length === 0 ? [] : needed.filter((scope) => !scopes.includes(scope));
    if (missing.length > 0)
      this.onTrouble(
        `The Slack app lacks the scopes ${missing.join(', ')}: add them under OAuth & Permissions and install the app again.`,
      );
    await this.checkCorpora();
    for (const place of this.corporaByChat?.keys() ?? []) {
      if (!/^[CG]/.test(place)) continue;
      const error = await this.#api.once('conversations.info', { channel: place }).catch((reason) => reason);
      if (error instanceof Refused && error.code === 'channel_not_found')
        this.onTrouble(
          `SLACK_CORPORA names the channel ${place}, which the app cannot see: check the id, or invite the app there.`,
        );
    }
  }
}

/** The response of `auth.test`. */
interface Identity {
  team_id: string;
  team: string;
  user_id: string;
  user: string;
  bot_id?: string;
  response_metadata?: { scopes?: string[] };
}

/** How much the time of a signature may differ from the current time, in seconds, which prevents replays. */
const signedWithinS = 5 * 60;

/** Whether a request has the form of a recently signed one. Bolt itself accepts timestamps in the future. */
function maybeSigned(headers: IncomingHttpHeaders): boolean {
  const ageS = Date.now() / 1_000 - Number(headers['x-slack-request-timestamp']);
  return Math.abs(ageS) <= signedWithinS && /^v0=[\da-f]{64}$/.test(String(headers['x-slack-signature']));
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
