/**
 * Webhook routes of chat platforms: raw bodies are passed on to the connector, which verifies that they are genuine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyRequest } from 'fastify';
import { networkOf } from '../access/networks.ts';
import { bytesOfRefusal, Pace } from '../access/pace.ts';
import { Failure } from '../failures.ts';
import type { HttpServer, Webhook } from './context.ts';
import { sendError } from './errors.ts';
import { HeldBytes } from './held-bytes.ts';
import { refuseOverload } from './overload.ts';

/** What a platform posts is far smaller; whether it is the platform's is known when all of it has been hashed. */
const bodyBytesMax = 512 * 1024;
/** Of all that are being received, by a door of its own. */
const bodiesBytesMax = 32 * 1024 * 1024;
/** Of one network: the others' webhooks come through meanwhile. */
const networkBytesMax = bodiesBytesMax / 4;
const requestsMax = 256;
const arrivalMsMax = 10_000;
const loopDelayMsMax = 1_000;

/** `onStranger` is awaited when somebody else than the platform has posted so many bytes: to find that out takes time. */
export function webhookRoutes(
  server: HttpServer,
  webhooks: readonly Webhook[],
  onStranger: (request: FastifyRequest, bytes: number) => Promise<unknown> = async () => {},
): void {
  for (const { path, isPlausible, receive } of webhooks)
    void server.register(async (scope) => {
      const bodies = new WeakMap<object, Buffer>();
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
        bodies.set(request, bytes);
        done(null);
      });
      // Before a body takes room: whoever knows neither secret nor signature sends none.
      scope.addHook('onRequest', async (request, reply) => {
        if (isPlausible(request.headers)) return;
        await onStranger(request, 0);
        // What is still on its way is not read.
        reply.header('connection', 'close');
        return reply.code(401).send('');
      });
      scope.route({
        method: 'POST',
        url: path,
        bodyLimit: bodyBytesMax,
        schema: { hide: true },
        config: { paced: true },
        handler: async (request, reply) => {
          const bytes = bodies.get(request) ?? Buffer.alloc(0);
          const { status, type, body } = await receive(request.headers, bytes);
          if (status === 401) await onStranger(request, bytes.length);
          if (type !== undefined) reply.type(type);
          return reply.code(status).send(body ?? '');
        },
      });
    });
}

/**
 * Nothing but webhooks, for a process that serves no other door, with the same bounds on what strangers send as there.
 * `trustProxy`: whose forwarded addresses count. Failure `unavailable`: the address cannot be had.
 */
export async function openWebhookDoor(
  { host, port, trustProxy = false }: { host: string; port: number; trustProxy?: false | string },
  webhooks: readonly Webhook[],
): Promise<HttpServer> {
  const pace = new Pace();
  const server: HttpServer = fastify({
    bodyLimit: bodyBytesMax,
    trustProxy,
    logger: false,
    forceCloseConnections: true,
    http: { headersTimeout: arrivalMsMax },
    requestTimeout: arrivalMsMax,
  });
  server.setErrorHandler(sendError);
  server.setNotFoundHandler((_request, reply) => reply.code(404).send(''));
  refuseOverload(server, {
    held: new HeldBytes(bodiesBytesMax, networkBytesMax),
    networkRequestsMax: requestsMax,
    // Whoever posts may do so through a proxy, which is then the address of all.
    networkConnectionsMax: null,
    bodyMsMax: arrivalMsMax,
    loopDelayMsMax,
  });
  server.addHook('onRequest', async ({ ip }, reply) => {
    const waitMs = pace.waitMs(networkOf(ip));
    if (waitMs === null) {
      reply.header('connection', 'close');
      throw new Failure('rate_limited', 'Too many requests after others were refused, try again later.', {
        retryAfterS: 60,
      });
    }
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
  });
  webhookRoutes(server, webhooks, async ({ ip }, bytes) =>
    pace.refused(networkOf(ip), 1 + bytes / bytesOfRefusal),
  );
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new Failure('unavailable', `${host}:${port} cannot be listened on (${code}).`);
  }
  return server;
}
