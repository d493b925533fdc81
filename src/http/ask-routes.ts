/** The questions: /api/corpora, /api/source-refs, /api/ask and its stream. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskInput } from '../app.ts';
import type { Part, SourceRef } from '../ask/parts.ts';
import type { Channel, Style } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { Cursor, type Numbered } from './cursor.ts';
import { callerOf, type Door, deliveryOf, disconnected } from './door.ts';
import {
  AskRequest,
  AskResponse,
  type AskResponse as AskResponseBody,
  CorpusList,
  RequestIdPath,
  SourceRefsRequest,
  SourceRefsResponse,
} from './schemas.ts';
import { eventStream, lastSeen, streamHeaders } from './stream.ts';
import { isBlank } from './validation.ts';

export function askRoutes({ server, app, answers, config }: Door): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/api/corpora',
    schema: { response: { 200: CorpusList } },
    handler: async () => app.corpora(),
  });

  server.route({
    method: 'POST',
    url: '/api/source-refs',
    schema: { body: SourceRefsRequest, response: { 200: SourceRefsResponse } },
    handler: async (request, reply) => {
      const { query, question, corpus_id, limit } = request.body;
      const result = await app.sourceRefs(
        {
          request_id: request.id,
          query: typeof query === 'string' && !isBlank(query) ? query : (question ?? ''),
          corpus_id,
          limit,
          caller: callerOf(request),
        },
        disconnected(reply),
      );
      const refs = result.sources.map((source) => source.ref);
      return {
        request_id: result.request_id,
        query: result.query,
        mode: result.mode,
        lang: result.lang,
        latency_ms: result.latency_ms,
        citation_count: refs.length,
        raw_text_included: false,
        source_refs: refs,
        sources: result.sources,
      };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/ask',
    schema: { body: AskRequest, response: { 200: AskResponse } },
    handler: async (request, reply) => {
      const gone = disconnected(reply);
      const answer = await answers.begin(askInput(request, request.body, 'http'), deliveryOf(request));
      reply.header('x-request-id', answer.requestId);
      return collect(request.body.query, answer.after(0, gone));
    },
  });

  server.route({
    method: 'POST',
    url: '/api/ask/stream',
    schema: { body: AskRequest },
    handler: async (request, reply) => {
      const gone = disconnected(reply);
      const answer = await answers.begin(askInput(request, request.body, 'stream'), deliveryOf(request));
      return stream(reply, answer.requestId, answer.after(0, gone));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/ask/stream/:request_id',
    schema: { params: RequestIdPath },
    handler: async (request, reply) => {
      const { request_id } = request.params;
      const gone = disconnected(reply);
      const answer = await answers.find(request_id, callerOf(request));
      const seen = lastSeen(request_id, request.headers['last-event-id']);
      // 204 tells a browser's EventSource, which reconnects by itself, that there is no more to come.
      if (new Cursor(seen).ended) return reply.code(204).send();
      return stream(reply, request_id, answer.after(seen, gone));
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/ask/stream/:request_id',
    schema: { params: RequestIdPath },
    handler: async (request, reply) => {
      await answers.cancel(request.params.request_id, callerOf(request));
      return reply.code(204).send();
    },
  });

  function stream(
    reply: FastifyReply,
    requestId: string,
    events: AsyncGenerator<Numbered, void>,
  ): FastifyReply {
    reply.headers({ ...streamHeaders, 'x-request-id': requestId });
    return reply.send(eventStream(requestId, events, config.pingMs));
  }
}

export function askInput(
  request: FastifyRequest,
  body: AskRequest,
  channel: Channel,
): AskInput & { request_id: string } {
  return {
    request_id: request.id,
    query: body.query,
    corpus_id: body.corpus_id,
    style: (body.style ?? null) as Style | null,
    history: body.history ?? [],
    channel,
    caller: callerOf(request),
  };
}

/** All parts as one answer; an `error` part as its Failure. */
async function collect(query: string, events: AsyncIterable<Numbered>): Promise<AskResponseBody> {
  let meta: Extract<Part, { type: 'meta' }> | undefined;
  let sources: SourceRef[] = [];
  let citations: Omit<Extract<Part, { type: 'citation' }>, 'type'>[] = [];
  for await (const { part } of events) {
    switch (part.type) {
      case 'meta':
        meta = part;
        break;
      case 'sources':
        sources = part.sources;
        break;
      case 'citation': {
        const { type: _, ...citation } = part;
        citations.push(citation);
        break;
      }
      case 'replace':
        citations = [];
        break;
      case 'error':
        throw new Failure(part.code, part.detail);
      case 'done':
        if (meta === undefined) throw new Failure('internal', 'The answer has no beginning.');
        return {
          request_id: part.request_id,
          query,
          mode: part.mode,
          lang: meta.lang,
          answer: part.answer,
          latency_ms: part.latency_ms,
          source_refs: sources.map((source) => source.ref),
          sources,
          citations,
        };
    }
  }
  throw new Failure('cancelled', 'The connection was closed.');
}
