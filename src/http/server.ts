/**
 * The HTTP door: how a request is taken in, refused, checked and answered. What there is to ask stands in the route
 * files. Refusals come in the order of the contract: credentials, path (404, 405), size (413), media type (415),
 * schema (422), scope (403), things named (404).
 */
import fastify, { type FastifyReply, type FastifyRequest, type FastifySchema, LogController } from 'fastify';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import { Answers } from './answers.ts';
import { askRoutes } from './ask-routes.ts';
import { cors } from './cors.ts';
import type { Door, HttpApp, HttpConfig, HttpServer } from './door.ts';
import { sendError } from './errors.ts';
import { type ParsedJson, parseJson } from './json.ts';
import { Paths, pathOf } from './paths.ts';
import { RunningAsks } from './running.ts';
import { serviceRoutes } from './service-routes.ts';
import { assertWordable, type RequestSchemas, validateRequest } from './validation.ts';
import { websocketRoutes } from './websocket.ts';

export type { HttpConfig } from './door.ts';

const bodyBytesMax = 2 * 1024 * 1024;

/** The server, not yet listening. Its close() lets running asks and streams finish for `drainMs`, then cancels them. */
export function buildServer(app: HttpApp, given: HttpConfig): HttpServer {
  const { logLevel, ...set } = given;
  const config = { pingMs: 15_000, graceMs: 30_000, asksMax: 512, drainMs: 20_000, ...set };
  const hops = config.trustProxy;
  const server: HttpServer = fastify({
    bodyLimit: bodyBytesMax,
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    logger: logLevel === undefined ? false : { level: logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Any other upgrade (h2c, say) is an ordinary request.
    http: { shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket' },
    connectionTimeout: 120_000,
    requestTimeout: 60_000,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      sendError(error.code === 'FST_ERR_BAD_URL' ? unknownPath : error, request, reply);
    },
    routerOptions: { maxParamLength: 8_192 },
  });
  const asks = new RunningAsks(app, { graceMs: config.graceMs, asksMax: config.asksMax });
  const door: Door = { server, app, config, answers: new Answers(app, asks) };
  const paths = new Paths();

  server.setErrorHandler(sendError);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setValidatorCompiler(() => (value) => ({ value }));
  server.addHook('onRoute', (route) => {
    paths.add(route);
    for (const schema of Object.values(requestSchemas(route.schema))) assertWordable(schema);
  });
  server.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (cors(request, reply, config.corsOrigins, paths)) return;
    if (request.is404) refusePath(request, reply, paths.methods(pathOf(request.url)));
    else next();
  });
  acceptBodies(server);
  server.addHook('preValidation', (request, _reply, next) => {
    const schemas = requestSchemas(request.routeOptions.schema);
    const parts = {
      params: request.params,
      query: request.query,
      body: request.body as ParsedJson | undefined,
    };
    try {
      const checked = validateRequest(schemas, parts);
      request.params = checked.params;
      request.query = checked.query;
      request.body = checked.body;
      next();
    } catch (error) {
      next(error as Error);
    }
  });

  askRoutes(door);
  serviceRoutes(door);
  websocketRoutes(door);

  server.addHook('preClose', (done) => {
    void asks.close(config.drainMs).then(() => {
      // A connection whose stream ends only now would be kept alive for the next request otherwise.
      const sweep = setInterval(() => server.server.closeIdleConnections(), 50).unref();
      server.server.once('close', () => clearInterval(sweep));
      done();
    });
  });
  return server;
}

const unknownPath = new Failure('not_found', 'There is nothing at this path.');

/** 405 with the methods there are, or 404; before the body is looked at. */
function refusePath(request: FastifyRequest, reply: FastifyReply, methods: string[]): void {
  if (methods.length === 0) sendError(unknownPath, request, reply);
  else {
    reply.code(405).header('allow', methods.join(', ')).type('application/json; charset=utf-8');
    reply.send({ detail: `This path answers ${methods.join(', ')} only.` });
  }
}

function requestSchemas(schema: FastifySchema | undefined): RequestSchemas {
  const { params, querystring, body } = (schema ?? {}) as RequestSchemas;
  return { ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }) };
}

/** JSON bodies, parsed by ourselves so that malformed ones are worded with the other faults of the request. */
function acceptBodies(server: HttpServer): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0 || request.routeOptions.schema?.body === undefined) return done(null, undefined);
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (type !== 'application/json' && !/^application\/[^/]+\+json$/.test(type))
      return done(Object.assign(new Error('unsupported media type'), { statusCode: 415 }));
    done(null, parseJson(bytes));
  });
}
