/** Webhook routes for chat platforms. Raw bodies are passed to the connector, which verifies that they are genuine. */
import type { Readable } from 'node:stream';
import fastify from 'fastify';
import { blockOf, networkOf } from '../access/networks.ts';
import { Failure } from '../failures.ts';
import type { Webhook } from '../ports/webhook.ts';
import { arrivalMsMax, BodyRoom, bodyOf } from './body.ts';
import { countRequests } from './clients.ts';
import type { HttpServer } from './context.ts';
import { sendError } from './errors.ts';
import { RequestLimits } from './request-limits.ts';

/**
 * Maximum size of a webhook body; real ones are far smaller. A body can be authenticated only after all of it has been
 * hashed.
 */
const bodyBytesMax = 512 * 1024;
/** A platform sends the messages of all its users from a few addresses. */
const apart = { name: 'webhook', share: 10 };

export function webhookRoutes(server: HttpServer, webhooks: readonly Webhook[]): void {
  for (const { path, isPlausible, receive } of webhooks)
    void server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        bodyOf as (of: Parameters<typeof bodyOf>[0], from: Readable) => Promise<Buffer>,
      );
      // Refuse requests without a secret or signature before their body takes up memory.
      scope.addHook('onRequest', async (request, reply) => {
        if (isPlausible(request.headers)) return;
        // Do not read a body that is still arriving.
        reply.header('connection', 'close');
        return reply.code(401).send('');
      });
      scope.route({
        method: 'POST',
        url: path,
        bodyLimit: bodyBytesMax,
        schema: { hide: true },
        config: { apart },
        handler: async (request, reply) => {
          const rawBody = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
          // The connector replies directly, with the headers that apply to all replies.
          for (const [name, value] of Object.entries(reply.getHeaders()))
            if (value !== undefined) reply.raw.setHeader(name, value);
          reply.hijack();
          receive(Object.assign(request.raw, { rawBody }), reply.raw);
        },
      });
    });
}

/**
 * A server only for webhooks, used by a process without the HTTP API, with the same limits. `trustProxy` lists proxies
 * whose forwarded addresses are trusted. Fails with `unavailable` if the address cannot be used.
 */
export async function openWebhookDoor(
  { host, port, trustProxy = false }: { host: string; port: number; trustProxy?: false | string },
  webhooks: readonly Webhook[],
): Promise<HttpServer> {
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
  countRequests(server, {
    limits: new RequestLimits(),
    room: new BodyRoom(),
    clientOf: ({ ip }) => ({ name: networkOf(ip), block: blockOf(networkOf(ip)), share: 1 }),
  });
  webhookRoutes(server, webhooks);
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new Failure('unavailable', `Cannot listen on ${host}:${port} (${code}).`);
  }
  return server;
}
