/**
 * Calls between the main thread and its worker threads. Calls made in the same turn of the event loop share one
 * message, and so do their replies. Failures keep their code. Any other error arrives as an `internal` Failure without
 * its message, which may contain people's words; the notice `fault` reports its origin to the operator.
 */
import { basename } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import { orAborted } from '../async/until-aborted.ts';
import { Failure, type FailureCode, traceOf } from '../failures.ts';

interface Call {
  id: number;
  method: string;
  args: unknown[];
  /** Set to 1 when no caller is waiting for the answer any more; absent for calls that cannot be cancelled. */
  cancelled?: Int32Array;
}

type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: WireFailure };

export interface WireFailure {
  code: FailureCode;
  detail: string;
  retryAfterS: number | undefined;
  field: string | undefined;
}

/** An unsolicited message from a thread. */
interface Notice {
  notice: string;
  value: unknown;
}

type FromThread = { replies: Reply[] } | Notice;

export const toWire = (error: unknown): WireFailure =>
  error instanceof Failure
    ? { code: error.code, detail: error.detail, retryAfterS: error.retryAfterS, field: error.field }
    : {
        code: 'internal',
        detail: 'An internal error occurred; it has been logged.',
        retryAfterS: undefined,
        field: undefined,
      };

/** Called with a description of a failure that will be retried; it contains no personal data. */
export type OnTrouble = (sentence: string) => void;

/** The failure of calls while a thread is being restarted. */
export const recovering = (retryAfterS = 1) =>
  new Failure('unavailable', 'The service is recovering from a fault; try again shortly.', { retryAfterS });

/** The notice of an unexpected error, with its type and origin. */
export const faultNotice = 'fault';

export const fromWire = ({ code, detail, retryAfterS, field }: WireFailure): Failure =>
  new Failure(code, detail, {
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(field !== undefined && { field }),
  });

/** The methods of a thread, which may return promises. A cancellable method receives a signal as its last argument. */
export type Handlers = Record<string, (...args: never[]) => unknown>;

/**
 * Runs inside a worker and answers calls with the handlers that `open` creates. If `open` fails, every call fails with
 * that failure. The call `close` is answered last, after `stop` if there is one; then the port is closed.
 */
export function serveThread(
  port: MessagePort,
  open: (notify: (notice: string, value: unknown) => void) => Handlers,
): void {
  let replies: Reply[] = [];
  const reply = (r: Reply) => {
    if (replies.push(r) === 1) {
      queueMicrotask(() => {
        port.postMessage({ replies } satisfies FromThread);
        replies = [];
      });
    }
  };
  const notify = (notice: string, value: unknown) => port.postMessage({ notice, value } satisfies FromThread);
  const handlers = opened(() => open(notify));
  const running = new Set<Promise<void>>();
  const answer = async ({ id, method, args, cancelled }: Call) => {
    try {
      const signal = cancelled && [askedSignal(cancelled)];
      signal?.[0]?.throwIfAborted();
      reply({ id, ok: true, value: await run(handlers, method, [...args, ...(signal ?? [])]) });
    } catch (error) {
      if (!(error instanceof Failure)) notify(faultNotice, `${method}: ${traceOf(error)}`);
      reply({ id, ok: false, error: toWire(error) });
    }
  };
  const answerLast = async (call: Call) => {
    // Cancel handlers that would wait forever.
    await Promise.resolve()
      .then(() => handlers.stop?.())
      .catch(() => {});
    await Promise.all(running);
    await answer(call);
    queueMicrotask(() => port.close());
  };
  port.on('message', (calls: Call[]) => {
    for (const call of calls) {
      if (call.method === 'close') void answerLast(call);
      else {
        const answered = answer(call).finally(() => running.delete(answered));
        running.add(answered);
      }
    }
  });
}

/**
 * A signal for work that does not yield and therefore receives no events. Its state is read on each check (`aborted`,
 * `throwIfAborted`), and listeners are not notified. Throws Failure `cancelled`.
 */
export function askedSignal(cancelled: Int32Array): AbortSignal {
  const aborted = () => Atomics.load(cancelled, 0) === 1;
  return Object.defineProperties(new AbortController().signal, {
    aborted: { get: aborted },
    throwIfAborted: {
      value: () => {
        if (aborted()) throw givenUp();
      },
    },
  });
}

/**
 * Makes a call cancellable: once its signal aborts, it fails with `cancelled`, and the work stops at its next check.
 */
export async function givenUpAt<T>(
  signal: AbortSignal,
  call: (cancelled: Int32Array) => Promise<T>,
): Promise<T> {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const cancel = () => Atomics.store(cancelled, 0, 1);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await orAborted(call(cancelled), signal);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const givenUp = () => new Failure('cancelled', 'The caller has disconnected.');

/** The handlers, or a set that fails every call but can be closed. */
function opened(open: () => Handlers): Handlers {
  try {
    return open();
  } catch (error) {
    const refuse = () => {
      throw error;
    };
    return new Proxy<Handlers>({}, { get: (_, method) => (method === 'close' ? () => {} : refuse) });
  }
}

export async function run(handlers: Handlers, method: string, args: unknown[]): Promise<unknown> {
  if (method === pingMethod) return undefined;
  const handler = handlers[method];
  if (handler === undefined) throw new Failure('internal', `The thread has no method ${method}.`);
  return handler(...(args as never[]));
}

const pingMethod = 'ping';
/** How long a closing thread may take to finish its calls. */
const closeMs = 10_000;

/** Size of the young generation in MB; these threads allocate little memory. */
const youngMb = 8;

/** The main thread's interface to a worker. */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: unknown) => void }
  >();
  #next = 1;
  #outgoing: Call[] = [];
  #ended: Failure | null = null;
  #closing = false;
  #heardAt = performance.now();
  #asked = false;
  /** Called with the thread's unsolicited messages. */
  onNotice: (notice: string, value: unknown) => void = () => {};
  /** Called with the reason when the thread has ended unexpectedly. Pending calls have already failed. */
  onDeath: (reason: string) => void = () => {};

  /** Starts `entry` (a file: URL) with `data` as its workerData. */
  constructor(entry: URL, data: unknown) {
    this.#worker = new Worker(entry, {
      name: basename(entry.pathname, '-worker.ts'),
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    this.#worker.on('message', (message: FromThread) => {
      this.#heardAt = performance.now();
      if ('notice' in message) this.onNotice(message.notice, message.value);
      else for (const reply of message.replies) this.#settle(reply);
    });
    this.#worker.on('error', (error) => this.#end(traceOf(error)));
    this.#worker.on('exit', (status) => this.#end(`exit status ${status}`));
    this.#worker.unref();
  }

  /** Time since the thread's last message, in ms. An idle thread answers pings. */
  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** Pings the thread unless a ping is already pending. */
  ping(): void {
    if (this.#asked || this.#ended !== null) return;
    this.#asked = true;
    this.call(pingMethod)
      .catch(() => {})
      .finally(() => {
        this.#asked = false;
      });
  }

  /** Calls to an ended thread fail with `unavailable`. */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#call({ method, args });
  }

  /** Like `call`, but once `cancelled` is 1 it fails with `cancelled`, and the thread stops at its next check. */
  callCancellable<T>(cancelled: Int32Array, method: string, ...args: unknown[]): Promise<T> {
    return this.#call({ method, args, cancelled });
  }

  #call<T>(call: Omit<Call, 'id'>): Promise<T> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const id = this.#next++;
    this.#waiting.set(id, { resolve, reject });
    if (this.#waiting.size === 1) this.#worker.ref();
    if (this.#outgoing.push({ id, ...call }) === 1) {
      queueMicrotask(() => {
        this.#worker.postMessage(this.#outgoing);
        this.#outgoing = [];
      });
    }
    return promise;
  }

  /** Lets the thread finish its calls and ends it. Terminates it if that takes longer than `withinMs`. */
  async close(withinMs = closeMs): Promise<void> {
    if (this.#ended !== null) return;
    this.#closing = true;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    const overdue = setTimeout(() => void this.#worker.terminate(), withinMs);
    await this.call('close').catch(() => this.#worker.terminate());
    this.#worker.ref();
    await exited;
    clearTimeout(overdue);
  }

  /** Terminates the thread immediately; pending calls fail. */
  terminate(): void {
    this.#closing = true;
    void this.#worker.terminate();
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.ok) waiting.resolve(reply.value as never);
    else waiting.reject(fromWire(reply.error));
  }

  #end(reason: string): void {
    if (this.#ended !== null) return;
    this.#ended = recovering();
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
    if (!this.#closing) this.onDeath(reason);
  }
}
