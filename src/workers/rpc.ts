/**
 * Calls between the main thread and its worker threads: one message for all calls of the same moment, one for
 * their replies. Failures keep their code; any other error arrives as Failure `internal`.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import { Failure, type FailureCode } from '../failures.ts';

interface Call {
  id: number;
  method: string;
  args: unknown[];
}

type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: WireFailure };

interface WireFailure {
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

const toWire = (error: unknown): WireFailure =>
  error instanceof Failure
    ? { code: error.code, detail: error.detail, retryAfterS: error.retryAfterS, field: error.field }
    : {
        code: 'internal',
        detail: error instanceof Error ? `${error.name}: ${error.message}` : 'An unknown error.',
        retryAfterS: undefined,
        field: undefined,
      };

const fromWire = ({ code, detail, retryAfterS, field }: WireFailure): Failure =>
  new Failure(code, detail, {
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(field !== undefined && { field }),
  });

/** Methods a thread answers; they may return promises. */
export type Handlers = Record<string, (...args: never[]) => unknown>;

/**
 * Inside a worker: answers calls with the handlers that `open` makes. When it fails, every call is answered with
 * that failure. The call `close` is answered last, then the port is closed.
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
  const handlers = opened(() =>
    open((notice, value) => port.postMessage({ notice, value } satisfies FromThread)),
  );
  const running = new Set<Promise<void>>();
  const answer = async ({ id, method, args }: Call) => {
    try {
      reply({ id, ok: true, value: await run(handlers, method, args) });
    } catch (error) {
      reply({ id, ok: false, error: toWire(error) });
    }
  };
  const answerLast = async (call: Call) => {
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

async function run(handlers: Handlers, method: string, args: unknown[]): Promise<unknown> {
  const handler = handlers[method];
  if (handler === undefined) throw new Failure('internal', `A thread does not know ${method}.`);
  return handler(...(args as never[]));
}

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
  /** Called with what the thread says unasked. */
  onNotice: (notice: string, value: unknown) => void = () => {};

  /**
   * Starts `entry` (a file: URL) with `data` as its workerData. `youngMb` bounds the thread's young generation: the
   * more a call makes and drops, the larger it should be; what is kept for good needs none of it. Default 8.
   */
  constructor(entry: URL, data: unknown, youngMb = 8) {
    this.#worker = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    this.#worker.on('message', (message: FromThread) => {
      if ('notice' in message) this.onNotice(message.notice, message.value);
      else for (const reply of message.replies) this.#settle(reply);
    });
    this.#worker.on('error', (error) => this.#end(fromWire(toWire(error))));
    this.#worker.on('exit', () => this.#end(new Failure('unavailable', 'A worker thread has ended.')));
    this.#worker.unref();
  }

  /** Calls waiting for their answer. */
  get pending(): number {
    return this.#waiting.size;
  }

  call<T>(method: string, ...args: unknown[]): Promise<T> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const id = this.#next++;
    this.#waiting.set(id, { resolve, reject });
    if (this.#waiting.size === 1) this.#worker.ref();
    if (this.#outgoing.push({ id, method, args }) === 1) {
      queueMicrotask(() => {
        this.#worker.postMessage(this.#outgoing);
        this.#outgoing = [];
      });
    }
    return promise;
  }

  /** Lets the thread finish what it was asked and ends it. */
  async close(): Promise<void> {
    if (this.#ended !== null) return;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    await this.call('close').catch(() => this.#worker.terminate());
    this.#worker.ref();
    await exited;
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.ok) waiting.resolve(reply.value as never);
    else waiting.reject(fromWire(reply.error));
  }

  #end(failure: Failure): void {
    this.#ended ??= failure;
    for (const waiting of this.#waiting.values()) waiting.reject(failure);
    this.#waiting.clear();
  }
}
