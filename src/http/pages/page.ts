/**
 * Code shared by all pages: their content security policy, the reader's language and the corpora the reader may see.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskView } from '../../../web/pages/ask.ts';
import { css } from '../../../web/pages/layout.ts';
import { acceptedLanguage } from '../../../web/pages/texts.ts';
import type { Language } from '../../domain/events.ts';
import { Failure, type FailureCode } from '../../failures.ts';
import type { Door } from '../context.ts';
import { statusOf } from '../errors.ts';

/** SHA-256 of the pages' style, in base64. */
export const styleHash = createHash('sha256').update(css).digest('base64');
/**
 * Pages load only the widget and this style; no other style is allowed. The page of a source may be framed by the ask
 * page.
 */
const policyFor = (framedBy: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ');
const policies = { alone: policyFor("'none'"), framed: policyFor("'self'") };

export function readerOf(request: FastifyRequest): Language {
  return acceptedLanguage(request.headers['accept-language']);
}

/** The corpora a reader may choose from. */
export async function askView(
  { app }: Door,
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

const reasons: Partial<Record<FailureCode, 'busy' | 'denied'>> = {
  rate_limited: 'busy',
  unauthorized: 'denied',
  forbidden: 'denied',
};

/** How a page states a failure; sets `Retry-After`. Anything else is thrown again. */
export function refusalBy(
  reply: FastifyReply,
  error: unknown,
): { status: number; reason: 'busy' | 'denied' | 'unavailable' } {
  if (!(error instanceof Failure)) throw error;
  const { code, retryAfterS } = error;
  if (retryAfterS !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS))));
  return { status: statusOf[code], reason: reasons[code] ?? 'unavailable' };
}

/**
 * Only browsers may cache pages, and they must revalidate each time, so that withdrawn content never comes from a
 * cache.
 */
export function sendHead(reply: FastifyReply, status: number, { framed = false } = {}): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': framed ? policies.framed : policies.alone,
      'x-frame-options': framed ? 'SAMEORIGIN' : 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
      vary: 'accept-language',
    });
}

/**
 * Waits for the request's turn, then renders and sends the page. Many requests may receive their data at the same
 * moment. Resolves once the response has ended. `framed`: other pages of this service may show it in a frame.
 */
export async function send(
  reply: FastifyReply,
  status: number,
  page: () => string,
  { framed = false } = {},
): Promise<void> {
  await reply.request.turn();
  // The client disconnected while waiting.
  if (reply.raw.destroyed) reply.hijack();
  else await sendHead(reply, status, { framed }).type('text/html; charset=utf-8').send(page());
}
