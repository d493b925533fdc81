/** Where platforms post to: bodies are handed on as they came, to whoever checks that they are the platform's. */
import { createServer, type Server } from 'node:http';
import { Failure } from '../failures.ts';
import type { HttpServer, Webhook } from './context.ts';

/** What a platform posts is far smaller. */
const bodyBytesMax = 2 * 1024 * 1024;

export function webhookRoutes(server: HttpServer, webhooks: readonly Webhook[]): void {
  for (const { path, receive } of webhooks)
    void server.register(async (scope) => {
      const bodies = new WeakMap<object, Buffer>();
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
        bodies.set(request, bytes);
        done(null);
      });
      scope.route({
        method: 'POST',
        url: path,
        schema: { hide: true },
        handler: async (request, reply) => {
          const { status, type, body } = await receive(
            request.headers,
            bodies.get(request) ?? Buffer.alloc(0),
          );
          if (type !== undefined) reply.type(type);
          return reply.code(status).send(body ?? '');
        },
      });
    });
}

/** Nothing but webhooks, for a process that serves no other door. Failure `unavailable`: the address cannot be had. */
export async function openWebhookDoor(
  { host, port }: { host: string; port: number },
  webhooks: readonly Webhook[],
): Promise<Server> {
  const server = createServer((request, reply) => {
    const webhook = webhooks.find(({ path }) => path === request.url?.split('?', 1)[0]);
    if (!webhook || request.method !== 'POST') return void reply.writeHead(404).end();
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) reply.writeHead(413, { connection: 'close' }).end(() => request.destroy());
      else chunks.push(chunk);
    });
    request.on('error', () => {});
    request.on('end', async () => {
      const { status, type, body } = await webhook.receive(request.headers, Buffer.concat(chunks));
      reply.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body ?? '');
    });
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  const listening = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    listening.reject(new Failure('unavailable', `${host}:${port} cannot be listened on (${error.code}).`)),
  );
  server.listen(port, host, () => listening.resolve());
  await listening.promise;
  return server;
}
