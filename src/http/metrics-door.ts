/** Serves /metrics at a separate address, so that it does not have to be public. */
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { Failure } from '../failures.ts';

/** Resolves once it is listening. Fails with `unavailable` if the address cannot be used. */
export async function openMetricsDoor(
  { host, port }: { host: string; port: number },
  registry: Registry,
): Promise<Server> {
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, reply) => {
    if (request.url?.split('?', 1)[0] !== '/metrics' || request.method !== 'GET') {
      reply.writeHead(404, { 'content-type': 'application/json; charset=utf-8' });
      reply.end('{"detail":"Not found."}');
      return;
    }
    registry.metrics().then(
      (text) => reply.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => reply.writeHead(500).end(),
    );
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    listening.reject(
      new Failure('unavailable', `DOCENT_METRICS: cannot listen on ${host}:${port} (${error.code}).`),
    ),
  );
  server.listen(port, host, () => listening.resolve());
  await listening.promise;
  return server;
}
