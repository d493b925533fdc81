import {
  GraphSplit,
  GraphSplitList,
  GraphSplitRequest,
  GraphSplitsQuery,
  SplitIdPath,
} from '../../api/graph.ts';
import { pageOf } from '../../api/schema.ts';
import { actingIn } from '../auth.ts';
import { nothing, reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, basicOrNone, operation } from './operation.ts';

export function graphSplitRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/graph/splits',
    schema: {
      ...operation('admin_graph_splits', 'Splits in the knowledge graph'),
      querystring: GraphSplitsQuery,
      response: { 200: reply('The splits in effect, newest first.', GraphSplitList) },
    },
    config: basic,
    handler: ({ query }) => admin.graphSplits(pageOf(query), query.corpus_id),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/graph/splits',
    schema: {
      ...operation('admin_split_entity', 'Split a name from the entity it was merged into'),
      body: GraphSplitRequest,
      response: { 201: reply('The split.', GraphSplit) },
    },
    config: basicOrNone,
    handler: async (request, reply) =>
      reply.code(201).send(await admin.splitEntity(request.body, actingIn(request))),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/graph/splits/:split_id',
    schema: {
      ...operation('admin_undo_split', 'Undo a split'),
      params: SplitIdPath,
      response: { 204: nothing('The split was undone.') },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      await admin.undoSplit(request.params.split_id, actingIn(request));
      return reply.code(204).send();
    },
  });
}
