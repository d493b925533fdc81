/** The pages of sources. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type Refused, refusalPage, sourcePage } from '../../../web/pages/source.ts';
import type { SourceDocument } from '../../asks/source-document.ts';
import type { Language } from '../../domain/events.ts';
import type { Span } from '../../domain/span.ts';
import { Failure } from '../../failures.ts';
import { version } from '../../version.ts';
import { count, identifyIfSent } from '../auth.ts';
import type { Door } from '../context.ts';
import { statusOf } from '../errors.ts';
import { readerOf, send, sendHead, styleHash } from './page.ts';

/** Status and detail for programs. */
const refusals: Record<Refused, { status: number; detail: string }> = {
  not_found: { status: 404, detail: 'Source not found.' },
  withdrawn: { status: 410, detail: 'This document was withdrawn.' },
  restricted: { status: 403, detail: 'This document is not public.' },
  denied: {
    status: 403,
    detail: 'This source requires a link from an answer, or an API key for its corpus.',
  },
  expired: { status: 410, detail: 'This link to a source has expired; ask again for a new one.' },
  busy: { status: 429, detail: 'Too many sources were opened; try again later.' },
  unavailable: { status: 503, detail: 'The source cannot be read at the moment; try again shortly.' },
};

const SourcePath = Type.Object({ corpus_id: Type.String(), doc_id: Type.String() });
const SourceQuery = Type.Object({
  revision: Type.Optional(Type.String()),
  chunk: Type.Optional(Type.String()),
  part: Type.Optional(Type.String()),
  quote: Type.Optional(Type.String()),
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
});

export function sourcePageRoutes(door: Door): void {
  const { server, app } = door;
  server.route({
    method: 'GET',
    url: '/source/:corpus_id/:doc_id',
    schema: { params: SourcePath, querystring: SourceQuery },
    handler: async (request, reply) => {
      const lang = readerOf(request);
      try {
        identifyIfSent(app.access, request);
        return await showSource(request, reply, lang);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { code, retryAfterS } = error;
        if (code === 'not_found') return refuse(request, reply, lang, 'not_found');
        if (code === 'unauthorized') return refuse(request, reply, lang, 'denied', 401);
        reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS ?? 1))));
        if (code === 'rate_limited') return refuse(request, reply, lang, 'busy');
        return refuse(request, reply, lang, 'unavailable', statusOf[code]);
      }
    },
  });

  type SourceRequest = FastifyRequest<{
    Params: Static<typeof SourcePath>;
    Querystring: Static<typeof SourceQuery>;
  }>;

  async function showSource(request: SourceRequest, reply: FastifyReply, lang: Language) {
    const { corpus_id } = request.params;
    const { chunk, expires, signature: sent, quote } = request.query;
    const doc_id = whole(request.params.doc_id);
    const [revision, part] = [request.query.revision, request.query.part].map((text) =>
      text === undefined ? null : whole(text),
    );
    if (doc_id === undefined || revision === undefined || part === undefined)
      return refuse(request, reply, lang, 'not_found');
    // The corpus has not been verified yet, so it must not be used as a metrics label.
    await count(door, request, reply, { corpus: '', channel: 'source-page' });
    const signature = expires !== undefined && sent !== undefined ? { expires, signature: sent } : null;
    const source = await app.source(
      { corpus_id, doc_id, revision, chunk: chunk ?? null, part },
      { key: request.apiKey, signature },
    );
    if (source.status === 'denied' && signature === null && request.apiKey === null)
      return refuse(request, reply, lang, 'denied', 401);
    if (source.status !== 'published') return refuse(request, reply, lang, source.status);
    const etag = etagOf(lang, request.url, source);
    reply.header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag))
      return sendHead(reply, 304, { framed: true }).send();
    const view = {
      source,
      text: await source.read(),
      chunk,
      quotes: quotesOf(quote),
      query: new URLSearchParams(Object.entries(request.query)),
      signed: !app.access.mayRead(request.apiKey, corpus_id),
    };
    return send(reply, 200, () => sourcePage(lang, view), { framed: true });
  }
}

/** An ETag over the parts that, together with the page code, determine the page's content. */
function etagOf(
  lang: Language,
  url: string,
  source: Extract<SourceDocument, { status: 'published' }>,
): string {
  const { facts, layer, current_revision, part } = source;
  const made = JSON.stringify([
    version,
    styleHash,
    lang,
    url,
    facts.content_hash,
    layer,
    current_revision,
    part,
  ]);
  return `"${createHash('sha256').update(made).digest('base64url').slice(0, 22)}"`;
}

/** Sends a page to browsers and an error body to programs. */
async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  lang: Language,
  why: Refused,
  status = refusals[why].status,
): Promise<void> {
  if (request.headers.accept?.includes('text/html'))
    return send(reply, status, () => refusalPage(lang, why), { framed: true });
  const { detail } = refusals[why];
  await reply.code(status).type('application/json; charset=utf-8').header('vary', 'accept').send({ detail });
}

/** Parses ranges such as "4-9,12-30" that are to be highlighted, in document order; empty for anything else. */
function quotesOf(text = ''): Span[] {
  if (!/^\d{1,9}-\d{1,9}(?:,\d{1,9}-\d{1,9}){0,99}$/.test(text)) return [];
  return text
    .split(',')
    .map((range) => range.split('-').map(Number))
    .map(([start = 0, end = 0]) => ({ start, end }))
    .sort((a, b) => a.start - b.start);
}

/** A positive decimal integer; undefined for anything else. */
function whole(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
