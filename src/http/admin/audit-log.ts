import { AuditLog, AuditLogEntry, AuditLogQuery } from '../../api/audit-log.ts';
import { replyOrCsv, sendCsv, wantsCsv } from './csv.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { readLogQuery } from './log-query.ts';
import { basicOrNone, operation } from './operation.ts';

const columns = Object.keys(AuditLogEntry.properties);

export function auditLogRoutes(door: AdminDoor): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/audit-log',
    schema: {
      ...operation('admin_audit_log', 'Who changed what'),
      querystring: AuditLogQuery,
      response: { 200: replyOrCsv('Entries, newest first.', AuditLog, columns) },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      const admin = await adminAt(door, request, reply);
      const { asked, filters } = readLogQuery(request.query);
      if (!wantsCsv(request)) return admin.auditLog({ ...filters, ...asked });
      // Of those added while it is sent none pushes another onto the next page.
      const until = { before: new Date().toISOString(), ...filters };
      return sendCsv(request, reply, { name: 'audit-log', columns, asked }, (page) =>
        admin.auditLog({ ...until, ...page }),
      );
    },
  });
}
