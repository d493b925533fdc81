/** What all routes share: the typed Fastify instance, the configuration of this door, and who asks. */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Access } from '../access/access.ts';
import type { AdminLogins } from '../access/logins.ts';
import { networkOf } from '../access/networks.ts';
import type { App, Caller } from '../app-port.ts';
import type { AnswerReader } from '../asks/answer-reader.ts';
import type { Asks, Delivery } from '../asks/asks.ts';
import type { AskHistory } from '../asks/history.ts';
import type { PastSources } from '../asks/past-sources.ts';
import { Failure } from '../failures.ts';
import type { DoorMetrics } from '../operations/metrics/doors.ts';
import type { Admission } from './admission.ts';
import type { BodyRoom } from './body.ts';

export type HttpServer = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The use cases this door calls. */
export type HttpApp = Pick<App, 'sourceRefs' | 'source' | 'corpora' | 'graphFor' | 'health'> & {
  asks: Pick<Asks, 'begin' | 'find' | 'cancel' | 'running' | 'onEnd' | 'close'>;
  history: Pick<AskHistory, 'rate'>;
  /** Who may ask what, and how often. */
  access: Pick<
    Access,
    'isPublic' | 'authenticate' | 'corpusFor' | 'mayRead' | 'clientOf' | 'count' | 'subject'
  >;
  /** Checkpoints over the history; null or absent: it is not sealed. */
  sealing?: App['sealing'];
  /** The service as it was, failing as `Moments.at`; absent: this door shows no past. */
  moments?: { at(asOf: string): Promise<PastSources> };
  /** Who administrators are. Absent: this door has no administration. */
  logins?: Pick<AdminLogins, 'login'>;
};

export interface HttpConfig {
  /** `*`: any origin may read the public part; else the origins that may. */
  corsOrigins: '*' | readonly string[];
  /** Whose forwarded addresses count: none, all, a number of hops, or addresses and subnets separated by commas. */
  trustProxy: boolean | number | string;
  /** Least severe level that is logged to stderr as JSON lines; absent: nothing is. */
  logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  /** A comment is sent into a silent stream after so long. Default 15,000. */
  pingMs?: number;
  /** More lag of the event loop refuses what carries a body with 503. Default 1,000. */
  loopDelayMsMax?: number;
  /** How long close() lets asks and streams finish before it cancels them. Default 20,000. */
  drainMs?: number;
  /** Connections one network may have open at once where no proxy is trusted. Default 512. */
  networkConnectionsMax?: number;
  /** /metrics is at an address of its own, and not here. */
  metricsElsewhere?: boolean;
  /** Where platforms post to; none by default. */
  webhooks?: readonly Webhook[];
  /** What administrators may do; nothing by default. */
  administration?: MoreRoutes;
  /** Where metrics are kept, for a process whose other rooms have some of their own. */
  registry?: Registry;
}

/** Routes of another room. */
export interface MoreRoutes {
  register(server: HttpServer): void;
  /** Those that belong where the plugin for WebSockets is. */
  registerSockets(server: HttpServer, pingMs: number): void;
}

export interface WebhookReply {
  status: number;
  /** Media type of the body. */
  type?: string;
  body?: string;
}

export interface Webhook {
  path: string;
  /** Whether these may be the headers of a request of the platform: what else comes is refused before its body is read. */
  isPlausible(headers: IncomingHttpHeaders): boolean;
  /** Rejects for nothing. */
  receive(headers: IncomingHttpHeaders, body: Buffer): Promise<WebhookReply>;
}

export interface Door {
  server: HttpServer;
  app: HttpApp;
  config: Required<Omit<HttpConfig, 'logLevel' | 'registry'>>;
  metrics: DoorMetrics;
  admission: Admission;
  room: BodyRoom;
}

/** Who sends this request. */
export function callerOf({ access }: Pick<HttpApp, 'access'>, { apiKey, ip }: FastifyRequest): Caller {
  const subject = access.subject(apiKey, ip);
  return apiKey === null
    ? { actor: 'public', key_id: null, subject }
    : { actor: `key:${apiKey.key_id}`, key_id: apiKey.key_id, subject };
}

/** Who reads, cancels or rates an answer in this request. */
export const answerReader = (
  { access }: Pick<HttpApp, 'access'>,
  request: FastifyRequest,
): Caller & AnswerReader => ({
  ...callerOf({ access }, request),
  mayRead: (corpusId) => access.mayRead(request.apiKey, corpusId),
});

/** Failure `not_found` where no past is shown. */
export function pastOf<Past>(moments: Past | undefined): Past {
  if (moments === undefined) throw new Failure('not_found', 'as_of is not available here.');
  return moments;
}

/** The Idempotency-Key of a request, if it has one. */
export function deliveryOf(request: FastifyRequest): Delivery | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return null;
  const { apiKey, ip } = request;
  return { scope: apiKey === null ? `address:${networkOf(ip)}` : `key:${apiKey.key_id}`, key };
}

/** Aborts when the connection is gone before the reply was written out. */
export function disconnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The knowledge graph for who sends this request, for as long as they stay. */
export const graphFor = (
  app: Pick<HttpApp, 'graphFor' | 'access'>,
  request: FastifyRequest,
  reply: FastifyReply,
): ReturnType<HttpApp['graphFor']> =>
  app.graphFor(app.access.subject(request.apiKey, request.ip), disconnected(reply));
