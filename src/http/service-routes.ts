/** What operators and machines ask about the service itself: health, metrics, its description in every form. */
import { readFileSync } from 'node:fs';
import type { Door } from './context.ts';
import { consumerContract, llmsFullText, llmsText } from './llms.ts';
import type { Document } from './openapi.ts';
import { Health } from './schemas.ts';

const docsFolder = new URL('../../web/docs/', import.meta.url);

/** The reference loads from this service only; it may call it. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const healthExample = {
  status: 'ok',
  version: '2.0.0',
  uptime_s: 3600,
  components: { event_log: 'ok', read_models: 'ok', models: 'ok' },
  projections: { chunks: { position: '42', lag_ms: 0, lag_events: 0 } },
};

export function serviceRoutes({ server, app, metrics, openApi }: Door): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    schema: { response: { 200: Health, 503: Health } },
    config: {
      docs: {
        id: 'health',
        summary: 'How the service and its parts are',
        tag: 'Service',
        replies: {
          200: { description: 'It answers, perhaps with a part degraded.', example: healthExample },
          503: {
            description: 'The history or the read models are down.',
            example: {
              ...healthExample,
              status: 'down',
              components: { ...healthExample.components, event_log: 'down' },
            },
          },
        },
      },
    },
    handler: async (_request, reply) => {
      const health = app.health();
      return reply.code(health.status === 'down' ? 503 : 200).send(health);
    },
  });

  server.route({
    method: 'GET',
    url: '/metrics',
    config: {
      docs: {
        id: 'metrics',
        summary: 'Figures for Prometheus',
        tag: 'Service',
        replies: {
          200: {
            description: 'The text format of Prometheus.',
            media: 'text/plain',
            example: 'docent_asks_running 0\n',
          },
        },
      },
    },
    handler: async (_request, reply) => {
      const { type, body } = await metrics.text();
      return reply.type(type).send(body);
    },
  });

  // Made when first asked for: all routes are there by then.
  let document: Document | undefined;
  const told = [
    ['/api/openapi.json', 'application/json', (of: Document) => JSON.stringify(of)],
    ['/llms.txt', 'text/plain', llmsText],
    ['/llms-full.txt', 'text/plain', llmsFullText],
    [
      '/.well-known/docent-consumer.json',
      'application/json',
      (of: Document) => JSON.stringify(consumerContract(of, { keyRequired: !app.access.isPublic })),
    ],
  ] as const;
  for (const [url, type, text] of told)
    server.get(url, async (_request, reply) => {
      document ??= openApi.document();
      return reply.type(`${type}; charset=utf-8`).send(text(document));
    });

  for (const [url, file, type] of [
    ['/docs', 'docs.html', 'text/html'],
    ['/docs/docs.js', 'docs.js', 'text/javascript'],
    ['/docs/docs.css', 'docs.css', 'text/css'],
  ] as const) {
    const body = readFileSync(new URL(file, docsFolder), 'utf8');
    server.get(url, async (_request, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'content-security-policy': docsPolicy,
          'cache-control': 'no-cache',
        })
        .send(body),
    );
  }
}
