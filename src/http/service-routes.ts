/** What operators and machines ask about the service itself. */
import type { Door } from './door.ts';
import { Health } from './schemas.ts';

export function serviceRoutes({ server, app }: Door): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    schema: { response: { 200: Health, 503: Health } },
    handler: async (_request, reply) => {
      const health = await app.health();
      return reply.code(health.status === 'down' ? 503 : 200).send(health);
    },
  });
}
