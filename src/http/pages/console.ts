/** The administration console: its page, with a new nonce in each reply, and its compressed assets. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageNames } from '../../../web/console/src/page-names.ts';
import type { Door } from '../context.ts';

const dist = new URL('../../../web/console/dist/', import.meta.url);

/** Mantine inserts style elements by script, and these carry the nonce. Style attributes in markup remain forbidden. */
const policyWith = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Docent</title>
<h1>The console is not built</h1>
<p>Run <code>npm ci</code> in the Docent folder, or <code>npm run prepare</code> if the packages are already installed. Then start Docent again.</p>
<p>In the meantime, everything can be administered over HTTP: see <a href="/docs">the reference</a>.</p></html>`;

/** A page loads many files simultaneously, so they are counted separately from administration requests. */
const apart = { name: 'console', share: 8 };

/** `built` is the folder that contains the build. */
export function consoleRoutes({ server }: Pick<Door, 'server'>, built = dist): void {
  const index = new URL('index.html', built);
  const page = existsSync(index) ? readFileSync(index, 'utf8') : null;

  const send = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.type('text/html; charset=utf-8');
    if (page === null) return reply.code(503).send(notBuilt);
    const nonce = randomBytes(16).toString('base64');
    reply.headers({ 'content-security-policy': policyWith(nonce), 'cache-control': 'private, no-store' });
    return reply.send(page.replaceAll('__NONCE__', nonce));
  };
  const paths = ['/admin', '/admin/', ...pageNames.flatMap((name) => [`/admin/${name}`, `/admin/${name}/*`])];
  for (const url of paths) server.route({ method: 'GET', url, handler: send });

  if (page === null) return;
  server.register(async (assets) => {
    assets.addHook('onRoute', (route) => {
      route.config = { ...route.config, apart };
    });
    // File names contain a hash of the content.
    await assets.register(fastifyStatic, {
      root: fileURLToPath(new URL('assets/', built)),
      prefix: '/admin/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      index: false,
      redirect: false,
      decorateReply: false,
    });
  });
}
