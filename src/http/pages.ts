/** Pages for browsers: the ask page, the graph, sources, and the widget's script. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type AskView, answerPage, askPage, chosenCorpus, type Outcome } from '../../web/pages/ask.ts';
import { graphPage, type Shown } from '../../web/pages/graph.ts';
import { css } from '../../web/pages/layout.ts';
import { type Refused, refusalPage, sourcePage } from '../../web/pages/source.ts';
import { acceptedLanguage, asLanguage } from '../../web/pages/texts.ts';
import { widgetScript } from '../../web/widget/script.ts';
import type { Part, Quoted } from '../answering/parts.ts';
import type { SourceDocument } from '../asks/source-document.ts';
import type { HistoryMessage, Language } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { version } from '../version.ts';
import { askInput } from './ask-routes.ts';
import { count, countFault, identify, identifyIfSent } from './auth.ts';
import { type Door, disconnected, graphFor } from './context.ts';
import { statusOf } from './errors.ts';
import { parseJson } from './json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a form that was sent without script; null elsewhere, and of a form with too many fields to be ours. */
    formFields: URLSearchParams | null;
  }
}

const styleHash = createHash('sha256').update(css).digest('base64');
const pictureBytes = readFileSync(new URL('../../web/pages/picture.js', import.meta.url));
/** The script of the graph's picture. */
const picture = {
  bytes: pictureBytes,
  etag: `"${createHash('sha256').update(pictureBytes).digest('base64url').slice(0, 22)}"`,
};
/** The pages load nothing but the widget and that; of their style only the very text we wrote counts. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What a program is told, and with which status. */
const refusals: Record<Exclude<Refused, 'unavailable'>, { status: number; detail: string }> = {
  not_found: { status: 404, detail: 'Source not found.' },
  withdrawn: { status: 410, detail: 'This document was withdrawn.' },
  restricted: { status: 403, detail: 'This document is not public.' },
  denied: {
    status: 403,
    detail: 'This source opens by a link from an answer, or with an API key for its corpus.',
  },
  expired: { status: 410, detail: 'This link to a source has expired; ask again for a new one.' },
  busy: { status: 429, detail: 'Too many sources were opened, try again later.' },
};

const AskQuery = Type.Object({
  corpus: Type.Optional(Type.String()),
  lang: Type.Optional(Type.String()),
  q: Type.Optional(Type.String()),
});
const GraphQuery = Type.Object({
  corpus: Type.Optional(Type.String()),
  lang: Type.Optional(Type.String()),
  entity: Type.Optional(Type.String()),
});
/** What is drawn and listed around a node, and what else a name may mean. */
const graphNodes = 60;
const alsoMeant = 6;
const entityMax = 200;
/** A browser asks again by itself while a graph is made, and leaves time to type a name meanwhile. */
const refreshS = 10;
const formBytesMax = 1024 * 1024;
/** Ours has four fields; to read many takes more than so many times as long. */
const formFieldsMax = 32;
/** As in the schema of AskRequest. */
const queryMax = 2000;
const historyMax = 20;
const contentMax = 4000;
const SourcePath = Type.Object({ corpus_id: Type.String(), doc_id: Type.String() });
const SourceQuery = Type.Object({
  revision: Type.Optional(Type.String()),
  chunk: Type.Optional(Type.String()),
  part: Type.Optional(Type.String()),
  quote: Type.Optional(Type.String()),
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
});

export function pageRoutes(door: Door): void {
  const { server, app } = door;
  server.route({
    method: 'GET',
    url: '/',
    schema: { querystring: AskQuery },
    config: { paced: true },
    handler: async (request, reply) => {
      const { corpus, lang, q } = request.query;
      const reader = asLanguage(lang) ?? readerOf(request);
      identifyIfSent(app.access, request);
      const view = await askView(request, reader, corpus, q);
      const chosen = chosenCorpus(view.corpora, corpus)?.corpus_id ?? '';
      try {
        await count(door, request, reply, { corpus: chosen, channel: 'source-page' });
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error;
        reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterS ?? 1))));
        return send(reply, statusOf.rate_limited, answerPage(reader, view, [], { failed: 'busy' }));
      }
      return send(reply, 200, askPage(reader, view));
    },
  });

  // The form of the same page, for browsers that run no script. Its fields are read here and nowhere else.
  server.decorateRequest('formFields', null);
  server.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (request, text, done) => {
        const form = String(text);
        if (form.split('&', formFieldsMax + 1).length <= formFieldsMax)
          request.formFields = new URLSearchParams(form);
        done(null, undefined);
      },
    );
    forms.route({
      method: 'POST',
      url: '/',
      config: { paced: true },
      handler: async (request, reply) => {
        const fields = request.formFields ?? new URLSearchParams();
        const reader = asLanguage(fields.get('lang') ?? undefined) ?? readerOf(request);
        // Two units a character at most: one more is too long, and nothing beyond that is looked at.
        const query = (fields.get('q') ?? '').trim().slice(0, 2 * queryMax + 1);
        const history = historyOf(fields.get('history'));
        let status = 200;
        let outcome: Outcome;
        let view: AskView = { corpora: [], wanted: undefined, query, keyNeeded: false };
        try {
          identifyIfSent(app.access, request);
          view = await askView(request, reader, fields.get('corpus') ?? undefined, query);
          if (query === '' || [...query].length > queryMax) {
            await countFault(door, request, request.held?.bytes ?? 0);
            throw new Failure('invalid', 'The question has no length to be asked with.');
          }
          outcome = { parts: await partsOf(request, reply, view, history) };
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          const { code, retryAfterS } = error;
          status = statusOf[code];
          if (retryAfterS !== undefined)
            reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS))));
          const known: Partial<Record<typeof code, Extract<Outcome, { failed: string }>['failed']>> = {
            rate_limited: 'busy',
            invalid: 'invalid',
            unauthorized: 'denied',
            forbidden: 'denied',
          };
          outcome = { failed: known[code] ?? 'unavailable' };
        }
        return send(reply, status, answerPage(reader, view, history, outcome));
      },
    });
  });

  async function askView(
    request: FastifyRequest,
    reader: Language,
    wanted: string | undefined,
    query = '',
  ): Promise<AskView> {
    const { apiKey } = request;
    const all = await app.corpora(reader);
    const corpora = all.filter(({ corpus_id }) => app.access.mayRead(apiKey, corpus_id));
    return { corpora, wanted, query: query.trim(), keyNeeded: apiKey === null && !app.access.isPublic };
  }

  /** All parts of an answer. Failure as of App.asks.begin, and that of an `error` part. */
  async function partsOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { corpora, wanted, query }: AskView,
    history: HistoryMessage[],
  ): Promise<Part[]> {
    const gone = disconnected(reply);
    identify(app.access, request);
    const body = { query, corpus_id: chosenCorpus(corpora, wanted)?.corpus_id ?? null, history };
    const input = await askInput(door, request, body, 'http');
    const answer = await app.asks.begin(input, null, () =>
      count(door, request, reply, { corpus: input.corpus_id, channel: input.channel }),
    );
    const parts: Part[] = [];
    for await (const { part } of answer.after(0, gone)) {
      if (part.type === 'error') throw new Failure(part.code, part.detail);
      parts.push(part);
    }
    return parts;
  }

  server.route({
    method: 'GET',
    url: '/graph',
    schema: { querystring: GraphQuery },
    config: { paced: true },
    handler: async (request, reply) => {
      const { corpus, lang, entity = '' } = request.query;
      const reader = asLanguage(lang) ?? readerOf(request);
      const asked = [...entity.trim()].slice(0, entityMax).join('');
      let view: Omit<AskView, 'query'> = { corpora: [], wanted: corpus, keyNeeded: false };
      let status = 200;
      let shown: Shown;
      try {
        identifyIfSent(app.access, request);
        view = await askView(request, reader, corpus);
        const chosen = chosenCorpus(view.corpora, corpus)?.corpus_id;
        if (chosen !== undefined)
          await count(door, request, reply, { corpus: chosen, channel: 'source-page' });
        shown = chosen === undefined ? { top: [] } : await shownOf(request, reply, chosen, asked, reader);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { code, retryAfterS } = error;
        status = statusOf[code];
        if (retryAfterS !== undefined)
          reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS))));
        if (code === 'unavailable') reply.header('refresh', String(refreshS));
        const known: Partial<Record<typeof code, Extract<Shown, { failed: string }>['failed']>> = {
          rate_limited: 'busy',
          unauthorized: 'denied',
          forbidden: 'denied',
        };
        shown = { asked, failed: known[code] ?? 'unavailable' };
      }
      return send(reply, status, graphPage(reader, { ...view, shown }));
    },
  });

  async function shownOf(
    request: FastifyRequest,
    reply: FastifyReply,
    corpusId: string,
    asked: string,
    lang: Language,
  ): Promise<Shown> {
    const graph = graphFor(app, request, reply);
    if (asked === '') return { top: (await graph.stats([corpusId])).top_entities };
    const question = { to: null, query: null, relation: null, depth: 1 };
    const meant = await graph.query(corpusId, { ...question, entity: asked, limit: alsoMeant }, lang);
    const [id, ...others] = meant.found;
    if (id === undefined) return { asked, answer: meant, also: [] };
    const answer = await graph.query(corpusId, { ...question, entity: id, limit: graphNodes }, lang);
    return { asked, answer, also: meant.nodes.filter((node) => others.includes(node.id)) };
  }

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

  server.route({
    method: 'GET',
    url: '/source/:corpus_id/:doc_id',
    schema: { params: SourcePath, querystring: SourceQuery },
    config: { paced: true },
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
    // Whether there is such a corpus is not known yet: it names no series of the metrics.
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
    if (request.headers['if-none-match']?.includes(etag)) return sendHead(reply, 304).send();
    const view = {
      source,
      text: await source.read(),
      chunk,
      quotes: quotesOf(quote),
      query: new URLSearchParams(Object.entries(request.query)),
      signed: !app.access.mayRead(request.apiKey, corpus_id),
    };
    return send(reply, 200, sourcePage(lang, view));
  }
}

/** Equal for as long as the page is: what it shows is fixed by these, and by how pages are made. */
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

/** A page for people; a program gets the shape of every error. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  lang: Language,
  why: Refused,
  status = why === 'unavailable' ? 503 : refusals[why].status,
): FastifyReply {
  if (request.headers.accept?.includes('text/html')) return send(reply, status, refusalPage(lang, why));
  const detail =
    why === 'unavailable' ? 'The source cannot be read now, try again shortly.' : refusals[why].detail;
  return reply.code(status).type('application/json; charset=utf-8').header('vary', 'accept').send({ detail });
}

/** "4-9,12-30": what is to be marked, in the document's order; nothing for what is no such list. */
function quotesOf(text = ''): Quoted[] {
  if (!/^\d{1,9}-\d{1,9}(?:,\d{1,9}-\d{1,9}){0,99}$/.test(text)) return [];
  return text
    .split(',')
    .map((range) => range.split('-').map(Number))
    .map(([start = 0, end = 0]) => ({ start, end }))
    .sort((a, b) => a.start - b.start);
}

/** The conversation a form carries along, as far as it is one. */
function historyOf(text: string | null): HistoryMessage[] {
  const parsed = parseJson(Buffer.from(text ?? '[]'));
  const sent = parsed.ok ? parsed.value : null;
  if (!Array.isArray(sent)) return [];
  return sent.slice(-historyMax).flatMap((message) =>
    (message?.role === 'user' || message?.role === 'assistant') && typeof message.content === 'string'
      ? [
          {
            role: message.role,
            content: [...message.content.slice(0, 2 * contentMax)].slice(0, contentMax).join(''),
          },
        ]
      : [],
  );
}

function readerOf(request: FastifyRequest): Language {
  return acceptedLanguage(request.headers['accept-language']);
}

/** A positive whole number written out; undefined for anything else. */
function whole(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Pages are kept by browsers alone, and looked up again each time: what is withdrawn must not be shown from a cache. */
function sendHead(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).headers({
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    vary: 'accept-language',
  });
}

function send(reply: FastifyReply, status: number, page: string): FastifyReply {
  return sendHead(reply, status).type('text/html; charset=utf-8').send(page);
}
