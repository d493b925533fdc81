/**
 * Signing in to the console and signing out. The cookie is HttpOnly and SameSite=Strict, and requests from other sites'
 * pages are refused as well. These paths need no credentials, so they are outside /admin/api.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Session } from '../access/sessions.ts';
import { Failure } from '../failures.ts';
import { cookiesOf, isForeign, sessionCookie } from './auth.ts';
import type { Door } from './context.ts';

const attemptCookie = 'docent_sign_on';
const ssoPath = '/admin/single-sign-on';
const attemptMaxAgeS = 600;
/** The path of a console page, without a host. */
const pagePattern = /^\/admin(?:[/?][\w\-./?=&%:+~,@!$'()*;]*)?$/;

const Credentials = Type.Object({ name: Type.String(), password: Type.String() });
const SignOnQuery = Type.Object({ return: Type.Optional(Type.String()) });

export function sessionRoutes({ server, app }: Door): void {
  const { logins, sessions, singleSignOn } = app;
  if (logins === undefined || sessions === undefined) return;

  server.route({
    method: 'GET',
    url: '/admin/session/options',
    handler: async (_request, reply) =>
      reply.send({
        password: logins.hasPasswords,
        single_sign_on: singleSignOn ? { label: singleSignOn.label } : null,
      }),
  });

  server.route({
    method: 'GET',
    url: '/admin/session',
    handler: async (request, reply) => {
      const text = cookiesOf(request)[sessionCookie];
      const session = text === undefined ? null : await sessions.find(text);
      if (session === null) throw new Failure('unauthorized', 'Not signed in.');
      return reply.send(session);
    },
  });

  server.route({
    method: 'POST',
    url: '/admin/session',
    schema: { body: Credentials },
    config: { secretBody: true },
    handler: async (request, reply) => {
      refuseForeign(request);
      const { name, password } = request.body;
      const source = { address: request.ip, connection: request.socket };
      const administrator = await logins.login(name, password, source);
      const { text, session } = await sessions.open(administrator, 'password', request.id);
      keep(request, reply, text, session);
      return reply.code(201).send(session);
    },
  });

  server.route({
    method: 'DELETE',
    url: '/admin/session',
    handler: async (request, reply) => {
      refuseForeign(request);
      const text = cookiesOf(request)[sessionCookie];
      if (text !== undefined) await sessions.close(text, request.id);
      return reply.clearCookie(sessionCookie, { path: '/' }).code(204).send();
    },
  });

  if (!singleSignOn) return;

  server.route({
    method: 'GET',
    url: ssoPath,
    schema: { querystring: SignOnQuery },
    handler: async (request, reply) => {
      const { address, attempt } = await singleSignOn.begin();
      const page = pagePattern.test(request.query.return ?? '') ? request.query.return : '/admin';
      return reply
        .setCookie(attemptCookie, JSON.stringify({ ...attempt, page }), {
          // Lax, because the provider redirects the browser from another site.
          httpOnly: true,
          sameSite: 'lax',
          secure: request.protocol === 'https',
          path: ssoPath,
          maxAge: attemptMaxAgeS,
        })
        .redirect(address);
    },
  });

  server.route({
    method: 'GET',
    url: `${ssoPath}/callback`,
    handler: async (request, reply) => {
      reply.clearCookie(attemptCookie, { path: ssoPath });
      try {
        const attempt = attemptOf(request);
        const query = request.raw.url!.split('?', 2)[1] ?? '';
        const administrator = await singleSignOn.finish(query, attempt);
        const { text, session } = await sessions.open(administrator, 'provider', request.id);
        keep(request, reply, text, session);
        return reply.redirect(attempt.page);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.code === 'forbidden' || error.code === 'unauthorized') logins.failed();
        return reply.redirect(`/admin/sign-in?error=${error.code}`);
      }
    },
  });
}

function keep(request: FastifyRequest, reply: FastifyReply, text: string, { expires_at }: Session): void {
  reply.setCookie(sessionCookie, text, {
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    path: '/',
    expires: new Date(expires_at),
  });
}

function refuseForeign(request: FastifyRequest): void {
  if (isForeign(request)) throw new Failure('forbidden', "Requests from another site's page are refused.");
}

/** Fails with `unauthorized` if the browser did not begin the sign-in here, or began it too long ago. */
function attemptOf(request: FastifyRequest): {
  state: string;
  nonce: string;
  verifier: string;
  page: string;
} {
  try {
    const { state, nonce, verifier, page } = JSON.parse(cookiesOf(request)[attemptCookie] ?? '');
    if ([state, nonce, verifier].every((one) => typeof one === 'string') && pagePattern.test(page))
      return { state, nonce, verifier, page };
  } catch {
    // The cookie is not one of ours.
  }
  throw new Failure('unauthorized', 'The sign-in has expired; sign in again.');
}
