/** The questions: /api/corpora, /api/source-refs, /api/ask and its stream. */
import type { FastifyRequest } from 'fastify';
import type { AskInput } from '../app.ts';
import type { Part, SourceRef } from '../ask/parts.ts';
import type { Channel, Style } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { Cursor, type Numbered } from './cursor.ts';
import { callerOf, type Door, disconnected } from './door.ts';
import {
  AskRequest,
  AskResponse,
  type AskResponse as AskResponseBody,
  CorpusList,
  SourceRefsRequest,
  SourceRefsResponse,
} from './schemas.ts';
import { eventStream, streamHeaders } from './stream.ts';
import { isBlank } from './validation.ts';

export function askRoutes({ server, app, asks, config }: Door): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/api/corpora',
    schema: { response: { 200: CorpusList } },
    handler: async () => app.corpora(),
  });

  server.post(
    '/api/source-refs',
    { schema: { body: SourceRefsRequest, response: { 200: SourceRefsResponse } } },
    async (request, reply) => {
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
  );

  server.post(
    '/api/ask',
    { schema: { body: AskRequest, response: { 200: AskResponse } } },
    async (request, reply) => {
      const input = askInput(request, request.body, 'http');
      const ask = await asks.start(input);
      return collect(input.query, ask.watch(disconnected(reply)));
    },
  );

  server.post('/api/ask/stream', { schema: { body: AskRequest } }, async (request, reply) => {
    const gone = disconnected(reply);
    const ask = await asks.start(askInput(request, request.body, 'stream'));
    reply.headers(streamHeaders);
    return reply.send(eventStream(ask.requestId, numbered(ask.watch(gone), new Cursor()), config.pingMs));
  });
}

function askInput(
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

/** The parts a client does not hold yet, numbered. */
export async function* numbered(parts: AsyncIterable<Part>, cursor: Cursor): AsyncGenerator<Numbered, void> {
  for await (const part of parts) {
    const next = cursor.take(part);
    if (next !== null) yield next;
  }
}

/** All parts as one answer; an `error` part as its Failure. */
async function collect(query: string, parts: AsyncIterable<Part>): Promise<AskResponseBody> {
  let meta: Extract<Part, { type: 'meta' }> | undefined;
  let sources: SourceRef[] = [];
  let citations: Omit<Extract<Part, { type: 'citation' }>, 'type'>[] = [];
  for await (const part of parts) {
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
