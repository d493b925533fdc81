import { AuditLog, AuditLogEntry, AuditLogQuery } from '../../api/audit-log.ts';
import { pageOf } from '../../api/schema.ts';
import { replyOrCsv, sendCsv, wantsCsv } from './csv.ts';
import type { AdminDoor } from './door.ts';
import { basic, operation } from './operation.ts';
import { timesOf } from './range.ts';

const columns = Object.keys(AuditLogEntry.properties);

export function auditLogRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/audit-log',
    schema: {
      ...operation('admin_audit_log', 'Who changed what'),
      querystring: AuditLogQuery,
      response: { 200: replyOrCsv('Entries, newest first.', AuditLog, columns) },
    },
    config: basic,
    handler: (request, reply) => {
      const { limit, offset, from, to, format: _, ...filters } = request.query;
      const asked = pageOf({ limit, offset });
      const times = timesOf({ from, to });
      if (!wantsCsv(request)) return admin.auditLog({ ...filters, ...times, ...asked });
      // Of those added while it is sent none pushes another onto the next page.
      const until = { before: new Date().toISOString(), ...times };
      return sendCsv(request, reply, { name: 'audit-log', columns, asked }, (page) =>
        admin.auditLog({ ...filters, ...until, ...page }),
      );
    },
  });
}
