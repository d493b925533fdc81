/** Code shared by all routes: the typed Fastify instance, the HTTP configuration and the caller's identity. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Access } from '../access/access.ts';
import type { AdminLogins } from '../access/logins.ts';
import { networkOf } from '../access/networks.ts';
import type { AdminSessions } from '../access/sessions.ts';
import type { SingleSignOn } from '../access/single-sign-on.ts';
import type { App, Caller } from '../app-port.ts';
import type { PastSources } from '../asks/ask-port.ts';
import type { Asks, Delivery } from '../asks/asks.ts';
import type { AnswerReader } from '../asks/may-read-answer.ts';
import type { RecordedAsks } from '../asks/recorded-asks.ts';
import { Failure } from '../failures.ts';
import type { DoorMetrics } from '../operations/metrics/doors.ts';
import type { Webhook } from '../ports/webhook.ts';
import type { BodyRoom } from './body.ts';
import type { RequestLimits } from './request-limits.ts';

export type HttpServer = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The use cases called by the HTTP routes. */
export type HttpApp = Pick<App, 'sourceRefs' | 'source' | 'corpora' | 'graphFor' | 'health'> & {
  asks: Pick<Asks, 'begin' | 'find' | 'cancel' | 'running' | 'onEnd' | 'close'>;
  recordedAsks: Pick<RecordedAsks, 'rate' | 'find'>;
  /** Access control for questions. */
  access: Pick<
    Access,
    'isPublic' | 'authenticate' | 'corpusFor' | 'mayRead' | 'clientOf' | 'count' | 'subject'
  >;
  /** Checkpoints over the history. If null or absent, the history is not sealed. */
  sealing?: App['sealing'];
  /** Past states of the service; fails like `Moments.at`. If absent, this server does not show the past. */
  moments?: { at(asOf: string): Promise<PastSources> };
  /** Authenticates administrators. If absent, this server has no administration. */
  logins?: Pick<AdminLogins, 'login' | 'failed' | 'hasPasswords'>;
  /** Sessions of the console. */
  sessions?: Pick<AdminSessions, 'open' | 'find' | 'close'>;
  /** If null or absent, administrators sign in with passwords only. */
  singleSignOn?: Pick<SingleSignOn, 'label' | 'begin' | 'finish'> | null;
};

export interface HttpConfig {
  /** `*`: any origin may read the public part; otherwise, the list of allowed origins. */
  corsOrigins: '*' | readonly string[];
  /**
   * Proxies whose forwarded addresses are trusted: none, all, a number of hops, or comma-separated addresses and
   * subnets.
   */
  trustProxy: boolean | number | string;
  /** Minimum level logged to stderr as JSON lines. If absent, nothing is logged. */
  logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** Interval between comments sent into a silent stream, in ms. Default: 15,000. */
  pingMs?: number;
  /** Event-loop lag in ms above which requests with a body are refused with 503. Default: 1,000. */
  loopDelayMsMax?: number;
  /** How long close() waits for asks and streams before it cancels them, in ms. Default: 20,000. */
  drainMs?: number;
  /** Maximum number of open connections per network if no proxy is trusted. Default: 512. */
  networkConnectionsMax?: number;
  /** Whether /metrics is served at a separate address instead. */
  metricsElsewhere?: boolean;
  /** Webhooks of chat platforms. Default: none. */
  webhooks?: readonly Webhook[];
  /** The administration routes. Default: none. */
  administration?: MoreRoutes;
  /** The metrics registry, if it is shared with other parts of the process. */
  registry?: Registry;
}

/** Routes defined by another module. */
export interface MoreRoutes {
  register(server: HttpServer): void;
  /** Registers the routes that need the WebSocket plugin. */
  registerSockets(server: HttpServer, pingMs: number): void;
}

export interface Door {
  server: HttpServer;
  app: HttpApp;
  config: Required<Omit<HttpConfig, 'logLevel' | 'registry'>>;
  metrics: DoorMetrics;
  limits: RequestLimits;
  room: BodyRoom;
}

/** The caller of this request. */
export function callerOf({ access }: Pick<HttpApp, 'access'>, { apiKey, ip }: FastifyRequest): Caller {
  const subject = access.subject(apiKey, ip);
  return apiKey === null
    ? { actor: 'public', key_id: null, subject }
    : { actor: `key:${apiKey.key_id}`, key_id: apiKey.key_id, subject };
}

/** The reader who opens, cancels or rates an answer in this request. */
export const answerReader = (
  { access }: Pick<HttpApp, 'access'>,
  request: FastifyRequest,
): Caller & AnswerReader => ({
  ...callerOf({ access }, request),
  mayRead: (corpusId) => access.mayRead(request.apiKey, corpusId),
});

/** Fails with `not_found` if this server does not show the past. */
export function pastOf<Past>(moments: Past | undefined): Past {
  if (moments === undefined) throw new Failure('not_found', 'as_of is not available here.');
  return moments;
}

/** The Idempotency-Key of a request, if any. */
export function deliveryOf(request: FastifyRequest): Delivery | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return null;
  const { apiKey, ip } = request;
  return { scope: apiKey === null ? `address:${networkOf(ip)}` : `key:${apiKey.key_id}`, key };
}

/** Aborts when the connection closes before the reply is fully written. */
export function disconnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The knowledge graph for this request's caller, until the caller disconnects. */
export const graphFor = (
  app: Pick<HttpApp, 'graphFor' | 'access'>,
  request: FastifyRequest,
  reply: FastifyReply,
): ReturnType<HttpApp['graphFor']> =>
  app.graphFor(app.access.subject(request.apiKey, request.ip), disconnected(reply));
