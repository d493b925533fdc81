/**
 * Calls Slack's Web API within its rate limit tiers. Calls that must succeed are retried after the time stated in a 429
 * response. Optional calls and updates of an unfinished answer are skipped if their rate limit is reached.
 */
import { webApi } from '@slack/bolt';
import { ReplyLost } from '../../src/asks/chats.ts';
import { Failure } from '../../src/failures.ts';
import { Left, ViewGone } from '../answer.ts';
import { fetchFile } from '../files.ts';
import { pauseMs } from '../lifecycle.ts';
import { Budget, realTime, type Time } from '../pace.ts';

export interface Pace {
  /** The minimum interval between messages in a channel, in ms. Default: 1,000. */
  postMs: number;
  /** The length of the window for these limits, in ms. Default: 60,000. */
  minuteMs: number;
  /** The maximum number of streams started per minute, slightly below the limit of 20 for their tier. Default: 18. */
  streamsMax: number;
  /** The maximum number of appends to all streams per minute. Default: 90. */
  appendsMax: number;
  /** The maximum number of reactions removed per minute. Default: 18. */
  reactionsMax: number;
  /** The maximum number of edits per minute. Default: 48. */
  updatesMax: number;
  /** The interval between updates of an unfinished answer, in ms. Default: 1,200. */
  showMs: number;
  /** The pause before the first retry of a failed call, in ms. It doubles with each retry. Default: 1,000. */
  retryMs: number;
}

export const paceDefault: Pace = {
  postMs: 1_000,
  minuteMs: 60_000,
  streamsMax: 18,
  appendsMax: 90,
  reactionsMax: 18,
  updatesMax: 48,
  showMs: 1_200,
  retryMs: 1_000,
};

/** An error response from Slack, with its code ("message_not_found"). */
export class Refused extends Error {
  readonly code: string;
  /** The missing scope, using Slack's name; null if the error has another cause. */
  readonly needed: string | null;
  constructor(code: string, needed: string | null = null) {
    super(`Slack rejected the call (${code}).`);
    this.name = 'Refused';
    this.code = code;
    this.needed = needed;
  }
}

/** The token is invalid or lacks a permission. The call will succeed once that is fixed. */
const ofToken =
  /^(?:not_authed|invalid_auth|account_inactive|token_(?:revoked|expired)|missing_scope|no_permission)$/;

export const mayPass = (code: string): boolean => ofToken.test(code);

/** Explains an error response to an operator and says what to do. */
export function explained(code: string, needed: string | null, token = 'SLACK_BOT_TOKEN'): string {
  if (code === 'missing_scope')
    return `Slack rejected the call: the app lacks ${needed === null ? 'a required scope' : `the scope ${needed}`}. Add it under OAuth & Permissions and install the app again.`;
  if (ofToken.test(code))
    return `Slack rejected ${token} (${code}). Copy the token from the app's page at api.slack.com and restart Docent.`;
  return `Slack rejected the call (${code}).`;
}

const filesOrigin = 'https://files.slack.com';
const triesMax = 24;
const pauseMsMax = 30_000;
const callMs = 15_000;
const channelsKept = 10_000;

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

export interface ApiOptions {
  token: string;
  apiUrl?: string | null;
  pace?: Partial<Pace>;
  /** Default: real time. */
  time?: Time;
  leave: AbortSignal;
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

export class Api {
  readonly pace: Pace;
  readonly streams: Budget;
  readonly appends: Budget;
  readonly reactions: Budget;
  readonly updates: Budget;
  readonly #client: webApi.WebClient;
  readonly #leave: AbortSignal;
  readonly #time: Time;
  readonly #channels: Map<string, Budget>;
  readonly #heldUntil: Map<string, number>;
  readonly #options: ApiOptions;
  readonly #fence: () => Promise<void>;

  /** `of` and `fence`: see `fenced`. */
  constructor(options: ApiOptions, of: Api | null = null, fence: () => Promise<void> = async () => {}) {
    const { token, apiUrl, pace, time = realTime, leave } = options;
    this.pace = { ...paceDefault, ...pace };
    const { minuteMs, streamsMax, appendsMax, reactionsMax, updatesMax } = this.pace;
    this.streams = of?.streams ?? new Budget(streamsMax, minuteMs, time);
    this.appends = of?.appends ?? new Budget(appendsMax, minuteMs, time);
    this.reactions = of?.reactions ?? new Budget(reactionsMax, minuteMs, time);
    this.updates = of?.updates ?? new Budget(updatesMax, minuteMs, time);
    this.#channels = of ? of.#channels : new Map();
    this.#heldUntil = of ? of.#heldUntil : new Map();
    this.#options = options;
    this.#fence = fence;
    this.#leave = leave;
    this.#time = time;
    this.#client = of ? of.#client : new webApi.WebClient(token, clientOptions(apiUrl));
  }

  /**
   * The same API with the same rate limits. Each attempt first awaits `fence`; if `fence` rejects, the call rejects
   * with the same error.
   */
  fenced(fence: () => Promise<void>): Api {
    return new Api(this.#options, this, fence);
  }

  /** Makes one attempt. Rejects with Refused or with the client's error. */
  async once(method: string, args: object): Promise<Record<string, unknown>> {
    await this.#fence();
    try {
      return { ...(await this.#client.apiCall(method, args as Record<string, unknown>)) };
    } catch (error) {
      const { kind, seconds, code, needed } = kindOf(error);
      if (kind === 'later') this.#heldUntil.set(method, this.#time.now() + seconds * 1_000);
      if (kind === 'refused' || kind === 'gone') throw new Refused(code, needed);
      throw error;
    }
  }

  /** Makes one attempt at an optional call. Skips it while its tier is exhausted. */
  async decorate(method: string, args: object): Promise<boolean> {
    if ((this.#heldUntil.get(method) ?? 0) > this.#time.now()) return false;
    return this.once(method, args).then(
      () => true,
      () => false,
    );
  }

  /**
   * Makes a call that must succeed. `done` checks whether an earlier attempt without a response took effect. Rejects
   * with ViewGone (the bot has no access to the chat), Refused or Left, or if Slack was unavailable for a long time.
   */
  async must(
    method: string,
    args: object,
    done: () => Promise<Record<string, unknown> | null> = async () => null,
  ): Promise<Record<string, unknown>> {
    for (let tries = 1; ; tries++) {
      const heldMs = (this.#heldUntil.get(method) ?? 0) - this.#time.now();
      if (heldMs > 0) await this.#time.sleep(heldMs, this.#leave);
      if (this.#leave.aborted) throw new Left();
      try {
        return await this.once(method, args);
      } catch (error) {
        if (error instanceof ReplyLost) throw error;
        if (error instanceof Refused) {
          if (gone.has(error.code)) throw new ViewGone();
          throw error;
        }
        if (tries >= triesMax) throw error;
        if (kindOf(error).kind === 'later') continue;
        const pause = Math.min(pauseMsMax, this.pace.retryMs * 2 ** Math.min(tries - 1, 10));
        await this.#time.sleep(pause, this.#leave);
        const before = isUnknown(error) ? await done() : null;
        if (before) return before;
      }
    }
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
    const known = this.#channels.get(channel) ?? new Budget(1, this.pace.postMs, this.#time);
    this.#channels.set(channel, known);
    if (this.#channels.size > channelsKept) this.#channels.delete(this.#channels.keys().next().value!);
    await known.take(this.#leave);
    const done = async () => {
      const ts = await find();
      return ts === null ? null : { ts };
    };
    return String((await this.must('chat.postMessage', { channel, ...message }, done)).ts);
  }

  /** Makes an edit that must succeed. */
  async update(channel: string, ts: string, message: object): Promise<void> {
    await this.updates.take(this.#leave);
    await this.must('chat.update', { channel, ts, ...message });
  }

  /** The content of a file. Rejects with Refused, a Failure or the network error. */
  async file(id: string, signal: AbortSignal): Promise<Uint8Array> {
    const { token, apiUrl } = this.#options;
    const { file } = await this.once('files.info', { file: id });
    const url = URL.parse(String((file as { url_private_download?: string }).url_private_download));
    // Send the token only to Slack.
    if (url?.origin !== (apiUrl ? new URL(apiUrl).origin : filesOrigin))
      throw new Failure('unavailable', 'Slack does not have the file.');
    return fetchFile(url.href, { authorization: `Bearer ${token}` }, signal);
  }

  /** Posts to the response address of a command or an action, which accepts five messages within half an hour. */
  async respond(url: string, message: object): Promise<void> {
    for (let tries = 1; ; tries++) {
      await this.#fence();
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(callMs),
      }).catch(() => null);
      if (reply?.ok) return;
      const isLimited = reply?.status === 429;
      // The address has expired, or the channel is closed.
      if (reply && reply.status >= 400 && reply.status < 500 && !isLimited) throw new ViewGone();
      if (this.#leave.aborted) throw new Left();
      if (tries >= 5) throw new ViewGone();
      const saidMs = isLimited ? Number(reply.headers.get('retry-after') ?? 0) * 1_000 : 0;
      await this.#time.sleep(Math.max(saidMs, this.pace.retryMs * 2 ** (tries - 1)), this.#leave);
    }
  }
}

/** The pause before the failed call is retried, in ms. */
export const pauseAfter = (error: unknown): number =>
  error instanceof webApi.WebAPIRateLimitedError ? Math.max(pauseMs, error.retryAfter * 1_000) : pauseMs;

/** Whether a failed call may have taken effect. */
export function isUnknown(error: unknown): boolean {
  if (error instanceof Refused || kindOf(error).kind !== 'trouble') return false;
  const { code } = ((error as { original?: { code?: string } } | null)?.original ?? {}) as { code?: string };
  return !/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(code ?? '');
}

interface Kind {
  kind: 'later' | 'gone' | 'refused' | 'trouble';
  seconds: number;
  code: string;
  needed: string | null;
}

function kindOf(error: unknown): Kind {
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { kind: 'later', seconds: error.retryAfter, code: 'ratelimited', needed: null };
  const { error: code, needed } =
    (error as { data?: { error?: unknown; needed?: unknown } } | null)?.data ?? {};
  if (typeof code !== 'string') return { kind: 'trouble', seconds: 0, code: '', needed: null };
  const kind = gone.has(code) ? 'gone' : passing.has(code) ? 'trouble' : 'refused';
  return { kind, seconds: 0, code, needed: typeof needed === 'string' ? needed : null };
}
