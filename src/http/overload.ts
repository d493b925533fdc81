/**
 * Refuses work before memory or time runs out: 503 with Retry-After while the event loop lags, the heap is nearly full,
 * or the bodies being received would together take too much. The service's own paths are always answered.
 */
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../failures.ts';
import type { HttpServer } from './context.ts';

export interface OverloadLimits {
  /** Bodies being received or worked on, together. */
  bodyBytesMax: number;
  /** A body without a stated length counts as the largest there may be. */
  bodyBytesAssumed: number;
  /** The event loop lags by more: it has no time for what it began already. */
  loopDelayMsMax: number;
}

const heapShareMax = 0.85;
const overloaded = new Failure('unavailable', 'The service is overloaded, try again shortly.', {
  retryAfterS: 2,
});

export function refuseOverload(server: HttpServer, limits: OverloadLimits): void {
  let bytes = 0;
  void server.register(underPressure, {
    maxEventLoopDelay: limits.loopDelayMsMax,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShareMax,
    pressureHandler: async (request) => {
      if (carriesBody(request)) throw overloaded;
    },
  });
  server.addHook('onRequest', (request, reply, next) => {
    if (!carriesBody(request)) return next();
    // One that is too large by its own word is refused (413) without being received.
    const size = Number(request.headers['content-length'] ?? limits.bodyBytesAssumed);
    if (size > limits.bodyBytesAssumed) return next();
    if (bytes + size > limits.bodyBytesMax) return next(overloaded);
    bytes += size;
    reply.raw.once('close', () => {
      bytes -= size;
    });
    next();
  });
}

function carriesBody(request: FastifyRequest): boolean {
  return request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH';
}
