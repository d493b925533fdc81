/** Calls Slack's Web API within its rate limit tiers. */
import { webApi } from '@slack/bolt';
import { Failure } from '../../src/failures.ts';
import { fetchFile } from '../files.ts';
import { type ApiOptions, NotYet, PlatformApi, Refused, ViewGone } from '../platform-api.ts';
import { Budget } from '../rate-limits.ts';

export interface Pace {
  /** The minimum interval between messages in a channel, in ms. Default: 1,000. */
  postMs: number;
  /** The maximum number of appends to all streams per minute. Default: 90. */
  appendsMax: number;
  /** The interval between updates of an unfinished answer, in ms. Default: 1,200. */
  showMs: number;
  /** The pause before the first retry of a failed call, in ms. It doubles with each retry. Default: 1,000. */
  retryMs: number;
}

export const paceDefault: Pace = { postMs: 1_000, appendsMax: 90, showMs: 1_200, retryMs: 1_000 };

/** The maximum number of calls per minute, slightly below Slack's limits of 20 and 50. */
const streamsMax = 18;
const reactionsMax = 18;
const updatesMax = 48;
const minuteMs = 60_000;

/** The token is invalid or lacks a permission. The call will succeed once that is fixed. */
const ofToken =
  /^(?:not_authed|invalid_auth|account_inactive|token_(?:revoked|expired)|missing_scope|no_permission)$/;

const filesOrigin = 'https://files.slack.com';
const callMs = 15_000;

/** Error codes which mean that the bot has no access to the chat. */
const gone = new Set([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'user_not_found',
  'user_disabled',
  'restricted_action',
  'restricted_action_thread_locked',
  'restricted_action_read_only_channel',
  'cannot_dm_bot',
  'thread_not_found',
  'messages_tab_disabled',
]);
/** Codes of errors that may be temporary. */
const passing = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
]);

export interface SlackApiOptions extends ApiOptions {
  token: string;
  pace?: Partial<Pace>;
}

/** Options of all clients of the Web API. */
export const clientOptions = (apiUrl: string | null | undefined) => ({
  ...(apiUrl && { slackApiUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/` }),
  // This module decides when to wait, because a waiting client would delay all its other calls.
  rejectRateLimitedCalls: true,
  retryConfig: { retries: 0 },
  timeout: callMs,
  logger: silent,
});

/** A logger that discards everything, because a client could log text written by people. */
export const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => webApi.LogLevel.ERROR,
  setName() {},
};

export class Api extends PlatformApi {
  readonly showMs: number;
  readonly streams: Budget;
  readonly appends: Budget;
  readonly reactions: Budget;
  readonly updates: Budget;
  private readonly client: webApi.WebClient;
  private readonly postMs: number;
  private readonly token: string;
  private readonly filesOrigin: string;

  constructor(options: SlackApiOptions) {
    const { token, apiUrl } = options;
    const pace = { ...paceDefault, ...options.pace };
    super(options, pace.retryMs);
    this.streams = new Budget(streamsMax, minuteMs, this.time);
    this.appends = new Budget(pace.appendsMax, minuteMs, this.time);
    this.reactions = new Budget(reactionsMax, minuteMs, this.time);
    this.updates = new Budget(updatesMax, minuteMs, this.time);
    this.showMs = pace.showMs;
    this.postMs = pace.postMs;
    this.token = token;
    this.filesOrigin = apiUrl ? new URL(apiUrl).origin : filesOrigin;
    this.client = new webApi.WebClient(token, clientOptions(apiUrl));
  }

  protected override async call(method: string, args: Record<string, unknown>): Promise<unknown> {
    return this.client.apiCall(method, args).catch((error) => {
      throw errorOf(error);
    });
  }

  /** Slack limits each method. */
  protected override limitOf(method: string): string {
    return method;
  }

  protected override newBudget(): Budget {
    return new Budget(1, this.postMs, this.time);
  }

  /** Makes a call that must succeed. Rejects like `insist`. */
  must(method: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.insist(async () => {
      await this.afterPause(method);
      return this.once(method, args);
    });
  }

  /**
   * Posts a message when the limit of its channel allows it, and returns its ts. `find` returns the ts if the same
   * message was already posted.
   */
  async post(
    channel: string,
    message: object,
    find: () => Promise<string | null> = async () => null,
  ): Promise<string> {
    await this.budgetOf(channel).take(this.leave);
    return this.insist(async (mayHaveWorked) => {
      await this.afterPause('chat.postMessage');
      const found = mayHaveWorked ? await find() : null;
      return found ?? String((await this.once('chat.postMessage', { channel, ...message })).ts);
    });
  }

  /** Makes an edit that must succeed. */
  async update(channel: string, ts: string, message: object): Promise<void> {
    await this.updates.take(this.leave);
    await this.must('chat.update', { channel, ts, ...message });
  }

  /** The content of a file. Rejects with Refused, a Failure or the network error. */
  async file(id: string, signal: AbortSignal): Promise<Uint8Array> {
    const { file } = await this.once('files.info', { file: id });
    const url = URL.parse(String((file as { url_private_download?: string }).url_private_download));
    // Send the token only to Slack.
    if (url?.origin !== this.filesOrigin) throw new Failure('unavailable', 'Slack does not have the file.');
    return fetchFile(url.href, { authorization: `Bearer ${this.token}` }, signal);
  }

  /** Posts to the response address of a command or an action, which accepts five messages within half an hour. */
  respond(url: string, message: object): Promise<void> {
    return this.insist(async () => {
      await this.afterPause(url);
      await this.fence();
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(callMs),
      });
      if (reply.ok) return;
      if (reply.status === 429) {
        const askedMs = Number(reply.headers.get('retry-after')) * 1_000;
        const pause = new NotYet(Math.max(this.retryMs, askedMs || 0));
        this.hold(url, pause.pauseMs);
        throw pause;
      }
      // The address has expired, or the channel is closed.
      if (reply.status < 500) throw new ViewGone();
      throw new Error(`Slack responded with ${reply.status}.`);
    });
  }
}

/** Translates an error of Slack's client. `token`: the setting with the token of the call. */
export function errorOf(error: unknown, token = 'SLACK_BOT_TOKEN'): unknown {
  if (error instanceof webApi.WebAPIRateLimitedError) return new NotYet(error.retryAfter * 1_000);
  const { error: code, needed } =
    (error as { data?: { error?: unknown; needed?: unknown } } | null)?.data ?? {};
  if (typeof code !== 'string' || passing.has(code)) return error;
  const isGone = gone.has(code);
  return new Refused(explanation(code, needed, token), code, { isGone, mayPass: ofToken.test(code) });
}

/** Explains an error response to an operator and says what to do. */
function explanation(code: string, needed: unknown, token: string): string {
  if (code === 'missing_scope')
    return token === 'SLACK_APP_TOKEN'
      ? 'SLACK_APP_TOKEN lacks the scope connections:write: generate another under Basic Information, App-Level Tokens.'
      : `Slack rejected the call: the app lacks ${typeof needed === 'string' ? `the scope ${needed}` : 'a required scope'}. Add it under OAuth & Permissions and install the app again.`;
  if (ofToken.test(code))
    return `Slack rejected ${token} (${code}). Copy the token from the app's page at api.slack.com and restart Docent.`;
  return `Slack rejected the call (${code}).`;
}
