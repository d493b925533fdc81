/** The scripts loaded by pages: the widget and the graph drawing. */
import { readFileSync } from 'node:fs';
import { widgetScript } from '../../../web/widget/script.ts';
import type { Door } from '../context.ts';
import { ready, sendReady } from '../ready.ts';

const type = 'text/javascript; charset=utf-8';
const maxAgeS = 600;
const picture = ready(type, readFileSync(new URL('../../../web/pages/picture.js', import.meta.url)));

export function scriptRoutes({ server }: Door): void {
  server.route({
    method: 'GET',
    url: '/graph/picture.js',
    handler: async (request, reply) => sendReady(request, reply, picture, maxAgeS),
  });

  server.route({
    method: 'GET',
    url: '/widget/docent.js',
    handler: async (request, reply) => {
      // Any page may load it; DOCENT_CORS_ORIGINS decides which pages may ask.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      return sendReady(request, reply, { type, ...widgetScript() }, maxAgeS);
    },
  });
}
