/** Identifies the client of each request and counts the request. These are the first hooks of every server. */
import type { FastifyRequest } from 'fastify';
import { inSlices } from '../async/slices.ts';
import type { BodyRoom } from './body.ts';
import type { HttpServer } from './context.ts';
import { type Client, type RequestLimits, weightOf } from './request-limits.ts';

/** A larger body is rejected based on its stated length. */
const bytesStatedMax = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the client is admitted. */
    client: Client | null;
    /** Releases the request's slot among those of its client. The end of the reply does the same. */
    leave(): void;
    /** Resolves when the request may use the event loop again; see inSlices. */
    turn(): Promise<void>;
    /** Reserves budget for more bytes of the body. Returns false if they do not fit. */
    grow(bytes: number): boolean;
  }
}

/**
 * Admits requests in order of arrival and counts their size and that of their replies. Must be called before other
 * hooks are added.
 */
export function countRequests(
  server: HttpServer,
  { limits, room, clientOf }: { limits: RequestLimits; room: BodyRoom; clientOf(of: FastifyRequest): Client },
): void {
  const turn = inSlices();
  server.decorateRequest('client', null);
  server.decorateRequest('leave', () => {});
  server.decorateRequest('turn', turn);
  server.decorateRequest('grow', () => true);
  server.addHook('onRequest', async (request, reply) => {
    const { apart } = request.routeOptions.config;
    const { name, block, share } = clientOf(request);
    const client = apart
      ? {
          name: `${apart.name} ${name}`,
          block: block && `${apart.name} ${block}`,
          share: share * apart.share,
        }
      : { name, block, share };
    request.client = client;
    const stated = Number(request.headers['content-length'] ?? 0);
    const leave = await limits.enter(client, weightOf({ bytes: Math.min(stated, bytesStatedMax) }));
    await turn();
    const part = room.part();
    request.leave = leave;
    request.grow = part.grow;
    const ended = () => {
      leave();
      part.free();
    };
    reply.raw.once('close', ended);
    if (!reply.raw.destroyed) return;
    // The client disconnected while waiting.
    ended();
    reply.hijack();
  });
  server.addHook('onResponse', async (request, reply) => {
    if (request.client === null) return;
    const bytes = Number(reply.getHeader('content-length') ?? 0);
    limits.charge(request.client, weightOf({ bytes, refused: reply.statusCode >= 400 }) - 1);
  });
}
