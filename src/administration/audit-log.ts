import type { AuditLogEntry } from '../api/audit-log.ts';
import type { Listed, Page } from '../api/schema.ts';
import { type AdministrationDeps, between, equal, type TimeRange } from './context.ts';

export interface AuditLogFilters extends Page, TimeRange {
  action?: string;
  actor?: string;
  target?: string;
}

export interface AuditLog {
  /** Entries that pass all the filters, newest first. */
  auditLog(filters: AuditLogFilters): Promise<Listed<AuditLogEntry>>;
}

export function auditLog({ reads }: Pick<AdministrationDeps, 'reads'>): AuditLog {
  return {
    async auditLog({ limit, offset, from, before, ...filters }) {
      const { items, total } = await reads.find('audit', {
        where: equal(filters),
        ...between('occurred_at', { from, before }),
        orderBy: { field: 'occurred_at', descending: true },
        limit,
        offset,
      });
      return { items: items.map((entry) => entry as typeof entry & AuditLogEntry), total, limit, offset };
    },
  };
}
