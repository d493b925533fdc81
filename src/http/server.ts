/**
 * The HTTP server: how requests are received, refused, validated and answered. The operations are in the route files.
 * Checks are made in the order given by the contract: credentials, path (404, 405), size (413), media type (415),
 * schema (422), scope (403), named resources (404).
 */
import type { Server, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import cookie from '@fastify/cookie';
import underPressure from '@fastify/under-pressure';
import fastify, {
  type ConnectionError,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  LogController,
} from 'fastify';
import { networkOf } from '../access/networks.ts';
import { FairQueue } from '../async/fair-queue.ts';
import type { ApiKey } from '../domain/api-keys.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import { DoorMetrics } from '../operations/metrics/doors.ts';
import { askRoutes } from './ask-routes.ts';
import { admit, decorateRequests, sentKey } from './auth.ts';
import { BodyRoom, bodyOf, overloaded } from './body.ts';
import { countRequests } from './clients.ts';
import type { Door, HttpApp, HttpConfig, HttpServer, MoreRoutes } from './context.ts';
import { cors } from './cors.ts';
import { sendError } from './errors.ts';
import { graphRoutes } from './graph-routes.ts';
import { type ParsedJson, parseJson } from './json.ts';
import { mcpRoute } from './mcp.ts';
import { documentRoutes } from './openapi.ts';
import { answerPageRoutes } from './pages/answer-page.ts';
import { askPageRoutes } from './pages/ask-page.ts';
import { consoleRoutes } from './pages/console.ts';
import { graphPageRoutes } from './pages/graph-page.ts';
import { scriptRoutes } from './pages/scripts.ts';
import { sourcePageRoutes } from './pages/source-page.ts';
import { Paths, pathOf } from './paths.ts';
import { RequestLimits } from './request-limits.ts';
import { serviceRoutes } from './service-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { assertWordable, type RequestSchemas, validateRequest } from './validation.ts';
import { webhookRoutes } from './webhooks.ts';
import { websocketRoutes } from './websocket.ts';

export type { HttpConfig } from './context.ts';

/** Sent with all replies except pages, which set their own policy. */
const protectiveHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  // Answers, keys and people's questions must not be cached by proxies.
  'cache-control': 'no-store',
};

/**
 * The limit for most requests. A question may be larger: with the longest history, it takes a megabyte if every
 * character is escaped.
 */
const bodyBytesMax = 128 * 1024;
const adminBodyBytesMax = 512 * 1024;
/**
 * Maximum number of open connections per network if no proxy is trusted. A connection takes memory even if nothing is
 * sent.
 */
const connectionsMax = 512;
const headersMsMax = 10_000;
const heapShareMax = 0.85;
const smallBytes = 32 * 1024;
const noMoreRoutes: MoreRoutes = { register: () => {}, registerSockets: () => {} };
const neverAborts = new AbortController().signal;

/**
 * Creates the server, which is not yet listening. Its close() lets running asks and streams finish for `drainMs` and
 * then cancels them. After that, no more questions can be asked through the app.
 */
export function buildServer(app: HttpApp, given: HttpConfig): HttpServer {
  const { logLevel, registry, ...set } = given;
  const config = {
    pingMs: 15_000,
    loopDelayMsMax: 1000,
    drainMs: 20_000,
    metricsElsewhere: false,
    webhooks: [],
    administration: noMoreRoutes,
    networkConnectionsMax: connectionsMax,
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
    // Any other upgrade (such as h2c) is treated as an ordinary request.
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
  const [limits, room] = [new RequestLimits(), new BodyRoom()];
  const door: Door = { server, app, config, metrics, limits, room };
  const paths = new Paths();

  server.setErrorHandler(sendError);
  decorateRequests(server);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setValidatorCompiler(() => (value) => ({ value }));
  server.addHook('onRoute', (route) => {
    paths.add(route);
    if (route.url.startsWith('/admin/')) route.bodyLimit ??= adminBodyBytesMax;
    for (const schema of Object.values(requestSchemas(route.schema))) assertWordable(schema);
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(protectiveHeaders);
    request.isPreflight = cors(request, reply, config.corsOrigins, paths);
  });
  countRequests(server, {
    limits,
    room,
    clientOf: (request) => app.access.clientOf(keyOf(app.access, request), request.ip),
  });
  server.addHook('onRequest', async (request, reply) => {
    if (request.isPreflight) return reply.code(204).send();
    await admit(door, request, reply);
    const { schema } = request.routeOptions;
    const answered = !request.is404 && (request.method !== 'HEAD' || schema?.operationId !== undefined);
    if (answered) return;
    refusePath(request, reply, paths.methods(pathOf(request.url)));
    return reply;
  });
  server.setNotFoundHandler((request, reply) => sendError(unknownPath, request, reply));
  if (hops === false) limitConnections(server.server, config.networkConnectionsMax);
  void server.register(underPressure, {
    maxEventLoopDelay: config.loopDelayMsMax,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShareMax,
    pressureHandler: async (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw overloaded();
    },
  });
  acceptBodies(server);
  server.addHook('preValidation', async (request) => {
    const schemas = requestSchemas(request.routeOptions.schema);
    const { params, query, body } = validateRequest(
      schemas,
      { params: request.params, query: request.query, body: request.body as ParsedJson | undefined },
      request.routeOptions.config.secretBody,
    );
    request.params = params;
    request.query = query;
    if (schemas.body) request.body = body;
  });

  server.addHook('onResponse', (request, reply, next) => {
    metrics.request(
      request.method,
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime,
    );
    // Log the route rather than the address, so that the log contains no personal text.
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

  // Cookies are parsed on demand, because a hook of the plugin would run after the credentials are checked.
  void server.register(cookie, { hook: false });
  documentRoutes(server);
  // The plugin that documents the routes becomes available once it is loaded.
  server.after(() => {
    askRoutes(door);
    graphRoutes(door);
    sessionRoutes(door);
    mcpRoute(door);
    config.administration.register(server);
    serviceRoutes(door);
    websocketRoutes(door);
    askPageRoutes(door);
    answerPageRoutes(door);
    consoleRoutes(door);
    graphPageRoutes(door);
    scriptRoutes(door);
    sourcePageRoutes(door);
    webhookRoutes(server, config.webhooks);
  });

  server.addHook('preClose', (done) => {
    void app.asks.close(config.drainMs).then(() => {
      // Otherwise a connection whose stream ends only now would be kept alive for the next request.
      const sweep = setInterval(() => server.server.closeIdleConnections(), 50).unref();
      server.server.once('close', () => clearInterval(sweep));
      done();
    });
  });
  return server;
}

/** Answers connections that are not HTTP, too slow or too large with the common error body. */
function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const [status, detail] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'The request headers are too large.']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ['408 Request Timeout', 'The request took too long to arrive.']
          : [
              '400 Bad Request',
              'This is not a valid HTTP request: non-ASCII characters in the address must be percent-encoded.',
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

/** The key of a request, for counting; null if there is no valid key. */
function keyOf(access: HttpApp['access'], request: FastifyRequest): ApiKey | null {
  const sent = sentKey(request);
  if (sent === undefined) return null;
  try {
    return access.authenticate(sent);
  } catch {
    return null;
  }
}

/** Closes the connections of an address beyond this number. */
function limitConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= most) return socket.destroy();
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** Replies with 405 and the allowed methods, or with 404, before the body is read. */
function refusePath(request: FastifyRequest, reply: FastifyReply, methods: string[]): void {
  if (methods.length === 0) sendError(unknownPath, request, reply);
  else {
    reply.code(405).header('allow', methods.join(', ')).type('application/json; charset=utf-8');
    reply.send({ detail: `This path supports only ${methods.join(', ')}.` });
  }
}

function requestSchemas(schema: FastifySchema | undefined): RequestSchemas {
  const { params, querystring, body } = (schema ?? {}) as RequestSchemas;
  return { ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }) };
}

/**
 * Parses JSON bodies with a custom parser, so that a malformed body is reported together with the request's other
 * faults. Any other media type is refused even if no body is expected, because a page may send such types to another
 * site without a preflight. Routes handle forms themselves.
 */
function acceptBodies(server: HttpServer): void {
  const largeBodies = new FairQueue({ atOnce: 1 });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { schema, config } = request.routeOptions;
    if (config.form) return undefined;
    const expected = schema?.body !== undefined;
    const bytes = await bodyOf(request, payload);
    if (bytes.length === 0 && expected) return undefined;
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const isJson = type === 'application/json' || /^application\/[^/]+\+json$/.test(type);
    if (!isJson && (bytes.length > 0 || type !== ''))
      throw Object.assign(new Error('unsupported media type'), { statusCode: 415 });
    if (!expected) return undefined;
    // Parse only one large body per turn of the event loop.
    if (bytes.length > smallBytes)
      await largeBodies.take({ who: request.client?.name ?? '', size: 1 }, setImmediate, neverAborts);
    return parseJson(bytes);
  });
}
