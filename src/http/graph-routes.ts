/** Routes of the knowledge graph: /api/graph/stats and /api/graph/query. */
import { GraphQueryRequest, GraphQueryResponse, GraphStats } from '../asks/graph-schema.ts';
import { count } from './auth.ts';
import { type Door, graphFor } from './context.ts';
import { reply, type Tag } from './operation.ts';
import { isBlank } from './validation.ts';

const tags: Tag[] = ['Questions'];

export function graphRoutes(door: Door): void {
  const { server, app } = door;
  server.route({
    method: 'GET',
    url: '/api/graph/stats',
    schema: {
      operationId: 'graph_stats',
      summary: 'Statistics of the knowledge graph',
      description:
        'Covers the public layers in force of all active corpora; if questions require a key, only of the corpora for which the key is valid.',
      tags,
      response: { 200: reply('The figures.', GraphStats) },
    },
    config: { security: 'optional-key', errors: [401, 429] },
    handler: async (request, reply) => {
      await count(door, request, null, { corpus: '', channel: 'source-page' });
      const corpora = (await app.corpora()).map(({ corpus_id }) => corpus_id);
      const mine = corpora.filter((corpus_id) => app.access.mayRead(request.apiKey, corpus_id));
      return graphFor(app, request, reply).stats(mine);
    },
  });

  server.route({
    method: 'POST',
    url: '/api/graph/query',
    schema: {
      operationId: 'graph_query',
      summary: 'Entities of the knowledge graph that match a name or occur in a text, with their neighbours',
      tags,
      body: GraphQueryRequest,
      response: { 200: reply('Part of the graph.', GraphQueryResponse) },
    },
    config: { security: 'key', errors: [401, 403, 404, 429] },
    handler: async (request, reply) => {
      const { entity, to, query, relation, depth = 1, limit = 50 } = request.body;
      const corpus_id = await app.access.corpusFor(request.apiKey, request.body.corpus_id ?? null);
      await count(door, request, reply, { corpus: corpus_id, channel: 'source-refs' });
      return graphFor(app, request, reply).query(corpus_id, {
        entity: given(entity),
        to: given(to),
        query: given(query),
        relation: relation ?? null,
        depth,
        limit,
      });
    },
  });
}

const given = (text: string | null | undefined): string | null =>
  typeof text === 'string' && !isBlank(text) ? text : null;
