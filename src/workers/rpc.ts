/**
 * Calls between the main thread and its worker threads. Calls made in the same turn of the event loop share one
 * message, and so do their replies. Failures keep their code; any other error arrives as Failure `internal` without
 * its text, which may repeat what people wrote; where it came from is said in a notice, `fault`, for the operator.
 */
import { basename } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import { orAborted } from '../async/until-aborted.ts';
import { Failure, type FailureCode, traceOf } from '../failures.ts';

interface Call {
  id: number;
  method: string;
  args: unknown[];
  /** Becomes 1 when no caller waits for the answer any more; absent for calls that cannot be abandoned. */
  cancelled?: Int32Array;
}

type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: WireFailure };

export interface WireFailure {
  code: FailureCode;
  detail: string;
  retryAfterS: number | undefined;
  field: string | undefined;
}

/** Something a thread says without being asked. */
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
        detail: 'Something went wrong here; it has been logged.',
        retryAfterS: undefined,
        field: undefined,
      };

/** Called with a sentence about what failed and will be retried; it holds nothing personal. */
export type OnTrouble = (sentence: string) => void;

/** What is refused while a thread is away. */
export const recovering = (retryAfterS = 1) =>
  new Failure('unavailable', 'The service is recovering from a fault, try again shortly.', { retryAfterS });

/** The notice of an unexpected error: what it is and where it came from. */
export const faultNotice = 'fault';

export const fromWire = ({ code, detail, retryAfterS, field }: WireFailure): Failure =>
  new Failure(code, detail, {
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(field !== undefined && { field }),
  });

/** Methods a thread answers; they may return promises. One that may be given up gets a signal as its last argument. */
export type Handlers = Record<string, (...args: never[]) => unknown>;

/**
 * Inside a worker: answers calls with the handlers that `open` makes. When it fails, every call is answered with
 * that failure. The call `close` is answered last, after `stop` where there is one, then the port is closed.
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
    // What waits for something that will not come any more is told so.
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
 * A signal for work that does not yield, and so would hear of nothing: it knows by itself, whenever it is asked
 * (`aborted`, `throwIfAborted`), and tells no listener. Throws Failure `cancelled`.
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

/** A call that can be given up until its signal aborts: then it fails (`cancelled`), and the work ends where it looks. */
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

/** The handlers, or one that fails for any call (but lets itself be closed). */
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
  if (handler === undefined) throw new Failure('internal', `A thread does not know ${method}.`);
  return handler(...(args as never[]));
}

const pingMethod = 'ping';
/** How long a thread has to finish what it was asked when it is closed. */
const closeMs = 10_000;

/** Of a thread's young generation, in MB: such a thread makes and drops little. */
const youngMb = 8;

/** The main thread's side of one worker. */
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
  /** Called with what the thread says unasked. */
  onNotice: (notice: string, value: unknown) => void = () => {};
  /** Called when the thread has ended by itself, with what ended it. What waits for an answer has been refused by then. */
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

  /** How long ago it last said something, in ms; an idle thread says something when it is pinged. */
  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** Asks for a sign of life, unless one is awaited already. */
  ping(): void {
    if (this.#asked || this.#ended !== null) return;
    this.#asked = true;
    this.call(pingMethod)
      .catch(() => {})
      .finally(() => {
        this.#asked = false;
      });
  }

  /** Calls to a thread that has ended are refused with Failure `unavailable`. */
  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#call({ method, args });
  }

  /** The same, given up (Failure `cancelled`, and the thread's work ends where it looks) once `cancelled` is set to 1. */
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

  /** Lets the thread finish what it was asked and ends it; at once where that takes longer than `withinMs`. */
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

  /** Ends the thread whatever it does; what waits for an answer is refused. */
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
