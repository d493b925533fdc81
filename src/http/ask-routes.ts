/** The routes for questions: /api/corpora, /api/source-refs, /api/ask and its stream. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Part } from '../answering/parts.ts';
import type { SourceRefsResult } from '../asks/ask-port.ts';
import type { AskStream, Delivery } from '../asks/asks.ts';
import { Cursor, type NumberedPart } from '../asks/cursor.ts';
import { CorpusList } from '../asks/public-corpora.ts';
import type { Channel, Style } from '../domain/events.ts';
import {
  AskRequest,
  AskResponse,
  EventStream,
  RatingRequest,
  RatingResponse,
  RequestIdPath,
  SourceRefsRequest,
  SourceRefsResponse,
  streamText,
} from './ask-schemas.ts';
import { admitToThePast, count } from './auth.ts';
import { answerReader, callerOf, type Door, deliveryOf, disconnected, pastOf } from './context.ts';
import { nothing, reply, type Tag } from './operation.ts';
import { eventStream, lastSeen, streamHeaders } from './stream.ts';
import { isBlank } from './validation.ts';
import { wholeAnswer } from './whole-answer.ts';

const tags: Tag[] = ['Questions'];
/** Size of the longest question and history when every character is escaped. */
export const questionBytesMax = 1024 * 1024;
const askErrors = [401, 403, 404, 409, 410, 429, 504, 507];
const idempotencyText =
  'Repeating the same key and question within 24 hours returns the recorded answer instead of a new one, unless it failed and can be retried. Using the same key for a different question returns 422.';

export function askRoutes(door: Door): void {
  const { server, app, config } = door;
  server.route({
    method: ['GET', 'HEAD'],
    url: '/api/corpora',
    schema: {
      operationId: 'list_corpora',
      summary: 'The active corpora',
      description: 'If questions require a key, only the corpora for which the key is valid are listed.',
      tags,
      response: { 200: reply('All active corpora.', CorpusList) },
    },
    config: { security: 'optional-key', errors: [401] },
    handler: async ({ apiKey }) =>
      (await app.corpora()).filter(({ corpus_id }) => app.access.mayRead(apiKey, corpus_id)),
  });

  server.route({
    method: 'POST',
    url: '/api/source-refs',
    schema: {
      operationId: 'source_refs',
      summary: 'Sources for a question, without an answer',
      description:
        'With `as_of`, for administrators and auditors (Basic credentials): the sources that would have been found at that ' +
        'moment, with their text at that time.',
      tags,
      body: SourceRefsRequest,
      response: { 200: reply('The sources, best first.', SourceRefsResponse) },
    },
    config: { security: 'key', errors: [401, 403, 404, 429, 504, 507] },
    handler: async (request, reply) => {
      const { query, question, limit, as_of = null } = request.body;
      const asked = typeof query === 'string' && !isBlank(query) ? query : (question ?? '');
      if (as_of !== null) {
        const acting = await admitToThePast(door, request, reply);
        const { position, sourceRefs } = await pastOf(app.moments).at(as_of);
        const { corpus_id = null } = request.body;
        const question = { request_id: request.id, query: asked, corpus_id, limit };
        const { texts, ...found } = await sourceRefs(question, acting, disconnected(reply));
        return { ...sourceRefsReply(found), raw_text_included: true, as_of: position, texts };
      }
      const { corpus_id = null } = request.body;
      return lookUp(door, request, reply, { request_id: request.id, query: asked, corpus_id, limit });
    },
  });

  server.route({
    method: 'POST',
    url: '/api/ask',
    bodyLimit: questionBytesMax,
    schema: {
      operationId: 'ask',
      summary: 'An answer with its sources',
      tags,
      body: AskRequest,
      response: { 200: reply('The answer.', AskResponse) },
    },
    config: { security: 'key', errors: askErrors, headers: { 'idempotency-key': idempotencyText } },
    handler: async (request, reply) => {
      const gone = disconnected(reply);
      const answer = await begin(door, request, request.body, asWhole('http', request, reply, gone));
      reply.header('x-request-id', answer.requestId);
      return wholeAnswer(request.body.query, partsOf(answer.after(0, gone)));
    },
  });

  server.route({
    method: 'POST',
    url: '/api/ask/stream',
    bodyLimit: questionBytesMax,
    schema: {
      operationId: 'ask_stream',
      summary: 'Stream an answer',
      description: streamText,
      tags,
      body: AskRequest,
      response: { 200: reply('The events of the answer.', EventStream, { media: 'text/event-stream' }) },
    },
    config: { security: 'key', errors: askErrors, headers: { 'idempotency-key': idempotencyText } },
    handler: async (request, reply) => {
      const gone = disconnected(reply);
      const answer = await begin(door, request, request.body, asWhole('stream', request, reply, gone));
      return stream(reply, answer.requestId, answer.after(0, gone));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/ask/stream/:request_id',
    schema: {
      operationId: 'resume_stream',
      summary: 'Resume an answer, or replay a recorded one from its start',
      description: streamText,
      tags,
      params: RequestIdPath,
      response: {
        200: reply('The events after the given one.', EventStream, { media: 'text/event-stream' }),
        204: nothing('There are no events after the given one.'),
      },
    },
    config: {
      security: 'key',
      errors: [401, 404, 410, 429],
      headers: {
        'last-event-id': 'Id of the last event received; if absent, the answer is sent from its start.',
      },
    },
    handler: async (request, reply) => {
      const { request_id } = request.params;
      const gone = disconnected(reply);
      await countResume(door, request);
      const answer = await app.asks.find(request_id, answerReader(app, request));
      const seen = lastSeen(request_id, request.headers['last-event-id']);
      // Browsers' EventSource reconnects automatically; 204 tells it that the stream has ended.
      if (new Cursor(seen).ended) return reply.code(204).send();
      return stream(reply, request_id, answer.after(seen, gone));
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/ask/stream/:request_id',
    schema: {
      operationId: 'cancel_ask',
      summary: 'Cancel an ask',
      tags,
      params: RequestIdPath,
      response: { 204: nothing('Cancelled, or already finished.') },
    },
    config: { security: 'key', errors: [401, 404, 410, 429] },
    handler: async (request, reply) => {
      await countResume(door, request);
      await app.asks.cancel(request.params.request_id, answerReader(app, request));
      return reply.code(204).send();
    },
  });

  server.route({
    method: 'POST',
    url: '/api/asks/:request_id/rating',
    schema: {
      operationId: 'rate_answer',
      summary: 'Rate an answer',
      description:
        'The last rating counts. If the question was asked with a key, the rating requires that key.',
      tags,
      params: RequestIdPath,
      body: RatingRequest,
      response: { 200: reply('The recorded rating.', RatingResponse) },
    },
    config: { security: 'key', errors: [401, 404, 429] },
    handler: async (request, reply) => {
      const { request_id } = request.params;
      const { rating, comment = null } = request.body;
      await count(door, request, reply, { corpus: '', channel: 'rating' });
      await app.recordedAsks.rate(request_id, { rating, comment }, answerReader(app, request));
      return { request_id, rating, comment };
    },
  });

  function stream(
    reply: FastifyReply,
    requestId: string,
    events: AsyncGenerator<NumberedPart, void>,
  ): FastifyReply {
    reply.headers({ ...streamHeaders, 'x-request-id': requestId });
    return reply.send(eventStream(requestId, events, config.pingMs));
  }
}

/**
 * Counts a lookup of an earlier question in the history. Sends no rate-limit headers, because those only apply to
 * questions.
 */
const countResume = (door: Door, request: FastifyRequest) =>
  count(door, request, null, { corpus: '', channel: 'resume' });

/** How a question arrived. */
export interface Arrival {
  channel: Channel;
  request_id: string;
  /** Identifies a question that is sent again; null if it cannot be. */
  delivery: Delivery | null;
  /** Receives the headers of rate limits; null if its head was sent. */
  reply: FastifyReply | null;
  /** Aborts when the asker has disconnected. */
  gone: AbortSignal;
}

/** A question that is a whole request of its own. */
const asWhole = (
  channel: Channel,
  request: FastifyRequest,
  reply: FastifyReply,
  gone: AbortSignal,
): Arrival => ({ channel, request_id: request.id, delivery: deliveryOf(request), reply, gone });

/**
 * Begins to answer a question and counts it, unless the same delivery was asked before. Fails with `forbidden`, or with
 * `not_found` for an unknown corpus.
 */
export async function begin(
  door: Door,
  request: FastifyRequest,
  { query, corpus_id: wanted = null, style = null, history = [] }: AskRequest,
  { channel, request_id, delivery, reply, gone }: Arrival,
): Promise<AskStream> {
  const { access, asks } = door.app;
  const corpus_id = await access.corpusFor(request.apiKey, wanted);
  const input = {
    request_id,
    query,
    corpus_id,
    history,
    channel,
    style: style as Style | null,
    caller: callerOf(door.app, request),
  };
  return asks.begin(
    input,
    delivery,
    () => count(door, request, reply, { corpus: corpus_id, channel }),
    () => countResume(door, request),
    gone,
  );
}

/** Counts and answers a lookup of sources. Fails like `begin`. */
export async function lookUp(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    corpus_id: wanted,
    ...asked
  }: { request_id: string; query: string; corpus_id: string | null; limit?: number },
) {
  const { app, metrics } = door;
  const corpus_id = await app.access.corpusFor(request.apiKey, wanted);
  await count(door, request, reply, { corpus: corpus_id, channel: 'source-refs' });
  const input = { ...asked, corpus_id, caller: callerOf(app, request) };
  const { texts: _, ...found } = await app.sourceRefs(input, disconnected(reply));
  metrics.sourceRefs(corpus_id, found.mode, found.latency_ms);
  return sourceRefsReply(found);
}

export async function* partsOf(events: AsyncIterable<NumberedPart>): AsyncGenerator<Part> {
  for await (const { part } of events) yield part;
}

/** The search results as shown in the reply, without the texts. */
function sourceRefsReply({
  request_id,
  query,
  mode,
  lang,
  latency_ms,
  sources,
}: Omit<SourceRefsResult, 'texts'>) {
  const source_refs = sources.map(({ ref }) => ref);
  return {
    request_id,
    query,
    mode,
    lang,
    latency_ms,
    citation_count: source_refs.length,
    raw_text_included: false,
    source_refs,
    sources,
  };
}
