/**
 * Cross-origin requests: the public part accepts any origin, or only the configured ones; the administration accepts
 * none. Implemented here because preflights are answered only for known paths and before credentials are checked.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Paths, pathOf } from './paths.ts';

const exposed = [
  'x-request-id',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
].join(', ');
const allowedHeaders = 'content-type, x-api-key, idempotency-key, last-event-id';
const preflightAgeS = 600;

/** Sets the CORS headers. Returns true for a preflight, which is fully answered by these headers. */
export function cors(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: '*' | readonly string[],
  paths: Paths,
): boolean {
  const { origin, 'access-control-request-method': wanted } = request.headers;
  const path = pathOf(request.url);
  if (path.startsWith('/admin/')) return false;
  if (origins !== '*') reply.header('vary', 'origin');
  if (origin === undefined || (origins !== '*' && !origins.includes(origin))) return false;
  reply.header('access-control-allow-origin', origins === '*' ? '*' : origin);
  reply.header('access-control-expose-headers', exposed);
  const methods = paths.methods(path);
  if (request.method !== 'OPTIONS' || wanted === undefined || methods.length === 0) return false;
  reply.header('access-control-allow-methods', methods.join(', '));
  reply.header('access-control-allow-headers', allowedHeaders);
  reply.header('access-control-max-age', String(preflightAgeS));
  return true;
}
