/** Routes about the service itself: health, metrics, and its API description in several forms. */
import swaggerUi from '@fastify/swagger-ui';
import { Type } from 'typebox';
import { Failure } from '../failures.ts';
import { Health } from '../operations/health.ts';
import { exampleOf } from '../schema.ts';
import type { Door } from './context.ts';
import { consumerContract, llmsFullText, llmsText } from './llms.ts';
import { type Document, documentOf } from './openapi.ts';
import { reply, type Tag } from './operation.ts';
import { type Ready, ready, sendReady } from './ready.ts';

const tags: Tag[] = ['Service'];

/** The API reference may load files only from this service, and may call it. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const healthy = exampleOf(Health) as Health;
const down: Health = { ...healthy, status: 'down', components: { ...healthy.components, event_log: 'down' } };

const Checkpoint = Type.String({
  examples: [
    'docent.example\n12\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— docent.example Az3grn…\n',
  ],
});
const Prometheus = Type.String({ examples: ['docent_asks_running 0\n'] });

export function serviceRoutes({ server, app, metrics, config }: Door): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    schema: {
      operationId: 'health',
      summary: 'Health of the service and its parts',
      tags,
      response: {
        200: reply('The service is running; a part may be degraded.', Health),
        503: reply('The history or the read models are down.', Health, { example: down }),
      },
    },
    // Counted separately, so that other requests from the operator's address do not delay it.
    config: { apart: { name: 'health', share: 1 } },
    handler: async (_request, reply) => {
      const health = app.health();
      return reply.code(health.status === 'down' ? 503 : 200).send(health);
    },
  });

  // Metrics contain corpus names. If those are not public, neither is /metrics.
  const security = app.access.isPublic ? {} : { config: { security: 'basic' as const } };
  if (!config.metricsElsewhere)
    server.route({
      method: 'GET',
      url: '/metrics',
      ...security,
      schema: {
        operationId: 'metrics',
        summary: 'Prometheus metrics',
        tags,
        response: {
          200: reply('Metrics in the Prometheus text format.', Prometheus, { media: 'text/plain' }),
        },
      },
      handler: async (_request, reply) => {
        const { type, body } = await metrics.text();
        return reply.type(type).send(body);
      },
    });

  server.route({
    method: 'GET',
    url: '/api/transparency/checkpoint',
    config: { errors: [404] },
    schema: {
      operationId: 'transparencyCheckpoint',
      summary: 'The last signed checkpoint of the history',
      description:
        'A signed note in the format of c2sp.org/tlog-checkpoint: origin, number of events, root of their Merkle tree. The public key to verify it is in `x-docent-key`; obtain the key once from an independent source. 404 if the history is not sealed.',
      tags,
      response: { 200: reply('The checkpoint.', Checkpoint, { media: 'text/plain' }) },
    },
    handler: async (_request, reply) => {
      const { sealing } = app;
      if (!sealing?.checkpoint) throw new Failure('not_found', 'This history has no checkpoint.');
      return reply
        .type('text/plain; charset=utf-8')
        .header('x-docent-key', sealing.key)
        .send(sealing.checkpoint);
    },
  });

  const descriptions: Record<string, (of: Document) => [type: string, text: string]> = {
    '/api/openapi.json': (of) => ['application/json', JSON.stringify(of)],
    '/llms.txt': (of) => ['text/plain', llmsText(of)],
    '/llms-full.txt': (of) => ['text/plain', llmsFullText(of)],
    '/.well-known/docent-consumer.json': (of) => [
      'application/json',
      JSON.stringify(consumerContract(of, { keyRequired: !app.access.isPublic })),
    ],
  };
  const made = new Map<string, Ready>();
  const described = (url: string): Ready => {
    const [type, text] = made.has(url) ? [] : descriptions[url]!(documentOf(server));
    const one = made.get(url) ?? ready(`${type}; charset=utf-8`, text ?? '');
    made.set(url, one);
    return one;
  };
  for (const url of Object.keys(descriptions))
    server.get(url, async (request, reply) => sendReady(request, reply, described(url)));

  void server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: docsPolicy,
    theme: { title: 'Docent: reference' },
    // The document is generated once for all its addresses.
    uiHooks: {
      onRequest: (request, reply, next) => {
        if (request.routeOptions.url === '/docs/json')
          sendReady(request, reply, described('/api/openapi.json'));
        else next();
      },
    },
    uiConfig: { layout: 'BaseLayout', deepLinking: true, docExpansion: 'list', tryItOutEnabled: true },
  });
}
