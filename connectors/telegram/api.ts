/**
 * Calls the Bot API within its rate limits: about one message per second in a chat, 20 per minute in a group and 30 per
 * second overall. After a 429 response, calls to its chat pause for the time stated in the response.
 */
import type { Telegram } from 'telegraf';
import { ReplyLost } from '../../src/asks/chat.ts';
import { Failure } from '../../src/failures.ts';
import { fetchFile } from '../files.ts';
import { type ApiOptions, NotYet, PlatformApi, Refused, ViewGone } from '../platform-api.ts';
import { Budget } from '../rate-limits.ts';

export interface Pace {
  /** The minimum interval between messages and edits in a private chat, in ms. Default: 1,000. */
  privateMs: number;
  /** The maximum number of messages and edits in a group within `groupMs` (in ms). Default: 20 within 60,000. */
  groupMax: number;
  groupMs: number;
  /** The maximum number of messages and edits per second in all chats. Default: 30. */
  secondMax: number;
  /** The pause before the first retry of a failed call, in ms. It doubles with each retry. Default: 1,000. */
  retryMs: number;
}

export const paceDefault: Pace = {
  privateMs: 1_000,
  groupMax: 20,
  groupMs: 60_000,
  secondMax: 30,
  retryMs: 1_000,
};

const callMs = 20_000;
/** The number of calls per minute in a group that are reserved for complete answers. */
const groupKept = 8;

interface Payload {
  chat_id?: number;
  [name: string]: unknown;
}

export class Api extends PlatformApi<Payload> {
  private readonly telegram: Telegram;
  private readonly pace: Pace;
  private readonly all: Budget;
  /** Groups that became supergroups, keyed by their former ids. */
  private readonly moved = new Map<number, number>();

  constructor(telegram: Telegram, options: ApiOptions & { pace?: Partial<Pace> }) {
    const pace = { ...paceDefault, ...options.pace };
    super(options, pace.retryMs);
    this.telegram = telegram;
    this.pace = pace;
    this.all = new Budget(pace.secondMax, 1_000, this.time);
  }

  /** The interval between updates of an unfinished answer, in ms. */
  intervalMs(chat: number): number {
    const { privateMs, groupMax, groupMs } = this.pace;
    return chat < 0 ? groupMs / groupMax : privateMs;
  }

  protected override async call(method: string, payload: Payload, signal?: AbortSignal): Promise<unknown> {
    const call = this.telegram.callApi.bind(this.telegram) as (
      method: string,
      payload: Payload,
      options: object,
    ) => Promise<unknown>;
    return call(method, payload, { signal: signal ?? AbortSignal.timeout(callMs) }).catch((error) => {
      const movedTo = (error as ApiError | null)?.response?.parameters?.migrate_to_chat_id;
      if (movedTo === undefined || payload.chat_id === undefined) throw errorOf(error);
      this.moved.set(payload.chat_id, movedTo);
      throw new NotYet(0);
    });
  }

  /** Telegram limits each chat. */
  protected override limitOf(_method: string, { chat_id }: Payload): string | null {
    return chat_id === undefined ? null : String(chat_id);
  }

  protected override newBudget(chat: string): Budget {
    const { privateMs, groupMax, groupMs } = this.pace;
    const isGroup = chat.startsWith('-');
    return isGroup ? new Budget(groupMax, groupMs, this.time) : new Budget(1, privateMs, this.time);
  }

  /** The content of a file. Rejects with Refused, a Failure or the network error. */
  async file(id: string, signal: AbortSignal): Promise<Uint8Array> {
    const { file_path = '' } = await this.once<{ file_path?: string }>('getFile', { file_id: id });
    const { token, options } = this.telegram;
    const root = `${options.apiRoot}/file/bot${token}/`;
    const { href } = new URL(file_path, root);
    if (file_path === '' || !href.startsWith(root))
      throw new Failure('unavailable', 'Telegram does not have the file.');
    return fetchFile(href, {}, signal);
  }

  /**
   * Sends a message or an edit that must arrive. The payload can depend on whether an earlier attempt may have
   * succeeded. Rejects like `insist`.
   */
  send<T>(method: string, chat: number, payload: object | ((mayHaveWorked: boolean) => object)): Promise<T> {
    return this.insist(async (mayHaveWorked) => {
      const id = this.moved.get(chat) ?? chat;
      await this.budgetOf(String(id)).take(this.leave);
      await this.afterPause(String(id));
      await this.all.take(this.leave);
      const now = typeof payload === 'function' ? payload(mayHaveWorked) : payload;
      return this.once<T>(method, { chat_id: id, ...now });
    });
  }

  /** Sends an update of an unfinished answer. Returns false if it was skipped. Rejects with ViewGone or Refused. */
  async step(method: string, chat: number, payload: object): Promise<boolean> {
    const id = this.moved.get(chat) ?? chat;
    if (this.heldMs(String(id)) > 0) return false;
    if (!this.budgetOf(String(id)).tryTake(id < 0 ? groupKept : 0) || !this.all.tryTake()) return false;
    try {
      await this.once(method, { chat_id: id, ...payload });
      return true;
    } catch (error) {
      if (error instanceof Refused) throw error.isGone ? new ViewGone() : error;
      if (error instanceof ReplyLost) throw error;
      return false;
    }
  }
}

interface ApiError {
  response?: {
    error_code: number;
    description?: string;
    parameters?: { retry_after?: number; migrate_to_chat_id?: number };
  };
}

const goneWords =
  /chat not found|user is deactivated|bot was (?:kicked|blocked)|not enough rights to send|have no rights to send|CHAT_WRITE_FORBIDDEN|PEER_ID_INVALID|TOPIC_(?:CLOSED|DELETED)|message thread not found/i;

/** Translates an error of telegraf. */
function errorOf(error: unknown): unknown {
  const { error_code: code, description = '', parameters = {} } = (error as ApiError | null)?.response ?? {};
  if (code === undefined || code >= 500) return error;
  if (code === 429) return new NotYet((parameters.retry_after ?? 1) * 1_000);
  const isGone = code === 403 || (code === 400 && goneWords.test(description));
  return new Refused(explanation(code), description, {
    isGone,
    mayPass: /^(?:401|404|409)$/.test(String(code)),
  });
}

/** Explains an error response to an operator and says what to do. */
function explanation(code: number): string {
  if (code === 401 || code === 404)
    return 'Telegram rejected TELEGRAM_BOT_TOKEN. Copy the token that @BotFather shows for the bot.';
  if (code === 409)
    return "Another program is polling for this bot's updates. Stop it, or set TELEGRAM_WEBHOOK_URL for all instances.";
  return `Telegram rejected the call (${code}).`;
}
