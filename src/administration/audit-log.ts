import type { AuditLogEntry } from '../api/audit-log.ts';
import type { Listed, Page } from '../api/schema.ts';
import type { AdministrationDeps } from './context.ts';

export interface AuditLogFilters extends Page {
  action?: string;
}

export interface AuditLog {
  /** Entries that pass all the filters, newest first. */
  auditLog(filters: AuditLogFilters): Promise<Listed<AuditLogEntry>>;
}

export function auditLog({ reads }: Pick<AdministrationDeps, 'reads'>): AuditLog {
  return {
    async auditLog({ limit, offset, action }) {
      const { items, total } = await reads.find('audit', {
        ...(action === undefined ? {} : { where: { action } }),
        orderBy: { field: 'occurred_at', descending: true },
        limit,
        offset,
      });
      return { items: items.map((entry) => entry as typeof entry & AuditLogEntry), total, limit, offset };
    },
  };
}
