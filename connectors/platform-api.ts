/**
 * Calls to the API of a platform: rate limits, retries, and the errors that the chat core understands. Optional calls
 * and updates of an unfinished answer are skipped if a limit is reached; calls that must succeed are retried.
 */
import { ReplyLost } from '../src/asks/chat.ts';
import { Failure } from '../src/failures.ts';
import { type Budget, realTime, type Time } from './rate-limits.ts';

/** The answer can no longer be shown: the bot has no access to the chat, or the question was withdrawn. */
export class ViewGone extends Error {
  constructor() {
    super('This answer can no longer be shown.');
    this.name = 'ViewGone';
  }
}

/** Thrown when this process stops working on the reply. */
export class Left extends Error {
  constructor() {
    super('The process is shutting down.');
    this.name = 'Left';
  }
}

/** An error response of the platform. The message explains it to an operator. */
export class Refused extends Error {
  /** The platform's code or description of the error. */
  readonly code: string;
  /** Whether the bot has no access to the chat. */
  readonly isGone: boolean;
  /** Whether the call will succeed once the operator has fixed the problem. */
  readonly mayPass: boolean;
  constructor(message: string, code: string, { isGone = false, mayPass = false } = {}) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.isGone = isGone;
    this.mayPass = mayPass;
  }
}

/** The platform did not execute the call, but will after a pause. */
export class NotYet extends Error {
  readonly pauseMs: number;
  constructor(pauseMs: number) {
    super('The platform asks for a pause.');
    this.name = 'NotYet';
    this.pauseMs = pauseMs;
  }
}

/** Explains an error to an operator; null if it has no explanation. */
export const explained = (error: unknown): string | null =>
  error instanceof Failure ? error.detail : error instanceof Refused ? error.message : null;

/** Ignores that a call was refused, unless it will succeed later. */
export function onlyRefusals(error: unknown): void {
  if (!(error instanceof Refused) || error.mayPass) throw error;
}

/** Whether a call that failed may have taken effect. */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof Refused || error instanceof NotYet || error instanceof Failure) return false;
  const { code, original } = (error ?? {}) as { code?: string; original?: { code?: string } };
  return !/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(original?.code ?? code ?? '');
}

/** The maximum number of attempts for a call that must succeed: about ten minutes, including pauses. */
const triesMax = 24;
const pauseMsMax = 30_000;
const chatsKept = 10_000;

export interface ApiOptions {
  /** An alternative address of the API. */
  apiUrl?: string | null;
  time?: Time;
  /** Aborts when the process stops. Calls are then not retried. */
  leave: AbortSignal;
}

/**
 * Members are not `#private`, because `fenced` returns an object that inherits from this one. `Payload` is a method's
 * arguments.
 */
export abstract class PlatformApi<Payload extends object = Record<string, unknown>> {
  protected readonly time: Time;
  protected readonly leave: AbortSignal;
  protected readonly retryMs: number;
  protected readonly fence: () => Promise<void> = async () => {};
  /** When the pauses that the platform asked for end, by what they apply to. */
  private readonly heldUntil = new Map<string, number>();
  private readonly budgets = new Map<string, Budget>();

  constructor({ time = realTime, leave }: ApiOptions, retryMs: number) {
    this.time = time;
    this.leave = leave;
    this.retryMs = retryMs;
  }

  /** Makes a call. Rejects with Refused, NotYet or the client's error. */
  protected abstract call(method: string, payload: Payload, signal?: AbortSignal): Promise<unknown>;
  /** What a pause applies to: a method or a chat; null if the call is never paused. */
  protected abstract limitOf(method: string, payload: Payload): string | null;
  /** The rate limit of a chat. */
  protected abstract newBudget(chat: string): Budget;

  /**
   * The same API with the same rate limits. Each attempt first awaits `fence`; if `fence` rejects, the call rejects
   * with the same error.
   */
  fenced(fence: () => Promise<void>): this {
    return Object.create(this, { fence: { value: fence } });
  }

  /** Makes one attempt at any call. Rejects like `call`. */
  async once<T = Record<string, unknown>>(
    method: string,
    payload: Payload,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.fence();
    try {
      return (await this.call(method, payload, signal)) as T;
    } catch (error) {
      const limit = this.limitOf(method, payload);
      if (error instanceof NotYet && limit !== null) this.hold(limit, error.pauseMs);
      throw error;
    }
  }

  /** Makes one attempt at an optional call. Skips it during a pause, and ignores failures. */
  async decorate(method: string, payload: Payload): Promise<void> {
    if (this.heldMs(this.limitOf(method, payload)) > 0) return;
    await this.once(method, payload).catch(() => {});
  }

  /**
   * Repeats a call that must succeed; `mayHaveWorked` says whether an earlier attempt may have taken effect. Rejects
   * with ViewGone (the chat no longer accepts messages), Refused or Left, or if the platform was unreachable for a long
   * time.
   */
  protected async insist<T>(attempt: (mayHaveWorked: boolean) => Promise<T>): Promise<T> {
    let mayHaveWorked = false;
    for (let tries = 1; ; tries++) {
      if (this.leave.aborted) throw new Left();
      try {
        return await attempt(mayHaveWorked);
      } catch (error) {
        if (this.leave.aborted) throw new Left();
        if (error instanceof ReplyLost || error instanceof ViewGone) throw error;
        if (error instanceof Refused) throw error.isGone ? new ViewGone() : error;
        if (tries >= triesMax) throw error;
        if (error instanceof NotYet) continue;
        mayHaveWorked ||= mayBeDone(error);
        await this.time.sleep(Math.min(pauseMsMax, this.retryMs * 2 ** (tries - 1)), this.leave);
      }
    }
  }

  protected hold(limit: string, ms: number): void {
    this.heldUntil.set(limit, this.time.now() + ms);
    if (this.heldUntil.size > chatsKept) this.heldUntil.delete(this.heldUntil.keys().next().value!);
  }

  /** The rest of a pause, in ms; 0 if there is none. */
  protected heldMs(limit: string | null): number {
    const until = limit === null ? undefined : this.heldUntil.get(limit);
    if (limit === null || until === undefined) return 0;
    const left = until - this.time.now();
    if (left <= 0) this.heldUntil.delete(limit);
    return Math.max(0, left);
  }

  protected async afterPause(limit: string | null): Promise<void> {
    await this.time.sleep(this.heldMs(limit), this.leave);
    // Removes the pause if it has ended.
    this.heldMs(limit);
    if (this.leave.aborted) throw new Left();
  }

  protected budgetOf(chat: string): Budget {
    const budget = this.budgets.get(chat) ?? this.newBudget(chat);
    this.budgets.set(chat, budget);
    if (this.budgets.size > chatsKept) this.budgets.delete(this.budgets.keys().next().value!);
    return budget;
  }
}
