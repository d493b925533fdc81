/**
 * Replies that are the same for all clients: they are built once, sent from memory, and answered with 304 if cached.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Ready {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** `type` is the media type, including its charset. */
export function ready(type: string, content: string | Buffer): Ready {
  const bytes = Buffer.from(content as Buffer);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { type, bytes, gzipped: gzipSync(bytes), etag: `"${hash.slice(0, 22)}"` };
}

/** `maxAgeS`: how long a cache may use the reply without revalidation, in seconds. Default: 0. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  of: Ready,
  maxAgeS = 0,
): FastifyReply {
  const { 'if-none-match': known, 'accept-encoding': encodings } = request.headers;
  reply.headers({
    'content-type': of.type,
    'cache-control': maxAgeS > 0 ? `public, max-age=${maxAgeS}` : 'public, no-cache',
    vary: [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '),
    etag: of.etag,
  });
  if (known?.includes(of.etag)) return reply.code(304).send();
  if (!/\bgzip\b/.test(String(encodings))) return reply.send(of.bytes);
  return reply.header('content-encoding', 'gzip').send(of.gzipped);
}
