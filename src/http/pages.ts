/** What is opened in a browser: the ask page, the widget's script, and the pages of sources. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { askPage } from '../../web/pages/ask.ts';
import { css } from '../../web/pages/layout.ts';
import { type Refused, refusalPage, sourcePage } from '../../web/pages/source.ts';
import { acceptedLanguage, asLanguage } from '../../web/pages/texts.ts';
import { widgetScript } from '../../web/widget/script.ts';
import type { Language } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Door } from './context.ts';
import { statusOf } from './errors.ts';

const styleHash = createHash('sha256').update(css).digest('base64');
/** The pages load nothing but the widget; of their style only the very text we wrote counts. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const refusals: Record<Refused, string> = {
  not_found: 'There is no such source.',
  withdrawn: 'This document was withdrawn.',
  restricted: 'This document is not public.',
  unavailable: 'The source cannot be read now, try again shortly.',
};

const AskQuery = Type.Object({ corpus: Type.Optional(Type.String()), lang: Type.Optional(Type.String()) });
const SourcePath = Type.Object({ corpus_id: Type.String(), doc_id: Type.String() });
const SourceQuery = Type.Object({
  revision: Type.Optional(Type.String()),
  chunk: Type.Optional(Type.String()),
});

export function pageRoutes({ server, app }: Door): void {
  server.route({
    method: 'GET',
    url: '/',
    schema: { querystring: AskQuery },
    handler: async (request, reply) => {
      const { corpus, lang } = request.query;
      const reader = asLanguage(lang) ?? readerOf(request);
      return send(reply, 200, askPage(reader, await app.corpora(reader), corpus));
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

  server.route({
    method: 'GET',
    url: '/source/:corpus_id/:doc_id',
    schema: { params: SourcePath, querystring: SourceQuery },
    handler: async (request, reply) => {
      const lang = readerOf(request);
      const { corpus_id } = request.params;
      const { chunk } = request.query;
      const doc_id = whole(request.params.doc_id);
      const revision = request.query.revision === undefined ? null : whole(request.query.revision);
      const refuse = (status: number, why: Refused) => {
        // A page for people; a program gets the shape of every error.
        if (request.headers.accept?.includes('text/html')) return send(reply, status, refusalPage(lang, why));
        reply.code(status).type('application/json; charset=utf-8').header('vary', 'accept');
        return reply.send({ detail: refusals[why] });
      };
      if (doc_id === undefined || revision === undefined) return refuse(404, 'not_found');
      try {
        const source = await app.source({ corpus_id, doc_id, revision });
        if (source.status !== 'published')
          return refuse(source.status === 'withdrawn' ? 410 : 403, source.status);
        return send(reply, 200, sourcePage(lang, source, chunk));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.code === 'not_found') return refuse(404, 'not_found');
        reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterS ?? 1))));
        return refuse(statusOf[error.code], 'unavailable');
      }
    },
  });
}

function readerOf(request: FastifyRequest): Language {
  return acceptedLanguage(request.headers['accept-language']);
}

/** A positive whole number written out; undefined for anything else. */
function whole(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function send(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      vary: 'accept-language',
    })
    .send(page);
}
