/**
 * Calls the Bot API within its rate limits: about one message per second in a chat, 20 per minute in a group and 30 per
 * second overall. After a 429 response, calls to its chat pause for the time stated in the response. Updates of an
 * unfinished answer are skipped if a limit is reached; messages that must arrive are retried.
 */
import type { Telegram } from 'telegraf';
import { ReplyLost } from '../../src/asks/chats.ts';
import { Failure } from '../../src/failures.ts';
import { Left, ViewGone } from '../answer.ts';
import { fetchFile } from '../files.ts';
import { Budget, realTime, type Time } from '../pace.ts';

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

/** An error response from Telegram, with its description. */
export class Refused extends Error {
  readonly code: number;
  readonly description: string;
  constructor(code: number, description: string) {
    super(`Telegram rejected the call (${code}).`);
    this.name = 'Refused';
    this.code = code;
    this.description = description;
  }
}

/** The maximum number of attempts for a message that must arrive: about ten minutes, including pauses. */
const triesMax = 24;
const pauseMsMax = 30_000;
const callMs = 20_000;
/** The number of calls per minute in a group that are reserved for complete answers. */
const groupKept = 8;
const chatsKept = 10_000;

interface ApiError {
  response?: {
    error_code: number;
    description: string;
    parameters?: { retry_after?: number; migrate_to_chat_id?: number };
  };
}

export interface ApiOptions {
  pace?: Partial<Pace>;
  time?: Time;
  /** Aborts when the process stops. Calls are then not retried. */
  leave: AbortSignal;
}

export class Api {
  readonly #telegram: Telegram;
  readonly #pace: Pace;
  readonly #time: Time;
  readonly #leave: AbortSignal;
  readonly #all: Budget;
  readonly #chats: Map<number, { budget: Budget; heldUntil: number }>;
  /** Groups that became supergroups, keyed by their former ids. */
  readonly #moved: Map<number, number>;
  readonly #options: ApiOptions;
  readonly #fence: () => Promise<void>;

  /** `of` and `fence`: see `fenced`. */
  constructor(
    telegram: Telegram,
    options: ApiOptions,
    of: Api | null = null,
    fence: () => Promise<void> = async () => {},
  ) {
    const { pace, time = realTime, leave } = options;
    this.#telegram = telegram;
    this.#options = options;
    this.#fence = fence;
    this.#pace = { ...paceDefault, ...pace };
    this.#time = time;
    this.#leave = leave;
    this.#all = of ? of.#all : new Budget(this.#pace.secondMax, 1_000, time);
    this.#chats = of ? of.#chats : new Map();
    this.#moved = of ? of.#moved : new Map();
  }

  /**
   * The same API with the same rate limits. Each attempt first awaits `fence`; if `fence` rejects, the call rejects
   * with the same error.
   */
  fenced(fence: () => Promise<void>): Api {
    return new Api(this.#telegram, this.#options, this, fence);
  }

  /** The interval between updates of an unfinished answer, in ms. */
  intervalMs(chat: number): number {
    const { privateMs, groupMax, groupMs } = this.#pace;
    return chat < 0 ? groupMs / groupMax : privateMs;
  }

  /** Makes one attempt at any call. Rejects with Refused or with the network error. */
  async once<T>(method: string, payload: object, signal?: AbortSignal): Promise<T> {
    await this.#fence();
    const call = this.#telegram.callApi.bind(this.#telegram) as (
      method: string,
      payload: object,
      options: object,
    ) => Promise<T>;
    return call(method, payload, { signal: signal ?? AbortSignal.timeout(callMs) });
  }

  /** The content of a file. Rejects with Refused, a Failure or the network error. */
  async file(id: string, signal: AbortSignal): Promise<Uint8Array> {
    const { file_path = '' } = await this.once<{ file_path?: string }>('getFile', { file_id: id });
    const { token, options } = this.#telegram;
    const root = `${options.apiRoot}/file/bot${token}/`;
    const { href } = new URL(file_path, root);
    if (file_path === '' || !href.startsWith(root))
      throw new Failure('unavailable', 'Telegram does not have the file.');
    return fetchFile(href, {}, signal);
  }

  /** Makes one attempt at an optional call. Skips it while its chat is paused, and ignores failures. */
  async decorate(method: string, payload: { chat_id?: number; [name: string]: unknown }): Promise<void> {
    const pacing = payload.chat_id === undefined ? null : this.#pacingOf(payload.chat_id);
    if (pacing && pacing.heldUntil > this.#time.now()) return;
    await this.once(method, payload).catch((error: unknown) => {
      const { kind, seconds } = kindOf(error);
      if (pacing && kind === 'later') pacing.heldUntil = this.#time.now() + seconds * 1_000;
    });
  }

  /**
   * Sends a message or an edit that must arrive. The payload can depend on whether an earlier attempt may have
   * succeeded. Rejects with ViewGone (the chat no longer accepts messages), Refused or Left, or if Telegram was
   * unreachable for a long time.
   */
  async send<T>(
    method: string,
    chat: number,
    payload: object | ((mayBeThere: boolean) => object),
  ): Promise<T> {
    let mayBeThere = false;
    for (let tries = 1; ; tries++) {
      const id = this.#moved.get(chat) ?? chat;
      const pacing = this.#pacingOf(id);
      await pacing.budget.take(this.#leave);
      await this.#time.sleep(pacing.heldUntil - this.#time.now(), this.#leave);
      await this.#all.take(this.#leave);
      if (this.#leave.aborted) throw new Left();
      try {
        const now = typeof payload === 'function' ? payload(mayBeThere) : payload;
        return await this.once<T>(method, { chat_id: id, ...now });
      } catch (error) {
        if (!(error instanceof Failure)) mayBeThere ||= mayBeHeard(error);
        await this.#afterFailure(error, id, tries);
      }
    }
  }

  /** Sends an update of an unfinished answer. Returns false if it was skipped. Rejects with ViewGone or Refused. */
  async step(method: string, chat: number, payload: object): Promise<boolean> {
    const id = this.#moved.get(chat) ?? chat;
    const pacing = this.#pacingOf(id);
    if (pacing.heldUntil > this.#time.now()) return false;
    if (!pacing.budget.tryTake(id < 0 ? groupKept : 0) || !this.#all.tryTake()) return false;
    try {
      await this.once(method, { chat_id: id, ...payload });
      return true;
    } catch (error) {
      if (error instanceof ReplyLost) throw error;
      const { kind, seconds } = kindOf(error);
      if (kind === 'later') pacing.heldUntil = this.#time.now() + seconds * 1_000;
      if (kind === 'gone') throw new ViewGone();
      if (kind === 'refused') throw refusedBy(error);
      return false;
    }
  }

  /** Waits if another attempt makes sense; otherwise throws. */
  async #afterFailure(error: unknown, chat: number, tries: number): Promise<void> {
    if (this.#leave.aborted) throw new Left();
    if (error instanceof ReplyLost) throw error;
    const { kind, seconds, movedTo } = kindOf(error);
    if (kind === 'gone') throw new ViewGone();
    if (kind === 'refused') throw refusedBy(error);
    if (tries >= triesMax) throw error;
    if (kind === 'moved') this.#moved.set(chat, movedTo);
    else if (kind === 'later') this.#pacingOf(chat).heldUntil = this.#time.now() + seconds * 1_000;
    else {
      const pause = Math.min(pauseMsMax, this.#pace.retryMs * 2 ** Math.min(tries - 1, 10));
      await this.#time.sleep(pause, this.#leave);
    }
  }

  #pacingOf(chat: number): { budget: Budget; heldUntil: number } {
    const known = this.#chats.get(chat);
    if (known) return known;
    const { privateMs, groupMax, groupMs } = this.#pace;
    const budget =
      chat < 0 ? new Budget(groupMax, groupMs, this.#time) : new Budget(1, privateMs, this.#time);
    if (this.#chats.size >= chatsKept) this.#chats.delete(this.#chats.keys().next().value!);
    this.#chats.set(chat, { budget, heldUntil: 0 });
    return this.#chats.get(chat)!;
  }
}

interface Kind {
  kind: 'later' | 'moved' | 'gone' | 'refused' | 'trouble';
  seconds: number;
  movedTo: number;
}

const goneWords =
  /chat not found|user is deactivated|bot was (?:kicked|blocked)|not enough rights to send|have no rights to send|CHAT_WRITE_FORBIDDEN|PEER_ID_INVALID|TOPIC_(?:CLOSED|DELETED)|message thread not found/i;

function kindOf(error: unknown): Kind {
  const response = (error as ApiError | null)?.response;
  const kind = (of: Kind['kind'], more: Partial<Kind> = {}): Kind => ({
    ...{ kind: of, seconds: 0, movedTo: 0 },
    ...more,
  });
  if (typeof response?.error_code !== 'number') return kind('trouble');
  const { error_code, description = '', parameters = {} } = response;
  if (error_code === 429) return kind('later', { seconds: parameters.retry_after ?? 1 });
  if (parameters.migrate_to_chat_id !== undefined)
    return kind('moved', { movedTo: parameters.migrate_to_chat_id });
  if (error_code === 403 || (error_code === 400 && goneWords.test(description))) return kind('gone');
  // A token can be fixed and a server can recover, but an invalid call stays invalid.
  if (error_code >= 500 || error_code === 401 || error_code === 409) return kind('trouble');
  return kind('refused');
}

/** Whether a failed call may have taken effect. */
function mayBeHeard(error: unknown): boolean {
  const { response, code } = (error ?? {}) as ApiError & { code?: string };
  if (response) return response.error_code >= 500;
  return !/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(code ?? '');
}

function refusedBy(error: unknown): Refused {
  const { error_code, description } = (error as Required<ApiError>).response;
  return new Refused(error_code, description);
}
