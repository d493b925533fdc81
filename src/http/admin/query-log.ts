import { QueryLog, QueryLogQuery } from '../../api/query-log.ts';
import { pageOf } from '../../api/schema.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, operation } from './operation.ts';

export function queryLogRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/queries',
    schema: {
      ...operation('admin_queries', 'The query log'),
      querystring: QueryLogQuery,
      response: { 200: reply('Questions, newest first.', QueryLog) },
    },
    config: basic,
    handler: (request) => admin.queries({ ...request.query, ...pageOf(request.query) }, actingIn(request)),
  });
}
