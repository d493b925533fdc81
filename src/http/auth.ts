/**
 * Who sends a request, and whether he may: Basic credentials for the administration, x-api-key for questions, and the
 * limits questions count against. Credentials come first of all refusals, so that a path says nothing to strangers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Acting, Administrator, AdminLogins } from '../access/logins.ts';
import type { ApiKey } from '../domain/api-keys.ts';
import { Failure } from '../failures.ts';
import type { Counted } from '../operations/metrics/doors.ts';
import type { Door, HttpServer } from './context.ts';
import { pathOf } from './paths.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key it was sent with; null without one. */
    apiKey: ApiKey | null;
    /** null outside the administration. */
    administrator: Administrator | null;
    /** The headers of the reply answer it. */
    isPreflight: boolean;
  }
}

const challenge = 'Basic realm="docent", charset="UTF-8"';

export function decorateRequests(server: HttpServer): void {
  server.decorateRequest('apiKey', null);
  server.decorateRequest('administrator', null);
  server.decorateRequest('isPreflight', false);
}

/**
 * Who looks into the past: an administrator or auditor, whatever the route lets in otherwise. Failure `unauthorized`
 * without credentials; `forbidden` for a key, or where another site's page had a browser send them.
 */
export async function admitToThePast(
  { app }: Pick<Door, 'app'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Acting> {
  if (app.logins === undefined || (request.apiKey !== null && request.headers.authorization === undefined))
    throw new Failure('forbidden', 'Only administrators and auditors may use as_of.');
  if (isForeign(request))
    throw new Failure('forbidden', "Requests for the past from another site's page are refused.");
  request.administrator = await loggedIn(app.logins, request, reply);
  return actingIn(request);
}

/** Methods that change nothing. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets a request in, before its path or body is looked at. Failure `unauthorized`, `forbidden` (an auditor who would
 * change something, or a change another site had a browser send) or `rate_limited` (too many failed log-ins).
 */
export async function admit(
  { app }: Pick<Door, 'app'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access, logins } = app;
  const { security } = request.routeOptions.config;
  // By the route that was found: a path may be written in more ways than one.
  const inside = security === 'basic' || /^\/admin\/api(?:\/|$)/.test(pathOf(request.url));
  if (inside && logins !== undefined) {
    request.administrator = await loggedIn(logins, request, reply);
    if (request.administrator.role === 'auditor' && request.method !== 'GET')
      throw new Failure('forbidden', 'Auditors have read-only access.');
    if (!safe.has(request.method) && isForeign(request))
      throw new Failure('forbidden', "Changes from another site's page are refused.");
  } else if (security === 'key') identify(access, request);
  else if (security === 'optional-key') identifyIfSent(access, request);
}

/**
 * Whether a browser says that another site's page sent the request: it adds the Basic credentials it remembers to that
 * too. A client that is no browser says neither where it comes from nor of which origin it is.
 */
export function isForeign(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host } = new URL(origin);
  const own = `${protocol}//${request.host}`;
  return !URL.canParse(own) || new URL(own).host !== host;
}

/** Takes the key a request came with, as it stands now. Failure `unauthorized`. */
export function identify(access: Pick<Door['app']['access'], 'authenticate'>, request: FastifyRequest): void {
  const sent = request.headers['x-api-key'];
  request.apiKey = access.authenticate(Array.isArray(sent) ? sent.join() : sent);
}

/** Takes the key of a request that may come without one. Failure `unauthorized`: the key is not valid. */
export function identifyIfSent(
  access: Pick<Door['app']['access'], 'authenticate'>,
  request: FastifyRequest,
): void {
  if (request.headers['x-api-key'] !== undefined) identify(access, request);
}

async function loggedIn(
  logins: Pick<AdminLogins, 'login'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Administrator> {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  try {
    if (colon === -1)
      throw new Failure('unauthorized', 'Basic credentials of an administrator are required.');
    return await logins.login(text.slice(0, colon), text.slice(colon + 1), {
      address: request.ip,
      connection: request.socket,
    });
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthorized')
      reply.header('www-authenticate', challenge);
    throw error;
  }
}

/** Who acts in this request of the administration. */
export function actingIn(request: FastifyRequest): Acting {
  if (request.administrator === null) throw new Failure('unauthorized', 'Not logged in.');
  return { name: request.administrator.name, request_id: request.id };
}

const purposes: Partial<Record<Counted['channel'], 'rate' | 'resume' | 'source'>> = {
  rating: 'rate',
  resume: 'resume',
  'source-page': 'source',
};

/**
 * Counts a request against the limits of its key or address. Failure `rate_limited`. `reply`: gets the headers that
 * tell of the limit, where there still is a head to write.
 */
export async function count(
  { app, metrics }: Pick<Door, 'app' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply | null,
  counted: Counted,
): Promise<void> {
  const purpose = purposes[counted.channel] ?? 'ask';
  const verdict = await app.access.count(purpose, request.apiKey, request.ip);
  if (verdict === null) return;
  metrics.limit(counted, request.apiKey === null ? 'address' : 'key', verdict.allowed);
  reply?.headers({
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetS),
  });
  if (!verdict.allowed)
    throw new Failure(
      'rate_limited',
      `The limit of ${counted.channel === 'source-page' ? 'source pages' : 'questions'} is used up, try again later.`,
      {
        retryAfterS: verdict.retryAfterS,
      },
    );
}
