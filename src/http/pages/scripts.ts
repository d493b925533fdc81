/** The scripts that pages load: the widget's, and that of the graph's picture. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { widgetScript } from '../../../web/widget/script.ts';
import type { Door } from '../context.ts';

const pictureBytes = readFileSync(new URL('../../../web/pages/picture.js', import.meta.url));
/** The script of the graph's picture. */
const picture = {
  bytes: pictureBytes,
  etag: `"${createHash('sha256').update(pictureBytes).digest('base64url').slice(0, 22)}"`,
};

export function scriptRoutes({ server }: Door): void {
  server.route({
    method: 'GET',
    url: '/graph/picture.js',
    handler: async (request, reply) => {
      reply.headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=600',
        etag: picture.etag,
      });
      if (request.headers['if-none-match']?.includes(picture.etag)) return reply.code(304).send();
      return reply.send(picture.bytes);
    },
  });

  server.route({
    method: 'GET',
    url: '/widget/docent.js',
    handler: async (request, reply) => {
      const { bytes, gzipped, etag } = widgetScript();
      const { 'if-none-match': known, 'accept-encoding': encodings } = request.headers;
      reply.headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=600',
        // Any page may load it; where it may ask from is the matter of the list of origins.
        'cross-origin-resource-policy': 'cross-origin',
        vary: 'accept-encoding',
        etag,
      });
      if (known?.includes(etag)) return reply.code(304).send();
      if (!/\bgzip\b/.test(String(encodings))) return reply.send(bytes);
      return reply.header('content-encoding', 'gzip').send(gzipped);
    },
  });
}
