/**
 * The HTTP door: how a request is taken in, refused, checked and answered. What there is to ask stands in the route
 * files. Refusals come in the order of the contract: credentials, path (404, 405), size (413), media type (415),
 * schema (422), scope (403), things named (404).
 */
import type { Socket } from 'node:net';
import fastify, {
  type ConnectionError,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  LogController,
} from 'fastify';
import { loopBudget } from '../async/loop-budget.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import { DoorMetrics } from '../operations/metrics/doors.ts';
import { adminRoutes } from './admin/routes.ts';
import { askRoutes } from './ask-routes.ts';
import { admit, countFault, decorateRequests, keepPace } from './auth.ts';
import type { Door, HttpApp, HttpConfig, HttpServer } from './context.ts';
import { cors } from './cors.ts';
import { sendError } from './errors.ts';
import { graphRoutes } from './graph-routes.ts';
import { HeldBytes } from './held-bytes.ts';
import { type ParsedJson, parseJson, readingOf } from './json.ts';
import { documentRoutes } from './openapi.ts';
import { refuseOverload } from './overload.ts';
import { pageRoutes } from './pages/index.ts';
import { Paths, pathOf } from './paths.ts';
import { serviceRoutes } from './service-routes.ts';
import { assertWordable, type RequestSchemas, validateRequest } from './validation.ts';
import { webhookRoutes } from './webhooks.ts';
import { websocketRoutes } from './websocket.ts';

export type { HttpConfig } from './context.ts';

/** For everything that is no page; a page puts its own policy in the place of this one. */
const protectiveHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  // Answers, keys and people's questions are nothing for a cache on the way.
  'cache-control': 'no-store',
};

const bodyBytesMax = 2 * 1024 * 1024;
/** Room for a thousand questions as they mostly are, and for fifty of the largest. */
const bodiesBytesMax = 128 * 1024 * 1024;
const networkBytesMax = 16 * 1024 * 1024;
const networkRequestsMax = 256;
const networkConnectionsMax = 512;
/** A question is worth far more of them. */
const socketRate = { perS: 50, burst: 200 };
const bodyMsMax = 10_000;
const headersMsMax = 10_000;

/**
 * The server, not yet listening. Its close() lets running asks and streams finish for `drainMs`, then cancels them; no
 * door of the app can ask any more then.
 */
export function buildServer(app: HttpApp, given: HttpConfig): HttpServer {
  const { logLevel, registry, ...set } = given;
  const config = {
    pingMs: 15_000,
    loopDelayMsMax: 1000,
    drainMs: 20_000,
    metricsElsewhere: false,
    webhooks: [],
    networkConnectionsMax,
    socketRate,
    ...set,
  };
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
    http: {
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
      headersTimeout: headersMsMax,
    },
    connectionTimeout: 120_000,
    requestTimeout: 60_000,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(protectiveHeaders);
      sendError(error.code === 'FST_ERR_BAD_URL' ? unknownPath : error, request, reply);
    },
    clientErrorHandler: refuseConnection,
    routerOptions: { maxParamLength: 8_192 },
  });
  const metrics = new DoorMetrics(app, () => app.asks.running, registry);
  app.asks.onEnd(metrics.ask.bind(metrics));
  const door: Door = { server, app, config, metrics };
  const paths = new Paths();

  server.setErrorHandler(async (error, request, reply) => {
    if (isUnreadable(error))
      await countFault(door, request, request.held?.bytes ?? 0).catch((refusal) => {
        error = refusal;
      });
    sendError(error, request, reply);
    return reply;
  });
  decorateRequests(server);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setValidatorCompiler(() => (value) => ({ value }));
  server.addHook('onRoute', (route) => {
    paths.add(route);
    for (const schema of Object.values(requestSchemas(route.schema))) assertWordable(schema);
  });
  server.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    reply.headers(protectiveHeaders);
    if (cors(request, reply, config.corsOrigins, paths)) return;
    admit(door, request, reply)
      .then(() => keepPace(door, request, reply))
      .then(() => {
        const { schema } = request.routeOptions;
        const answered = !request.is404 && (request.method !== 'HEAD' || schema?.operationId !== undefined);
        if (answered) next();
        else refusePath(request, reply, paths.methods(pathOf(request.url)));
      }, next);
  });
  server.setNotFoundHandler((request, reply) => sendError(unknownPath, request, reply));
  const held = new HeldBytes(bodiesBytesMax, networkBytesMax);
  refuseOverload(server, {
    held,
    networkRequestsMax,
    networkConnectionsMax: hops === false ? config.networkConnectionsMax : null,
    bodyMsMax,
    loopDelayMsMax: config.loopDelayMsMax,
  });
  acceptBodies(server, ({ apiKey, ip }) => app.access.subject(apiKey, ip));
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
      countFault(door, request, request.held?.bytes ?? 0).then(() => next(error as Error), next);
    }
  });

  server.addHook('onResponse', (request, reply, next) => {
    metrics.request(
      request.method,
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime,
    );
    // The route, not the address: nothing a person wrote stands in a log line.
    request.log.debug(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
    next();
  });

  documentRoutes(server);
  // What documents the routes is there once it is loaded.
  server.after(() => {
    askRoutes(door);
    graphRoutes(door);
    adminRoutes(door);
    serviceRoutes(door);
    websocketRoutes(door, { held, msMax: bodyMsMax });
    pageRoutes(door);
    webhookRoutes(server, config.webhooks, ({ ip }, bytes) => app.access.countFault(null, ip, bytes));
  });

  server.addHook('preClose', (done) => {
    void app.asks.close(config.drainMs).then(() => {
      // A connection whose stream ends only now would be kept alive for the next request otherwise.
      const sweep = setInterval(() => server.server.closeIdleConnections(), 50).unref();
      server.server.once('close', () => clearInterval(sweep));
      done();
    });
  });
  return server;
}

/** What is no HTTP request, or came too slowly or too large to be one, in the shape of every error. */
function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const [status, detail] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'The request headers are too large.']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ['408 Request Timeout', 'The request took too long to arrive.']
          : [
              '400 Bad Request',
              'This is no HTTP request: other letters than ASCII are percent-encoded in its address.',
            ];
    const body = JSON.stringify({ detail });
    socket.write(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `x-content-type-options: nosniff\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

const unknownPath = new Failure('not_found', 'Not found.');

/** Statuses of a body of another length than stated or than may be, of another media type, or that does not come. */
const unreadable: readonly unknown[] = [400, 408, 413, 415];

/** Whether a body is refused before anything has read it. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && unreadable.includes(error.statusCode);
}

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

/**
 * JSON bodies, parsed by ourselves so that malformed ones are worded with the other faults of the request. Where none
 * is expected another media type is refused all the same: of those a page may send to another site without asking, JSON
 * is none. A form is the matter of its route.
 */
function acceptBodies(server: HttpServer, subjectOf: (request: FastifyRequest) => string): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const { schema, config } = request.routeOptions;
    const expected = schema?.body !== undefined;
    if (config.form || (bytes.length === 0 && expected)) return done(null, undefined);
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const isJson = type === 'application/json' || /^application\/[^/]+\+json$/.test(type);
    if (!isJson && (bytes.length > 0 || type !== ''))
      return done(Object.assign(new Error('unsupported media type'), { statusCode: 415 }));
    if (!expected) return done(null, undefined);
    // Of bodies that are whole at once a large one is read while others wait, and waits for the small ones.
    void loopBudget(readingOf(subjectOf(request), bytes)).then(() => done(null, parseJson(bytes)));
  });
}
