/** The audit log: who changed what, and who read people's questions. */
import { type Static, Type } from 'typebox';
import type { Doc } from '../ports/read-models.ts';
import { asOf, filter, format, type Listed, listOf, page, record, Time, timeRange } from '../schema.ts';
import { type AdministrationDeps, between, equal } from './context.ts';
import { replyOrCsv, sendList } from './csv.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';
import { type LogFilters, readLogQuery } from './range.ts';

export const AuditLogQuery = Type.Object({
  ...asOf,
  ...page(500),
  action: filter('Only entries with this action.'),
  actor: filter("Only changes by this actor: an administrator's name, system, public or key:<id>."),
  target: filter('Only changes to this target.'),
  ...timeRange,
  ...format,
});

export const AuditLogEntry = record('AuditLogEntry', {
  entry_id: Type.String(),
  occurred_at: Time,
  actor: Type.String({ description: "The administrator's name, system, public or key:<id>." }),
  action: Type.String({ examples: ['api_key.create'] }),
  target: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown()),
  request_id: Type.String(),
  position: Type.String({ description: 'Position in the history; opaque.' }),
});
export type AuditLogEntry = Static<typeof AuditLogEntry>;
export const AuditLogList = listOf(AuditLogEntry);

export function auditLog({ reads }: Pick<AdministrationDeps, 'reads'>) {
  return {
    /** Entries that match all filters, newest first. */
    async auditLog({
      limit,
      offset,
      from,
      before,
      asOf,
      ...filters
    }: LogFilters<typeof AuditLogQuery>): Promise<Listed<AuditLogEntry>> {
      const { items, total } = await reads.find('audit', {
        where: equal(filters),
        ...between('occurred_at', { from, before, asOf }),
        orderBy: { field: 'occurred_at', descending: true },
        limit,
        offset,
      });
      return { items: items as (Doc & AuditLogEntry)[], total, limit, offset };
    },
  };
}

const columns = Object.keys(AuditLogEntry.properties);

export function auditLogRoutes(door: AdminDoor<ReturnType<typeof auditLog>>): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/audit-log',
    schema: {
      ...operation('admin_audit_log', 'The audit log: who changed what'),
      querystring: AuditLogQuery,
      response: { 200: replyOrCsv('Entries, newest first.', AuditLogList, columns) },
    },
    handler: async (request, reply) => {
      const admin = await adminAt(door, request, reply);
      const { asked, filters } = readLogQuery(request.query);
      return sendList(request, reply, { name: 'audit-log', columns, asked }, (page) =>
        admin.auditLog({ ...filters, ...page }),
      );
    },
  });
}
