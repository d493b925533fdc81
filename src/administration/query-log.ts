import type { QueryLogEntry } from '../api/query-log.ts';
import type { Listed, Page } from '../api/schema.ts';
import type { Doc } from '../ports/read-models.ts';
import type { Acting, AdministrationDeps } from './context.ts';

export interface QueryFilters extends Page {
  mode?: string;
  lang?: string;
  has_error?: boolean;
  search?: string;
  corpus_id?: string;
}

export interface QueryLog {
  /** Questions that pass all the filters, newest first. */
  queries(filters: QueryFilters, acting: Acting): Promise<Listed<QueryLogEntry>>;
}

export function queryLog({ reads, audit }: Pick<AdministrationDeps, 'reads' | 'audit'>): QueryLog {
  return {
    async queries({ limit, offset, search, ...filters }, acting) {
      await audit.read(acting.name, 'queries', acting.request_id);
      const where = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
      const { items, total } = await reads.find('queries', {
        where,
        ...(search !== undefined && search.trim() !== '' ? { search } : {}),
        orderBy: { field: 'asked_at', descending: true },
        limit,
        offset,
      });
      return { items: items.map(entryOf), total, limit, offset };
    },
  };
}

/** A record without what only the service itself needs. */
function entryOf({ state: _, deadline: __, has_error: ___, ...entry }: Doc): QueryLogEntry {
  return entry as QueryLogEntry;
}
