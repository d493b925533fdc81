/**
 * Authenticates and authorizes requests, and applies the limits on questions. The administration accepts Basic
 * credentials or the console's session; questions accept x-api-key. Credentials are checked before anything else, so
 * that strangers cannot learn which paths exist.
 */
import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Acting, Administrator } from '../access/logins.ts';
import type { ApiKey } from '../domain/api-keys.ts';
import { Failure } from '../failures.ts';
import type { LimitedRequest } from '../operations/metrics/doors.ts';
import type { Door, HttpServer } from './context.ts';
import { pathOf } from './paths.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key sent with the request; null if there is none. */
    apiKey: ApiKey | null;
    /** Null outside the administration. */
    administrator: Administrator | null;
    /** Whether the request is a preflight, which is fully answered by the reply's headers. */
    isPreflight: boolean;
  }
}

/** Contains the console's session token. */
export const sessionCookie = 'docent_session';
/** The request's cookies by name. They are parsed on demand, because few routes read them. */
export const cookiesOf = ({ server, headers }: FastifyRequest): Record<string, string | undefined> =>
  headers.cookie === undefined ? {} : server.parseCookie(headers.cookie);

const challenge = 'Basic realm="docent", charset="UTF-8"';

export function decorateRequests(server: HttpServer): void {
  server.decorateRequest('apiKey', null);
  server.decorateRequest('administrator', null);
  server.decorateRequest('isPreflight', false);
}

/**
 * Requires an administrator or auditor for reading the past, regardless of what the route otherwise accepts. Fails with
 * `unauthorized` if there are no credentials, and with `forbidden` for an API key or if another site's page made the
 * browser send the request.
 */
export async function admitToThePast(
  { app }: Pick<Door, 'app'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Acting> {
  const hasCredentials =
    request.headers.authorization !== undefined || cookiesOf(request)[sessionCookie] !== undefined;
  if (app.logins === undefined || (request.apiKey !== null && !hasCredentials))
    throw new Failure('forbidden', 'Only administrators and auditors may use as_of.');
  if (isForeign(request))
    throw new Failure('forbidden', "Requests for the past from another site's page are refused.");
  request.administrator = await loggedIn(app, request, reply);
  return actingIn(request);
}

/** Methods that change nothing. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Admits a request before its path or body is checked. Fails with `unauthorized`, with `forbidden` (a change made by an
 * auditor, or one that another site made a browser send) or with `rate_limited` (too many failed logins).
 */
export async function admit(
  { app }: Pick<Door, 'app'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access } = app;
  const { security } = request.routeOptions.config;
  // Decide by the matched route, because a path can be spelled in several ways.
  const inside = security === 'basic' || /^\/admin\/api(?:\/|$)/.test(pathOf(request.url));
  if (inside && app.logins !== undefined) {
    request.administrator = await loggedIn(app, request, reply);
    if (request.administrator.role === 'auditor' && request.method !== 'GET')
      throw new Failure('forbidden', 'Auditors have read-only access.');
    if (!safe.has(request.method) && isForeign(request))
      throw new Failure('forbidden', "Changes from another site's page are refused.");
  } else if (security === 'key') identify(access, request);
  else if (security === 'optional-key') identifyIfSent(access, request);
}

/**
 * Whether a browser reports that the request was sent by another site's page. Browsers add remembered Basic credentials
 * to such requests too. Clients that are not browsers send neither header.
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

/** The text of the key sent with a request; undefined if there is none. */
export function sentKey({ headers, routeOptions }: FastifyRequest): string | undefined {
  const sent = headers['x-api-key'];
  if (sent !== undefined) return Array.isArray(sent) ? sent.join() : sent;
  if (!routeOptions.config.bearer || headers.authorization === undefined) return undefined;
  // Credentials for another scheme are treated as an invalid key.
  return /^bearer +(\S+) *$/i.exec(headers.authorization)?.[1] ?? '';
}

/** Sets the key of a request, in its current state. May fail with `unauthorized`. */
export function identify(access: Pick<Door['app']['access'], 'authenticate'>, request: FastifyRequest): void {
  request.apiKey = access.authenticate(sentKey(request));
}

/** Sets the key of a request for which a key is optional. Fails with `unauthorized` if the key is invalid. */
export function identifyIfSent(
  access: Pick<Door['app']['access'], 'authenticate'>,
  request: FastifyRequest,
): void {
  if (request.headers['x-api-key'] !== undefined) identify(access, request);
}

/**
 * Whether a challenge may make a browser prompt for a password. This is not allowed for requests from a script
 * (`X-Requested-With`) or from another site's page, unless the user followed a link there.
 */
function mayAskForPassword(request: FastifyRequest): boolean {
  const { 'x-requested-with': script, 'sec-fetch-dest': destination } = request.headers;
  if (script !== undefined) return false;
  return !isForeign(request) || (destination === 'document' && safe.has(request.method));
}

/** The administrator, from Basic credentials or otherwise from the console's session. */
async function loggedIn(
  app: Pick<Door['app'], 'logins' | 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Administrator> {
  const { authorization } = request.headers;
  const session = cookiesOf(request)[sessionCookie];
  try {
    if (authorization === undefined && session !== undefined) return await signedIn(app, request, session);
    return await byPassword(app.logins!, request);
  } catch (error) {
    const isUnauthorized = error instanceof Failure && error.code === 'unauthorized';
    if (isUnauthorized && mayAskForPassword(request)) reply.header('www-authenticate', challenge);
    throw error;
  }
}

async function signedIn(
  { sessions }: Pick<Door['app'], 'sessions'>,
  request: FastifyRequest,
  text: string,
): Promise<Administrator> {
  // SameSite=Strict keeps the cookie out of requests from other sites, but old browsers do not support it.
  const session = isForeign(request) ? null : await sessions?.find(text);
  if (!session) throw new Failure('unauthorized', 'The session has ended; sign in again.');
  return session;
}

async function byPassword(
  logins: NonNullable<Door['app']['logins']>,
  request: FastifyRequest,
): Promise<Administrator> {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) throw new Failure('unauthorized', 'Basic credentials of an administrator are required.');
  return logins.login(text.slice(0, colon), text.slice(colon + 1), {
    address: request.ip,
    connection: request.socket,
  });
}

/** The administrator who is acting in this request. */
export function actingIn(request: FastifyRequest): Acting {
  if (request.administrator === null) throw new Failure('unauthorized', 'Not logged in.');
  return { name: request.administrator.name, request_id: request.id };
}

const purposes: Partial<Record<LimitedRequest['channel'], 'rate' | 'resume' | 'source'>> = {
  rating: 'rate',
  resume: 'resume',
  'source-page': 'source',
};

/**
 * Counts a request against the limits of its key or address. Fails with `rate_limited`. `reply` receives the rate-limit
 * headers, if its head has not been sent yet.
 */
export async function count(
  { app, metrics }: Pick<Door, 'app' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply | null,
  counted: LimitedRequest,
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
      `The limit of ${counted.channel === 'source-page' ? 'source pages' : 'questions'} is exhausted; try again later.`,
      { retryAfterS: verdict.retryAfterS },
    );
}
