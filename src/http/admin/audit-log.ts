import { AuditLog, AuditLogQuery } from '../../api/audit-log.ts';
import { pageOf } from '../../api/schema.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, operation } from './operation.ts';

export function auditLogRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/audit-log',
    schema: {
      ...operation('admin_audit_log', 'Who changed what'),
      querystring: AuditLogQuery,
      response: { 200: reply('Entries, newest first.', AuditLog) },
    },
    config: basic,
    handler: (request) => admin.auditLog({ ...request.query, ...pageOf(request.query) }),
  });
}
