/**
 * Refuses work before memory or time runs out: 503 with Retry-After while the event loop lags, the heap is nearly full,
 * or the bodies being held would together take too much; 408 for a body that does not arrive. The service's own paths
 * are always answered.
 */
import type { Server } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../access/networks.ts';
import type { Failure } from '../failures.ts';
import type { HttpServer } from './context.ts';
import { type HeldBytes, overloaded, tooMuchAtOnce } from './held-bytes.ts';

export interface OverloadLimits {
  /** Bytes of bodies received and not answered yet. */
  held: HeldBytes;
  /** How long a body may take to arrive, in ms. */
  bodyMsMax: number;
  /** Requests one network may have open at once. */
  networkRequestsMax: number;
  /** Connections one network may have open at once; null: they are a proxy's, of all its clients. */
  networkConnectionsMax: number | null;
  /** The event loop lags by more: it has no time for what it began already. */
  loopDelayMsMax: number;
}

const heapShareMax = 0.85;
const tooSlow = () => Object.assign(new Error('body timeout'), { statusCode: 408 });

export function refuseOverload(server: HttpServer, limits: OverloadLimits): void {
  const { held, networkRequestsMax, bodyMsMax, loopDelayMsMax } = limits;
  /** Open requests of each network. */
  const open = new Map<string, number>();
  if (limits.networkConnectionsMax !== null) shareConnections(server.server, limits.networkConnectionsMax);
  void server.register(underPressure, {
    maxEventLoopDelay: loopDelayMsMax,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShareMax,
    pressureHandler: async (request) => {
      if (carriesBody(request)) throw overloaded();
    },
  });
  server.decorateRequest('held', null);
  server.addHook('onRequest', (request, reply, next) => {
    if (!carriesBody(request) && !request.routeOptions.config.lasting) return next();
    const network = networkOf(request.ip);
    const requests = open.get(network) ?? 0;
    if (requests >= networkRequestsMax) return next(tooMuchAtOnce());
    open.set(network, requests + 1);
    const mine = { network, bytes: 0 };
    request.held = mine;
    reply.raw.once('close', () => {
      held.release(network, mine.bytes);
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    next();
  });
  // A body counts by what has come of it: who says nothing of its length, or says much and sends little, takes no room.
  server.addHook('preParsing', (request, reply, payload, next) => {
    const mine = request.held;
    if (mine === null || !carriesBody(request) || request.routeOptions.config.form)
      return next(null, payload);
    const counted = new CountedBody((length) => {
      const refusal = held.take(mine.network, length);
      if (refusal === null) mine.bytes += length;
      return refusal;
    });
    const timer = setTimeout(() => counted.destroy(tooSlow()), bodyMsMax);
    counted.once('end', () => clearTimeout(timer));
    counted.once('close', () => clearTimeout(timer));
    // A body that its route does not read has nobody who would hear of an error, and does not end.
    counted.on('error', () => {});
    reply.raw.once('close', () => {
      clearTimeout(timer);
      counted.destroy();
    });
    payload.once('error', (error) => counted.destroy(error));
    payload.once('close', () => {
      if (!payload.readableEnded) counted.destroy();
    });
    next(null, payload.pipe(counted));
  });
}

/** Ends connections beyond a network's share at once: an open one takes memory though it says nothing. */
function shareConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = open.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** A body on its way, each piece of which is asked for. */
class CountedBody extends Transform {
  /** Fastify compares it with the stated length. */
  receivedEncodedLength = 0;
  readonly #take: (length: number) => Failure | null;

  constructor(take: (length: number) => Failure | null) {
    super();
    this.#take = take;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedEncodedLength += piece.length;
    const refusal = this.#take(piece.length);
    if (refusal === null) done(null, piece);
    else done(refusal);
  }
}

function carriesBody(request: FastifyRequest): boolean {
  return request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body takes of its network's share; null where it has none and does not last. */
    held: { network: string; bytes: number } | null;
  }
}
