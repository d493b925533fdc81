import {
  QueryLog,
  QueryLogEntry,
  QueryLogQuery,
  Unanswered,
  UnansweredList,
  UnansweredQuery,
} from '../../api/query-log.ts';
import { actingIn } from '../auth.ts';
import { replyOrCsv, sendCsv, wantsCsv } from './csv.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { readLogQuery } from './log-query.ts';
import { basicOrNone, operation } from './operation.ts';

const logColumns = Object.keys(QueryLogEntry.properties);
const unansweredColumns = Object.keys(Unanswered.properties);

export function queryLogRoutes(door: AdminDoor): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/queries',
    schema: {
      ...operation('admin_queries', 'The query log'),
      querystring: QueryLogQuery,
      response: { 200: replyOrCsv('Questions, newest first.', QueryLog, logColumns) },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      const admin = await adminAt(door, request, reply);
      const { asked, filters } = readLogQuery(request.query);
      const acting = actingIn(request);
      if (!wantsCsv(request)) return admin.queries({ ...filters, ...asked }, acting);
      // Of those asked while it is sent none pushes another onto the next page.
      const asOf = new Date().toISOString();
      const table = { name: 'queries', columns: logColumns, asked };
      return sendCsv(request, reply, table, (page) => admin.queries({ ...filters, asOf, ...page }, acting));
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/unanswered',
    schema: {
      ...operation('admin_unanswered', 'Unanswered questions, grouped by wording'),
      querystring: UnansweredQuery,
      response: { 200: replyOrCsv('Most asked first.', UnansweredList, unansweredColumns) },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      const admin = await adminAt(door, request, reply);
      const { asked, filters } = readLogQuery(request.query);
      const acting = actingIn(request);
      if (!wantsCsv(request)) return admin.unanswered({ ...filters, ...asked }, acting);
      const table = { name: 'unanswered', columns: unansweredColumns, asked };
      return sendCsv(request, reply, table, (page) => admin.unanswered({ ...filters, ...page }, acting));
    },
  });
}
