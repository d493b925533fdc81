/**
 * /api/ask/ws, the WebSocket counterpart of the stream. It sends the same parts as JSON messages with a `type` field,
 * and an `id` with which a client can resume the answer at GET /api/ask/stream/{request_id} if the connection breaks.
 *
 * A client sends questions, in the form of the body of /api/ask with an optional `"type": "ask"`, and
 * `{"type":"cancel"}`, which cancels the current question. Questions are answered one after another in order of
 * arrival, so that every message between a `meta` and its `done` belongs to the same question. An invalid message is
 * answered with an `error` (`invalid`, with the faults of a 422 as `errors`) and has no other effect. After ten of
 * them, the connection is closed (1008). Messages are counted like requests (request-limits.ts): if a client sends too
 * many, its messages are read more slowly.
 */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import websocketPlugin from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { AskStream } from '../asks/asks.ts';
import { errorPart } from '../asks/in-flight.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import { begin, questionBytesMax } from './ask-routes.ts';
import { AskRequest } from './ask-schemas.ts';
import { identify } from './auth.ts';
import { answerReader, type Door, type HttpServer } from './context.ts';
import { parseJson } from './json.ts';
import type { Tag } from './operation.ts';
import { weightOf } from './request-limits.ts';
import { boundUnfinished, heartbeat, socketReplies, upgradeRequired } from './sockets.ts';
import { ValidationFailure, validateRequest } from './validation.ts';

const waitingMax = 16;
/** Maximum total length of the questions and histories waiting on a connection, in UTF-16 units. */
const waitingUnitsMax = 256 * 1024;
const faultsMax = 10;
const policyViolation = 1008;
const tryAgainLater = 1013;
/** How long a client has to close the connection when the service stops. */
const closeMs = 1000;
/**
 * Maximum number of fragments per message. A message normally has few, and each buffered fragment takes far more memory
 * than its content.
 */
const piecesMax = 4_096;
const fragmentsMax = 256;

export function websocketRoutes(door: Door): void {
  const { server, config, limits, room } = door;
  const streams = new WeakMap<object, Duplex>();
  server.server.prependListener('upgrade', (raw, stream) => streams.set(raw, stream));
  void server.register(websocketPlugin, {
    // The library's automatic pongs are disabled: pings are handled like messages, with back-pressure.
    options: {
      maxPayload: questionBytesMax,
      maxBufferedChunks: piecesMax,
      maxFragments: fragmentsMax,
      autoPong: false,
    },
    // Invalid data from a client is not an error of the service, so it is not logged.
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      const { clients } = server.websocketServer;
      for (const client of clients) client.close(1001, 'The service is shutting down.');
      setTimeout(() => {
        for (const client of clients) client.terminate();
      }, closeMs).unref();
      server.websocketServer.close();
      done();
    },
  });
  void server.register(async (scope) => {
    scope.route({
      method: 'GET',
      url: '/api/ask/ws',
      schema: {
        operationId: 'ask_websocket',
        summary: 'The stream as a WebSocket',
        description:
          'Send the body of /api/ask as a message for each question, and `{"type":"cancel"}` to cancel the current one. ' +
          'The events of the stream are sent as JSON objects with a `type` and an `id`.',
        tags: ['Questions'] satisfies Tag[],
        response: socketReplies,
      },
      config: { security: 'key', errors: [401, 403] },
      // A browser sends no preflight before it opens a socket to another origin, so the origin is checked here.
      preHandler: async (request) => {
        const { origin } = request.headers;
        if (config.corsOrigins !== '*' && origin !== undefined && !config.corsOrigins.includes(origin))
          throw new Failure('forbidden', 'This origin may not open a connection.');
      },
      handler: upgradeRequired,
      wsHandler: (socket, request) => {
        request.leave();
        const closed = limits.open(request.client!);
        if (closed === null) return socket.close(tryAgainLater, 'Too many connections from this client.');
        socket.once('close', closed);
        boundUnfinished(socket, streams.get(request.raw)!, room);
        new AskSocket(door, socket, request).start();
      },
    });
    config.administration.registerSockets(scope as HttpServer, config.pingMs);
  });
}

/** A single connection. */
class AskSocket {
  readonly #door: Door;
  readonly #socket: WebSocket;
  readonly #request: FastifyRequest;
  readonly #gone = new AbortController();
  readonly #waiting: AskRequest[] = [];
  #answering: AskStream | 'beginning' | null = null;
  #cancelled = false;
  #waitingUnits = 0;
  #faults = 0;
  /** Number of messages and pings being answered. */
  #unanswered = 0;
  /** When reading may resume, by performance.now(). */
  #readsAt = 0;

  constructor(door: Door, socket: WebSocket, request: FastifyRequest) {
    this.#door = door;
    this.#socket = socket;
    this.#request = request;
  }

  start(): void {
    heartbeat(this.#socket, this.#door.config.pingMs);
    this.#socket.on('close', () => this.#gone.abort());
    this.#socket.on('error', () => this.#socket.terminate());
    this.#socket.on('message', (data) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
      void this.#unread(weightOf({ bytes: bytes.length }), () => this.#take(bytes));
    });
    this.#socket.on(
      'ping',
      (data) =>
        void this.#unread(
          1,
          () => new Promise<void>((resolve) => this.#socket.pong(data, false, () => resolve())),
        ),
    );
    this.#socket.on('pong', () => void this.#unread(1, async () => {}));
  }

  /**
   * Stops reading until the work is done and it is the client's turn again. If a client does not read its answers, its
   * messages are not read either, and if it sends too fast, its data waits on its side.
   */
  async #unread(weight: number, work: () => Promise<void>): Promise<void> {
    if (this.#unanswered++ === 0) this.#socket.pause();
    this.#charge(weight);
    await work();
    if (--this.#unanswered > 0) return;
    const waitMs = this.#readsAt - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    if (this.#unanswered === 0) this.#socket.resume();
  }

  #charge(weight: number): void {
    const waitMs = this.#door.limits.charge(this.#request.client!, weight);
    this.#readsAt = Math.max(this.#readsAt, performance.now() + waitMs);
  }

  /** Resolves when the message is accepted or its error has been sent. */
  async #take(bytes: Buffer): Promise<void> {
    // Messages may have arrived together with one that closed the connection.
    if (this.#socket.readyState !== this.#socket.OPEN || this.#faults >= faultsMax) return;
    const body = parseJson(bytes);
    const type = body.ok ? (body.value as { type?: unknown } | null)?.type : undefined;
    if (type === 'cancel') return this.#cancel();
    try {
      if (type !== undefined && type !== 'ask')
        throw new Failure('invalid', 'A message must be a question ("ask") or a "cancel".');
      const question = validateRequest({ body: AskRequest }, { params: {}, query: {}, body })
        .body as AskRequest;
      const units = unitsOf(question);
      if (this.#waiting.length >= waitingMax || this.#waitingUnits + units > waitingUnitsMax)
        throw new Failure('rate_limited', `At most ${waitingMax} questions may be waiting on a connection.`);
      this.#waitingUnits += units;
      this.#waiting.push(question);
    } catch (error) {
      return this.#refuseFault(error);
    }
    if (this.#answering === null) void this.#answerWaiting();
  }

  /** Answers an invalid message. Closes the connection after too many of them. */
  async #refuseFault(error: unknown): Promise<void> {
    this.#faults++;
    await this.#refuse(error);
    if (this.#faults >= faultsMax) this.#socket.close(policyViolation, 'Too many malformed messages.');
  }

  async #answerWaiting(): Promise<void> {
    for (let next = this.#waiting.shift(); next && !this.#gone.signal.aborted; next = this.#waiting.shift()) {
      this.#answering = 'beginning';
      this.#waitingUnits -= unitsOf(next);
      this.#cancelled = false;
      try {
        // A connection may outlive its key.
        identify(this.#door.app.access, this.#request);
        const answer = await begin(this.#door, this.#request, next, {
          channel: 'websocket',
          request_id: uuidv7(),
          delivery: null,
          reply: null,
          gone: this.#gone.signal,
        });
        this.#answering = answer;
        if (this.#cancelled) await this.#endAnswering(answer);
        for await (const { n, part } of answer.after(0, this.#gone.signal))
          await this.#send({ ...part, id: `${answer.requestId}:${n}` });
      } catch (error) {
        await this.#refuse(error);
      }
    }
    this.#answering = null;
  }

  /** Cancels the question being answered. Repeated calls have no effect. */
  async #cancel(): Promise<void> {
    if (this.#answering === null || this.#cancelled) return;
    this.#cancelled = true;
    if (this.#answering !== 'beginning') await this.#endAnswering(this.#answering);
  }

  async #endAnswering({ requestId }: AskStream): Promise<void> {
    // An answer that has ended in the meantime is not found; in that case there is nothing to cancel.
    await this.#door.app.asks.cancel(requestId, answerReader(this.#door.app, this.#request)).catch(() => {});
  }

  /** Sends the error of a question that was not accepted. */
  async #refuse(error: unknown): Promise<void> {
    this.#charge(weightOf({ refused: true }));
    const faults = error instanceof ValidationFailure ? { errors: error.faults } : {};
    const failure =
      error instanceof ValidationFailure ? new Failure('invalid', 'The question is invalid.') : error;
    await this.#send({ ...errorPart(uuidv7(), failure), ...faults });
  }

  /** Resolves when the connection has taken the message, so that a slow reader slows down the sender. */
  async #send(message: object): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    await new Promise<void>((resolve) => this.#socket.send(JSON.stringify(message), () => resolve()));
  }
}

/** The size of a waiting question. */
const unitsOf = ({ query, history }: AskRequest): number =>
  query.length + (history ?? []).reduce((sum, { content }) => sum + content.length, 0);
