/** Whose request it is, and that it counts: the hooks through which every request of a server passes first. */
import type { FastifyRequest } from 'fastify';
import { type Admission, type Client, weightOf } from './admission.ts';
import type { BodyRoom } from './body.ts';
import type { HttpServer } from './context.ts';

/** A larger body is refused by what its head states. */
const bytesStatedMax = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** null before it is let in. */
    client: Client | null;
    /** Ends its place among the client's requests; a reply that ends does the same. */
    leave(): void;
    /** Says whether so many more bytes of its body fit into the room for all. */
    grow(bytes: number): boolean;
  }
}

/** Lets requests in, in their turn, and counts what they and their replies take. Called before other hooks read them. */
export function countRequests(
  server: HttpServer,
  {
    admission,
    room,
    clientOf,
  }: { admission: Admission; room: BodyRoom; clientOf(of: FastifyRequest): Client },
): void {
  server.decorateRequest('client', null);
  server.decorateRequest('leave', () => {});
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
    const leave = await admission.enter(client, weightOf({ bytes: Math.min(stated, bytesStatedMax) }));
    const part = room.part();
    request.leave = leave;
    request.grow = part.grow;
    const ended = () => {
      leave();
      part.free();
    };
    reply.raw.once('close', ended);
    if (!reply.raw.destroyed) return;
    // The client has gone while it waited.
    ended();
    reply.hijack();
  });
  server.addHook('onResponse', async (request, reply) => {
    if (request.client === null) return;
    const bytes = Number(reply.getHeader('content-length') ?? 0);
    admission.charge(request.client, weightOf({ bytes, refused: reply.statusCode >= 400 }) - 1);
  });
}
